import { mentionOption, OptionError } from '../errors.js';
import { DAY_SECONDS } from '../period/day.js';
import {
  type Accumulation,
  type Amounts,
  BUCKET_HOURS,
  type Buckets,
  crossesReset,
  isReset,
  MIN_GROWING_DAYS,
  type StepEdges,
} from './accumulation.js';

/** Packing moves values by up to this share of the largest value: four steps of 16 bits. */
const PACKING = 2 ** -12;
/** Falls by less than this share of a value are ignored. */
const SMALL_FALL = 1 / 50;
/** Falls by this share of a value happen only in amounts of each step, or at resets. */
const BIG_FALL = 1 / 2;
/** Amounts of each step fall after at least this share of the wet steps. */
const FALLING_SHARE = 1 / 8;
/**
 * Amounts are said to grow after this many steps that follow wet ones without a fall, over at least so many seconds.
 */
export const MIN_WET_STEPS = 8;
const MIN_WET_SECONDS = DAY_SECONDS;
/** They must grow at this many steps at least. */
const MIN_RISES = 3;
/** Buckets need at least this many resets, and this many dry steps at which they keep their amount. */
const MIN_RESETS = 2;
const MIN_HOLDS = 2;

/** How far amounts may fall by rounding: an absolute amount, or if it is more, what packing does next to `largest`. */
export function roundingTolerance(smallest: number, largest: number): number {
  return Math.max(smallest, PACKING * largest);
}

/** Whether an amount falls by more than rounding. */
export function isFall(before: number, after: number, rounding: number): boolean {
  const fall = Math.abs(before) - Math.abs(after);
  return fall > rounding && fall > SMALL_FALL * Math.abs(before);
}

/** What the amounts count, by their values, or why the values do not show it. */
export type Verdict = Omit<Amounts, 'by'> | { readonly kind: 'unclear'; readonly why: string };

/** What is known of amounts besides their values. */
export interface AmountsContext {
  /** The start of the run, in seconds. */
  readonly init?: number;
  /** The smallest amount that matters. */
  readonly smallest: number;
}

/**
 * Finds out whether amounts are those of each step or grow, by how their series rise and fall: amounts since the start
 * of a run never fall, amounts in buckets fall only at regular resets, and amounts of each step fall wherever it rains
 * less than before.
 *
 * Rises and falls are counted for each step of the axis over all series, so that many members and places with the same
 * weather are no more evidence than one. Falls by rounding do not count. Too few wet steps decide nothing.
 */
export class AccumulationEvidence {
  readonly #edges: StepEdges;
  readonly #context: AmountsContext;
  /**
   * For each step, the number of series whose step before was wet; then, of these, how many rose, stayed the same or
   * fell.
   */
  readonly #wet: Uint32Array;
  readonly #rises: Uint32Array;
  readonly #holds: Uint32Array;
  readonly #falls: Uint32Array;
  #bigFalls = 0;
  /** The largest amount that another step follows. */
  #largest = 0;

  constructor(edges: StepEdges, context: AmountsContext) {
    const { length } = edges.starts;
    this.#edges = edges;
    this.#context = context;
    this.#wet = new Uint32Array(length);
    this.#rises = new Uint32Array(length);
    this.#holds = new Uint32Array(length);
    this.#falls = new Uint32Array(length);
  }

  /** Adds series of one variable that begin at step `firstStep`; NaN is missing. */
  add(series: readonly Float64Array[], firstStep = 0): void {
    const largest = new Float64Array(series[0]?.length ?? 0);
    for (const values of series) {
      for (let i = 0; i < values.length; i++) {
        const value = Math.abs(values[i]);
        if (value > largest[i] && value < Number.POSITIVE_INFINITY) largest[i] = value;
      }
    }
    for (let i = 1; i < largest.length; i++) {
      this.#largest = Math.max(this.#largest, largest[i - 1]);
      const rounding = roundingTolerance(this.#context.smallest, Math.max(largest[i - 1], largest[i]));
      for (const values of series) this.#count(values[i - 1], values[i], rounding, firstStep + i);
    }
  }

  #count(before: number, after: number, rounding: number, step: number): void {
    if (!Number.isFinite(before) || !Number.isFinite(after)) return;
    const [low, high] = [Math.abs(before), Math.abs(after)];
    const isWet = low > 2 * rounding;
    if (isWet) this.#wet[step]++;
    if (high - low > rounding) this.#rises[step]++;
    else if (isFall(before, after, rounding)) {
      this.#falls[step]++;
      if (low - high >= BIG_FALL * low) this.#bigFalls++;
    } else if (isWet) this.#holds[step]++;
  }

  /** Whether anything fell. */
  get hasFalls(): boolean {
    return this.#falls.some(Boolean);
  }

  /** Whether nothing fell, though there were rises and wet steps. */
  get neverFalls(): boolean {
    return !this.hasFalls && this.#rises.some(Boolean) && this.#wet.some(Boolean);
  }

