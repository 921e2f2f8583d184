import { OptionError } from '../errors.js';

/** The quantiles that are computed by default. */
export const DEFAULT_QUANTILES: readonly number[] = /* @__PURE__ */ Object.freeze([0.05, 0.25, 0.5, 0.75, 0.95]);

/** The sample quantile types of Hyndman and Fan (1996). */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The most quantiles that are computed at once. */
export const MAX_QUANTILES = 99;

/** Matches a quantile as it is written: a plain decimal from 0 to 1. */
export const QUANTILE_FORM = /^(?:0?\.\d{1,6}|0\.?|1(?:\.0{0,6})?)$/;

const ALLOWED = `at most ${MAX_QUANTILES} plain decimals from 0 to 1, each of at most 6 places`;

/** The error for a quantile that cannot be used. */
export function quantileError(problem: string, received: unknown): OptionError {
  return new OptionError({ subject: 'quantiles', problem, received, allowed: ALLOWED });
}

/** Reads a comma-separated list such as `0.05,0.5,0.95`. Throws OptionError for anything else. */
export function parseQuantiles(text: string): number[] {
  if (typeof text !== 'string') throw quantileError('not a text', text);
  return checkQuantiles(
    text.split(',').map((item) => {
      const plain = item.trim();
      if (plain === '') throw quantileError('an empty item', text);
      if (!QUANTILE_FORM.test(plain)) throw quantileError(explain(plain), item);
      return Number(plain);
    }),
  );
}

/**
 * Quantiles in the requested order, each once. Throws OptionError for too many, or one that is not a plain decimal from
 * 0 to 1.
 */
export function checkQuantiles(quantiles: readonly number[]): number[] {
  if (!Array.isArray(quantiles)) throw quantileError('not a list', quantiles);
  for (const p of quantiles) {
    if (typeof p !== 'number') throw quantileError('not a number', p);
    if (!QUANTILE_FORM.test(String(p))) throw quantileError(explain(String(p)), p);
  }
  const unique = [...new Set(quantiles.map((p) => p + 0))];
  if (unique.length > MAX_QUANTILES) throw quantileError('too many', unique.length);
  return unique;
}

function explain(text: string): string {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) return 'not a number';
  if (value < 0 || value > 1) return 'outside [0, 1]';
  return 'not a plain decimal of at most 6 places';
}

/** Throws OptionError where `type` is not one of the nine. */
export function checkQuantileType(type: number): QuantileType {
  if (!Number.isInteger(type) || type < 1 || type > 9) {
    throw new OptionError({
      subject: 'quantileType',
      problem: 'not one of the types of Hyndman and Fan',
      received: type,
      allowed: 'a whole number from 1 to 9',
    });
  }
  return type as QuantileType;
}
