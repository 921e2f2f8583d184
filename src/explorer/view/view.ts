import type { BlendMethod } from '../../blend/pairing/pairing.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { Threshold } from '../../statistics/options.js';

/** How several horizons become one series: joined, or one of them alone. */
export type SeriesMethod = BlendMethod | { readonly only: number };

/** What the page shows of its data. It is all in the address, so that it can be shared. */
export interface View {
  /** Keys of variables, in the order of their charts; undefined for the usual ones. */
  readonly variables?: readonly string[];
  /** The windows as `windowsOf` reads them; undefined for the usual ones, see `usualWindows`. */
  readonly windows?: string;
  /** Whether windows are kept of which some days are not in the data. */
  readonly partial: boolean;
  /** What windows hold of a variable, by its key, `min` or `days >20` in the unit of the data; its own rule where absent. */
  readonly holds: Readonly<Record<string, string>>;
  /** Conditions on variables, in the units of the data: `precipitation>5 and temp_mean<0`. */
  readonly conditions: readonly string[];
  /** The lower quantile of the outer band, and of the inner one: the upper ones are symmetrical. */
  readonly outer: number;
  readonly inner: number;
  /** By variable, in the units of the data. */
  readonly thresholds: Readonly<Record<string, Threshold>>;
  readonly members: boolean;
  /** Whether time steps are shown above the windows, where the data have some. */
  readonly steps: boolean;
  /** Whether the sampling error of medians is shown. */
  readonly sampling: boolean;
  /** Whether values are compared with normal ones. */
  readonly normal: boolean;
  readonly method: SeriesMethod;
  readonly point?: Point;
  /** The model, where a table has several. */
  readonly model?: string | undefined;
  /** The slug of what values are that the data do not name. */
  readonly as?: string;
  /** The unit of the reader's choice by that of the data. */
  readonly units: Readonly<Record<string, string>>;
}

/** The view that the page begins with. */
export const FIRST_VIEW: View = {
  partial: false,
  holds: {},
  conditions: [],
  outer: 0.05,
  inner: 0.25,
  thresholds: {},
  members: true,
  steps: false,
  sampling: false,
  normal: false,
  method: 'field',
  units: {},
};

/** The probability of the band of sampling error. */
export const SAMPLING_LEVEL = 0.9;

/** The quantiles of a view, ascending. */
export function quantilesOf({ outer, inner }: Pick<View, 'outer' | 'inner'>): number[] {
  const lower = [...new Set([outer, inner])].filter((p) => p < 0.5);
  const upper = lower.map((p) => Number((1 - p).toFixed(4)));
  return [...lower, 0.5, ...upper].sort((a, b) => a - b);
}
