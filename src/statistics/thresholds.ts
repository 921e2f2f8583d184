import { OptionError } from '../errors.js';

/** How a threshold is exceeded. */
export type ThresholdOperator = '>' | '>=' | '<' | '<=';

/** A limit whose exceedance is counted over members: the share of them with `value operator limit`. */
export interface Threshold {
  readonly operator: ThresholdOperator;
  readonly limit: number;
}

/** A threshold as callers give it: a variable that holds an operator is of type `string`. */
export interface GivenThreshold {
  readonly operator: ThresholdOperator | (string & {});
  readonly limit: number;
}

const OPERATORS: readonly unknown[] = ['>', '>=', '<', '<='];
const FORM = /^\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$/;
const ALLOWED = 'one of > >= < <= and a plain decimal, such as ">20"';

/** Reads `">20"`, `">= 0.1"`, `"<0"`. Throws OptionError for anything else. */
export function parseThreshold(text: string): Threshold {
  const found = typeof text === 'string' ? FORM.exec(text) : null;
  if (found === null) throw thresholdError(text);
  return { operator: found[1] as ThresholdOperator, limit: Number(found[2]) + 0 };
}

/**
 * Thresholds in the requested order, each once; texts are read as by `parseThreshold`. Throws OptionError for anything
 * else.
 */
export function checkThresholds(thresholds: readonly (string | GivenThreshold)[]): Threshold[] {
  if (!Array.isArray(thresholds)) {
    throw new OptionError({
      subject: 'thresholds',
      problem: 'not a list',
      received: thresholds,
      allowed: 'a list of thresholds, such as [">20"]',
    });
  }
  const found = new Map<string, Threshold>();
  for (const requested of thresholds) {
    const threshold = typeof requested === 'string' ? parseThreshold(requested) : requested;
    assertThreshold(threshold, requested);
    const { operator, limit } = threshold;
    found.set(`${operator} ${limit}`, { operator, limit });
  }
  return [...found.values()];
}

/** Throws OptionError unless `threshold` is an operator and a finite limit; the message shows it as `given`. */
export function assertThreshold(
  threshold: GivenThreshold,
  given: string | GivenThreshold = threshold,
): asserts threshold is Threshold {
  const { operator, limit }: Partial<GivenThreshold> = threshold ?? {};
  if (OPERATORS.includes(operator) && Number.isFinite(limit)) return;
  const isPair = typeof given === 'object' && typeof operator === 'string' && typeof limit !== 'object';
  throw thresholdError(isPair ? `${operator} ${String(limit)}` : given);
}

function thresholdError(received: unknown): OptionError {
  return new OptionError({ subject: 'threshold', problem: 'not a threshold', received, allowed: ALLOWED });
}
