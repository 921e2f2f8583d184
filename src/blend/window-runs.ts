import type { Places } from '../ensemble/nearest-place.js';
import { daySpan, type PlacedWindows, type WindowDays } from '../statistics/tiles.js';
import type { Horizon } from './horizon.js';
import type { Pairing } from './pairing/pairing.js';

/** Some horizons to be joined, and how. */
export interface BlendPlan {
  readonly horizons: readonly Horizon[];
  readonly pairing: Pairing;
  /** The places of the cells, which a pairing by regions needs. */
  readonly places?: Places;
  /** Whether members are to be paired on the way, and the tables of the pairing to be filled. */
  readonly isOpen: boolean;
  /** The number of the timeline's days. */
  readonly days: number;
}

/** Consecutive windows of a timeline. */
export interface WindowRun {
  readonly first: number;
  readonly count: number;
  /**
   * The horizon that has all their days, whichever member a trajectory is; undefined where members switch in a window,
   * or days are missing.
   */
  readonly horizon?: number;
}

/** Days from `from` to `to` (exclusive). */
export interface Days {
  readonly from: number;
  readonly to: number;
}

/** Divides windows, in order, into those of each horizon and those between. */
export function windowRuns(plan: BlendPlan, windows: PlacedWindows): WindowRun[] {
  const { horizons, pairing } = plan;
  const unmixed = horizons.map(({ field }, h): Days => {
    const own = field.firstDay - pairing.firstDay;
    const from = h === 0 ? 0 : pairing.seams[h - 1].complete - pairing.firstDay;
    const to = h === horizons.length - 1 ? plan.days : pairing.seams[h].handOver - pairing.firstDay;
    const end = Math.min(own + field.days, pairing.horizons[h].lastDay + 1 - pairing.firstDay);
    return { from: Math.max(from, own), to: Math.min(to, end) };
  });
  const runs: WindowRun[] = [];
  for (let window = 0; window < windows.table.count; window++) {
    const [first, end] = daySpan(windows, window, 1);
    const found = unmixed.findIndex(({ from, to }) => first >= from && end <= to);
    const horizon = found < 0 ? undefined : found;
    const last = runs.at(-1);
    if (last !== undefined && last.horizon === horizon) runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ first: window, count: 1, horizon });
  }
  return runs;
}

/** The windows of a run. */
export function windowsOfRun({ firstDay, first, days }: WindowDays, run: WindowRun): WindowDays {
  const end = run.first + run.count;
  return { firstDay, count: run.count, first: first.subarray(run.first, end), days: days.subarray(run.first, end) };
}

/** Whether some days of a timeline, day numbers, may come from a horizon. */
export function mayHave({ horizons, pairing }: BlendPlan, h: number, { from, to }: Days): boolean {
  const { seams } = pairing;
  return (h === 0 || to > seams[h - 1].handOver) && (h === horizons.length - 1 || from < seams[h].complete);
}

/**
 * The days of a horizon, day numbers, that are needed one by one: to pair its members, and for windows in which members
 * switch. There may be none, and some may be days that it does not have.
 */
export function singleDays(plan: BlendPlan, windows: PlacedWindows, runs: readonly WindowRun[], h: number): Days {
  const { horizons, pairing } = plan;
  const { seams, firstDay } = pairing;
  const needed: Days[] = runs
    .filter(({ horizon }) => horizon === undefined)
    .map(({ first, count }) => daySpan(windows, first, count))
    .map(([from, to]) => ({ from: firstDay + from, to: firstDay + to }))
    .filter((days) => mayHave(plan, h, days));
  const paired = (from: number, days: number) => needed.push({ from, to: from + days });
  if (plan.isOpen && h > 0) {
    const { comparedLater, comparedDays, handOver, complete } = seams[h - 1];
    paired(comparedLater, comparedDays);
    paired(handOver, 1);
    paired(complete, 1);
  }
  if (plan.isOpen && h < horizons.length - 1) {
    const { comparedEarlier, comparedDays, handOver, complete } = seams[h];
    paired(comparedEarlier, comparedDays);
    paired(handOver - 1, 1);
    paired(complete - 1, 1);
  }
  if (needed.length === 0) return { from: firstDay, to: firstDay };
  return { from: Math.min(...needed.map(({ from }) => from)), to: Math.max(...needed.map(({ to }) => to)) };
}
