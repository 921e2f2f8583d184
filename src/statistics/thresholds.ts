import { OptionError } from '../errors.js';

/** How a threshold is exceeded. */
export type ThresholdOperator = '>' | '>=' | '<' | '<=';

/** A limit whose exceedance is counted over members: the share of them with `value operator limit`. */
export interface Threshold {
  readonly operator: ThresholdOperator;
  readonly limit: number;
}

const NAMES: Record<ThresholdOperator, string> = { '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' };
const FORM = /^\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$/;
const ALLOWED = 'one of > >= < <= and a plain decimal, such as ">20"';

/** Reads `">20"`, `">= 0.1"`, `"<0"`. Throws OptionError for anything else. */
export function parseThreshold(text: string): Threshold {
  const found = typeof text === 'string' ? FORM.exec(text) : null;
  if (found === null) throw thresholdError(text);
  return { operator: found[1] as ThresholdOperator, limit: Number(found[2]) + 0 };
}

/** The name of the column that holds a threshold's probability: `p_gt_20`, `p_le_0.1`, `p_lt_-5`. */
export function thresholdName(threshold: Threshold): string {
  assertThreshold(threshold);
  const { operator, limit } = threshold;
  return `p_${NAMES[operator]}_${limit}`;
}

/**
 * Thresholds in the requested order, each once; texts are read as by `parseThreshold`. Throws OptionError for anything
 * else.
 */
export function checkThresholds(thresholds: readonly (string | Threshold)[]): Threshold[] {
  if (!Array.isArray(thresholds)) {
    throw new OptionError({
      subject: 'thresholds',
      problem: 'not a list',
      received: thresholds,
      allowed: 'a list of thresholds, such as [">20"]',
    });
  }
  const byName = new Map<string, Threshold>();
  for (const requested of thresholds) {
    const threshold = typeof requested === 'string' ? parseThreshold(requested) : requested;
    assertThreshold(threshold, requested);
    const { operator, limit } = threshold;
    byName.set(thresholdName({ operator, limit }), { operator, limit });
  }
  return [...byName.values()];
}

/** Throws OptionError unless `threshold` is an operator and a finite limit; the message shows it as `given`. */
export function assertThreshold(threshold: Threshold, given: string | Threshold = threshold): void {
  const { operator, limit }: Partial<Threshold> = threshold ?? {};
  if (typeof operator === 'string' && Object.hasOwn(NAMES, operator) && Number.isFinite(limit)) return;
  const isPair = typeof given === 'object' && typeof operator === 'string' && typeof limit !== 'object';
  throw thresholdError(isPair ? `${operator} ${String(limit)}` : given);
}

function thresholdError(received: unknown): OptionError {
  return new OptionError({ subject: 'threshold', problem: 'not a threshold', received, allowed: ALLOWED });
}