  /** What the amounts count. */
  verdict(): Verdict {
    if (this.isNegligible) return { kind: 'either' };
    const wet = stepsWith(this.#wet);
    if (!this.hasFalls) {
      const rises = stepsWith(this.#rises).length;
      if (this.#isEnough(wet) && rises >= MIN_RISES) return { kind: 'since-start' };
      return {
        kind: 'unclear',
        why: `they rise at ${rises} steps and fall at none of ${wet.length} after wet ones, too few to decide`,
      };
    }
    const candidates = this.#bucketsOfFalls();
    if (candidates.length > 0) return this.#verdictOfBuckets(candidates);
    const isOften = sum(this.#falls) >= FALLING_SHARE * sum(this.#wet);
    if (isOften && this.#bigFalls > 0) return { kind: 'per-step' };
    return {
      kind: 'unclear',
      why: `they fall ${sum(this.#falls)} times, which is too seldom or too little for amounts of each step`,
    };
  }

  /**
   * What the amounts count; the buckets, if the option says that amounts are in buckets. Undefined if the values do not
   * show it.
   */
  amounts(accumulation?: Accumulation): Amounts | undefined {
    const verdict = this.verdict();
    if (verdict.kind === 'unclear' && accumulation === undefined) return undefined;
    if (accumulation === undefined || verdict.kind === 'either')
      return { ...verdict, by: 'by their values' } as Amounts;
    const [longest, ...shorter] = this.#bucketsOfFalls();
    const isReported = shorter.every((other) => this.#between(this.#holds, longest, other).length > 0);
    if (longest === undefined || !isReported) return undefined;
    return { kind: 'buckets', by: `by ${mentionOption('accumulation')} and their values`, buckets: longest };
  }

  /** The error for amounts of which neither metadata nor values show what they count. */
  unclear(subject: string, name: string, accumulation?: Accumulation): OptionError {
    const verdict = this.verdict();
    const why = verdict.kind === 'unclear' ? `: ${verdict.why}` : '';
    const unstated = `nothing shows whether the amounts of ${name} are those of each step or grow from the start of the run${why}`;
    const buckets = BUCKET_HOURS.map((each) => `buckets-${each}h`);
    return new OptionError({
      subject,
      problem: accumulation === undefined ? unstated : `the values of ${name} do not show how often buckets are reset`,
      ...(accumulation !== undefined && { received: accumulation }),
      allowed: mentionOption('accumulation', 'per-step', 'since-start', ...buckets),
    });
  }

  /**
   * Whether amounts are so small that both ways to count them give the same daily totals, with the decimals that are
   * shown.
   */
  get isNegligible(): boolean {
    const { starts, ends } = this.#edges;
    const shortest = ends.reduce((least, end, step) => Math.min(least, end - starts[step]), DAY_SECONDS);
    return this.#largest * (DAY_SECONDS / Math.max(1, shortest)) <= this.#context.smallest || this.#largest === 0;
  }

  #verdictOfBuckets(candidates: readonly Buckets[]): Verdict {
    const [longest, ...shorter] = candidates;
    const isInside = (step: number) => !this.#isResetAt(step, longest);
    const wet = stepsWith(this.#wet).filter(isInside);
    if (wet.length === 0) return { kind: 'either' };
    const isRegular =
      stepsWith(this.#falls).length >= MIN_RESETS && stepsWith(this.#holds).filter(isInside).length >= MIN_HOLDS;
    // Radiation may rise at every shorter reset, too: only values that stay the same show that there is no reset.
    const isLongest = shorter.every((other) => this.#between(this.#holds, longest, other).length >= MIN_HOLDS);
    if (isRegular && isLongest && this.#isEnough(wet)) return { kind: 'buckets', buckets: longest };
    const why = `they fall only where buckets of ${longest.hours} h would be reset, but at too few steps to decide`;
    return { kind: 'unclear', why };
  }

  /** Buckets whose resets explain every fall, the longest first. */
  #bucketsOfFalls(): Buckets[] {
    const falls = stepsWith(this.#falls);
    if (falls.length === 0) return [];
    const steps = Array.from(this.#edges.starts.keys());
    return BUCKET_HOURS.flatMap((hours) => this.#phases(hours).map((phase) => ({ hours, phase }))).filter((buckets) => {
      const hasInside = steps.some((step) => !this.#isResetAt(step, buckets));
      return (
        hasInside &&
        falls.every((step) => this.#isResetAt(step, buckets)) &&
        !steps.some((step) => crossesReset(this.#edges, step, buckets))
      );
    });
  }

  /** The possible phases: buckets begin with the run, or at 00 UTC. */
  #phases(hours: number): number[] {
    const { init } = this.#context;
    const isOther = init !== undefined && !isReset(init, { hours, phase: 0 });
    return isOther ? [0, init] : [0];
  }

  #isResetAt(step: number, buckets: Buckets): boolean {
    return isReset(this.#edges.starts[step], buckets);
  }

  /** The steps with a count at which the other buckets are reset, but not the longest. */
  #between(counts: Uint32Array, longest: Buckets, other: Buckets): number[] {
    return stepsWith(counts).filter((step) => this.#isResetAt(step, other) && !this.#isResetAt(step, longest));
  }

  #isEnough(steps: readonly number[]): boolean {
    const { ends } = this.#edges;
    return steps.length >= MIN_WET_STEPS && ends[steps[steps.length - 1]] - ends[steps[0]] >= MIN_WET_SECONDS;
  }
}

/**
 * Whether daily amounts that were taken for amounts of their day seem to grow: none falls over 20 days or, in a run that
 * states its start, over as many wet days, and rises, as show what amounts count.
 */
export function seemToGrow(evidence: AccumulationEvidence, days: number, isOfRun: boolean): boolean {
  if (!evidence.neverFalls) return false;
  return days >= MIN_GROWING_DAYS || (isOfRun && evidence.verdict().kind === 'since-start');
}

function stepsWith(counts: Uint32Array): number[] {
  return Array.from(counts.keys()).filter((step) => counts[step] > 0);
}

function sum(counts: Uint32Array): number {
  return counts.reduce((a, b) => a + b, 0);
}
