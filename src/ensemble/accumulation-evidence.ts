import { mentionOption, OptionError } from '../errors.js';
import {
  type Accumulation,
  type Amounts,
  BUCKET_HOURS,
  type Buckets,
  crossesReset,
  isReset,
  type StepEdges,
} from './accumulation.js';

const DAY = 86_400;
/** Packing moves values by as much of the largest beside them: four steps of 16 bits. */
const PACKING = 2 ** -12;
/** Falls by less than this share of a value are no falls. */
const SMALL_FALL = 1 / 50;
/** Falls that only amounts of each step, or resets, have. */
const BIG_FALL = 1 / 2;
/** Of the times at which a wet step is followed by another, those at which amounts of each step must at least fall. */
const FALLING_SHARE = 1 / 8;
/** The steps after wet ones that have to be seen without a fall before amounts are said to grow, and the seconds between the first and the last. */
const MIN_WET_STEPS = 8;
const MIN_WET_SECONDS = DAY;
/** The steps at which they have to grow. */
const MIN_RISES = 3;
/** The resets that must be seen, and the dry steps that buckets keep their amount over. */
const MIN_RESETS = 2;
const MIN_HOLDS = 2;

/** How far amounts may fall by rounding: the larger of an absolute amount and what packing does beside `largest`. */
export function roundingOf(smallest: number, largest: number): number {
  return Math.max(smallest, PACKING * largest);
}

/** Whether an amount falls by more than rounding does. */
export function isFall(before: number, after: number, rounding: number): boolean {
  const fall = Math.abs(before) - Math.abs(after);
  return fall > rounding && fall > SMALL_FALL * Math.abs(before);
}

/** What the values tell: what the amounts count, or why they do not tell it. */
export type Verdict = Omit<Amounts, 'by'> | { readonly kind: 'unclear'; readonly why: string };

/** What is known of amounts beside their values. */
export interface AmountsContext {
  /** The time that the run began at, in seconds. */
  readonly init?: number;
  /** The smallest amount that matters. */
  readonly smallest: number;
}

/**
 * Tells amounts of each step from growing ones by how series of them rise and fall: amounts since the start of a run never fall,
 * those in buckets only at regular resets, those of each step wherever it rains less than before.
 *
 * What is counted is counted for each step of the axis over all series, so that members and places that have the same weather
 * are no more evidence than one. Falls by rounding do not count. Too few wet steps tell nothing.
 */
export class AccumulationEvidence {
  readonly #edges: StepEdges;
  readonly #context: AmountsContext;
  /** For each step, in how many series the one before was wet; then, of these, how many rose, stayed as they were or fell. */
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

  /** Adds series of one variable whose first value is that of `firstStep`; NaN is missing. */
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
      const rounding = roundingOf(this.#context.smallest, Math.max(largest[i - 1], largest[i]));
      for (const values of series) this.#look(values[i - 1], values[i], rounding, firstStep + i);
    }
  }

  #look(before: number, after: number, rounding: number, step: number): void {
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

  /** Whether nothing fell though something rose, after a wet step too. */
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
        why: `they rise at ${rises} steps and fall at none of ${wet.length} after wet ones, too few to tell`,
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
   * What the amounts count, of buckets where an option says that they are in some; undefined where values do not tell.
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

  /** The error for amounts that neither metadata nor values tell what they count. */
  unclear(subject: string, name: string, accumulation?: Accumulation): OptionError {
    const verdict = this.verdict();
    const why = verdict.kind === 'unclear' ? `: ${verdict.why}` : '';
    const unstated = `nothing tells whether the amounts of ${name} are those of each step or grow from the start of the run${why}`;
    const buckets = BUCKET_HOURS.map((each) => `buckets-${each}h`);
    return new OptionError({
      subject,
      problem: accumulation === undefined ? unstated : `the values of ${name} do not tell how often buckets are reset`,
      ...(accumulation !== undefined && { received: accumulation }),
      allowed: mentionOption('accumulation', 'per-step', 'since-start', ...buckets),
    });
  }

  /** Whether amounts are so small that a day's total is the same, as far as it is shown, when steps are summed and when growth is taken. */
  get isNegligible(): boolean {
    const { starts, ends } = this.#edges;
    const shortest = ends.reduce((least, end, step) => Math.min(least, end - starts[step]), DAY);
    return this.#largest * (DAY / Math.max(1, shortest)) <= this.#context.smallest || this.#largest === 0;
  }

  #verdictOfBuckets(candidates: readonly Buckets[]): Verdict {
    const [longest, ...shorter] = candidates;
    const isInside = (step: number) => !this.#isResetAt(step, longest);
    const wet = stepsWith(this.#wet).filter(isInside);
    if (wet.length === 0) return { kind: 'either' };
    const isRegular =
      stepsWith(this.#falls).length >= MIN_RESETS && stepsWith(this.#holds).filter(isInside).length >= MIN_HOLDS;
    // The sun may rise over every reset: only what stays as it was shows that there is none.
    const isLongest = shorter.every((other) => this.#between(this.#holds, longest, other).length >= MIN_HOLDS);
    if (isRegular && isLongest && this.#isEnough(wet)) return { kind: 'buckets', buckets: longest };
    const why = `they fall only where buckets of ${longest.hours} h would be reset, but at too few steps to tell`;
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

  /** Buckets begin with the run, or at 00 UTC. */
  #phases(hours: number): number[] {
    const { init } = this.#context;
    const isOther = init !== undefined && !isReset(init, { hours, phase: 0 });
    return isOther ? [0, init] : [0];
  }

  #isResetAt(step: number, buckets: Buckets): boolean {
    return isReset(this.#edges.starts[step], buckets);
  }

  /** The steps with a count at which only the second of two buckets is reset. */
  #between(counts: Uint32Array, longest: Buckets, other: Buckets): number[] {
    return stepsWith(counts).filter((step) => this.#isResetAt(step, other) && !this.#isResetAt(step, longest));
  }

  #isEnough(steps: readonly number[]): boolean {
    const { ends } = this.#edges;
    return steps.length >= MIN_WET_STEPS && ends[steps[steps.length - 1]] - ends[steps[0]] >= MIN_WET_SECONDS;
  }
}

function stepsWith(counts: Uint32Array): number[] {
  return Array.from(counts.keys()).filter((step) => counts[step] > 0);
}

function sum(counts: Uint32Array): number {
  return counts.reduce((a, b) => a + b, 0);
}
