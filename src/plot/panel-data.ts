import type { LocalDays } from '../ensemble/local-days.js';
import type { PlaceLabels } from '../ensemble/place-labels.js';
import type { ModelCalendar } from '../period/calendar.js';
import { STEPS } from '../period/stated-days.js';

/** Windows in order of the middle of their time, none twice; entry `i` of each array is about window `i`. */
export interface Windows {
  /** `daily`, `weekly` or `monthly`; `steps` of time steps; of others, what they are: `seasons`, `rolling 7`, `list`. */
  readonly granularity: string;
  /** Day numbers of the first and of the last day, inclusive. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** How many of its days each window has, if that is known. */
  readonly days?: Int32Array;
  /** Of time steps: where each is on an axis of days, from, to, and its value, and the days of their zone if not UTC. */
  readonly times?: {
    readonly from: Float64Array;
    readonly to: Float64Array;
    readonly at: Float64Array;
    readonly days: LocalDays | undefined;
  };
}

/** Values of members by window; NaN where they are missing. */
export interface MemberLines extends Windows {
  /** An array for each member, with a value for each window. */
  readonly values: readonly Float64Array[];
}

/** Statistics over members by window; NaN where they are missing. */
export interface WindowStatistics extends Windows {
  readonly mean?: Float64Array;
  /** By probability, ascending. */
  readonly quantiles: readonly QuantileLine[];
  /** Undefined where it is not known. */
  readonly sampling?: SamplingError | undefined;
  /** The shares of members in the categories of a climatology, from the lowest; they add up to 1. */
  readonly categories?: readonly CategoryShares[];
}

/** The band in which the median of many more members would lie, with a probability. */
export interface SamplingError {
  /** Between 0 and 1. */
  readonly level: number;
  /** The lower and the upper end of the band by window; NaN where an end is beyond the members. */
  readonly ends: readonly [Float64Array, Float64Array];
}

/** The share of members in one category of a climatology by window; NaN where it is missing. */
export interface CategoryShares {
  readonly category: 'below' | 'normal' | 'above';
  readonly values: Float64Array;
}

export interface QuantileLine {
  /** From 0 to 1. */
  readonly probability: number;
  readonly values: Float64Array;
}

/** A climatology along the days of a panel. */
export interface ClimateLines extends Windows {
  /** The reference period, such as `1993-2022`. */
  readonly reference?: string;
  /** The lowest and the highest of its quantiles, if it has two or more. */
  readonly band?: readonly [QuantileLine, QuantileLine];
  /** The limits between its categories, such as terciles. */
  readonly limits: readonly Float64Array[];
}

/** What an earlier run has in windows of a panel. */
export interface EarlierRun extends Windows {
  /** Its lowest quantile, the median and the highest. */
  readonly quantiles: readonly [QuantileLine, QuantileLine, QuantileLine];
}

/** Where one horizon of a blended timeline follows another. */
export interface Seam {
  /** The first day on which a member may come from the later horizon, and the first on which all do. */
  readonly handOver: number;
  readonly complete: number;
  /** The names of the two horizons. */
  readonly earlier: string;
  readonly later: string;
}

/** What a table says of itself. */
export interface TableTexts {
  readonly variable?: string;
  /** As shown: `°C`. */
  readonly units?: string;
  readonly calendar?: ModelCalendar;
  /** How the days of a window were combined, if that is known. */
  readonly window?: string;
  readonly metadata: ReadonlyMap<string, string>;
  /** NaN where they are not known. */
  readonly latitude: number;
  readonly longitude: number;
  /** The labels of the place, where it has some. */
  readonly labels?: PlaceLabels | undefined;
}

/** All that one panel shows. */
export interface PanelData {
  readonly texts: TableTexts;
  /** The id of the place, where it has one. */
  readonly place?: string | undefined;
  /** Whether panels are of several places. */
  readonly isOfSeveral?: boolean;
  readonly members?: MemberLines;
  readonly statistics: readonly WindowStatistics[];
  readonly climate?: ClimateLines;
  readonly earlier?: EarlierRun | undefined;
  readonly seams: readonly Seam[];
  readonly thresholds: readonly number[];
  /** The number of members, if that is known. */
  readonly memberCount?: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Whether there is a window for each day, of which rolling ones are shown on their last, or for each time step. */
export function hasWindowEachDay({ granularity }: Windows): boolean {
  return isOfDaysApart({ granularity }) || isRolling(granularity);
}

/** Whether windows are days, or time steps. */
export function isOfDaysApart({ granularity }: Pick<Windows, 'granularity'>): boolean {
  return granularity === 'daily' || granularity === STEPS;
}

function isRolling(granularity: string): boolean {
  return granularity.startsWith('rolling ');
}

/**
 * Where the time of each window is on the axis, from a day up to another: its days, of a rolling window the last one; of
 * windows that overlap each goes up to halfway between its middle and that of the next.
 */
export function shownSpans(windows: Windows): { readonly from: Float64Array; readonly to: Float64Array } {
  const { granularity, start, end, times } = windows;
  if (times !== undefined) return times;
  const from = Float64Array.from(isRolling(granularity) ? end : start);
  const to = Float64Array.from(end, (day) => day + 1);
  const middle = middles(windows);
  for (let i = 1; i < from.length; i++) {
    if (from[i] >= to[i - 1]) continue;
    const border = (middle[i - 1] + middle[i]) / 2;
    to[i - 1] = Math.min(to[i - 1], border);
    from[i] = Math.max(from[i], border);
  }
  return { from, to };
}

/** The middle of each window in days: that of a single day is half a day after its beginning. Rolling ones are at their last. */
export function middles({ granularity, start, end, times }: Windows): Float64Array {
  if (times !== undefined) return times.at;
  return Float64Array.from(isRolling(granularity) ? end : start, (day, i) => (day + end[i] + 1) / 2);
}
