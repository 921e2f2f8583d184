import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';
import { sourceOf } from './horizon.js';

/** The days of a horizon, day numbers, both inclusive. */
export interface HorizonDays {
  readonly name: string;
  /** The name of its data in messages. Default: its own name. */
  readonly source?: string;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Where one horizon hands over to the next; all are day numbers. */
export interface SeamDays {
  /** The days that both horizons have and in which members switch; 0 where the horizons only touch. */
  readonly overlapDays: number;
  /** The first day on which a member may come from the later horizon. */
  readonly handOver: number;
  /** The first day on which all members come from the later horizon. */
  readonly complete: number;
  /**
   * The number of days on which members are compared, and the first of them in the earlier and in the later horizon.
   */
  readonly comparedDays: number;
  readonly comparedEarlier: number;
  readonly comparedLater: number;
}

/** The days of a timeline, and the horizons that they come from. */
export interface TimelinePlan {
  readonly firstDay: number;
  readonly days: number;
  /** The days used of each horizon. */
  readonly horizons: readonly HorizonDays[];
  /** One between each two horizons. */
  readonly seams: readonly SeamDays[];
}

export interface PlanOptions {
  /** The maximum number of days of overlap at each seam. */
  readonly overlaps: readonly number[];
  /** The last day used of each horizon, counted from the timeline's first day (0); undefined for all. */
  readonly lastLeads: readonly (number | undefined)[];
  /** Whether days that no horizon has may lie between two of them. */
  readonly keepGaps: boolean;
}

/**
 * Plans a timeline from the first day of the first horizon to the last day of the last. Throws DataError where a
 * horizon adds no day to those before it, or does not follow them without a gap.
 */
export function planTimeline(available: readonly HorizonDays[], options: PlanOptions): TimelinePlan {
  const { firstDay } = available[0];
  const horizons = available.map((horizon, h) => usedDays(horizon, firstDay, options.lastLeads[h]));
  const seams: SeamDays[] = [];
  for (let h = 1; h < horizons.length; h++) {
    const unmixedFrom = seams[h - 2]?.complete ?? firstDay;
    seams.push(seamBetween(horizons[h - 1], horizons[h], unmixedFrom, options.overlaps[h - 1], options.keepGaps));
  }
  return { firstDay, days: horizons[horizons.length - 1].lastDay - firstDay + 1, horizons, seams };
}

/** The days of a horizon from the timeline's first day to the last that is used. */
function usedDays(horizon: HorizonDays, timelineFirst: number, lastLead = Number.POSITIVE_INFINITY): HorizonDays {
  const firstDay = Math.max(horizon.firstDay, timelineFirst);
  const lastDay = Math.min(horizon.lastDay, timelineFirst + lastLead);
  if (lastDay >= firstDay) return { ...horizon, firstDay, lastDay };
  throw new DataError({
    source: sourceOf(horizon),
    problem: 'none of its days belong to the timeline',
    received: spanText(horizon),
    allowed: `days from ${formatDate(timelineFirst)}${Number.isFinite(lastLead) ? ` to ${formatDate(timelineFirst + lastLead)}` : ' on'}`,
  });
}

/** `unmixedFrom` is the first day on which all members come from the earlier horizon. */
function seamBetween(
  earlier: HorizonDays,
  later: HorizonDays,
  unmixedFrom: number,
  mostDays: number,
  keepGaps: boolean,
): SeamDays {
  if (later.lastDay <= earlier.lastDay) {
    throw new DataError({
      source: sourceOf(later),
      problem: `adds no day to ${sourceOf(earlier)}`,
      received: spanText(later),
      allowed: `a horizon that ends after ${formatDate(earlier.lastDay)}; horizons are given from the shortest to the longest`,
    });
  }
  const next = earlier.lastDay + 1;
  if (later.firstDay > next && !keepGaps) {
    throw new DataError({
      source: sourceOf(later),
      problem: `does not overlap or touch ${sourceOf(earlier)}`,
      received: spanText(later),
      allowed: `a horizon that begins by ${formatDate(next)}; ${sourceOf(earlier)} ends on ${formatDate(earlier.lastDay)}`,
    });
  }
  const overlapDays = Math.max(0, Math.min(mostDays, next - Math.max(unmixedFrom, later.firstDay)));
  if (overlapDays > 0) {
    const handOver = next - overlapDays;
    const compared = { comparedDays: overlapDays, comparedEarlier: handOver, comparedLater: handOver };
    return { overlapDays, handOver, complete: next, ...compared };
  }
  const handOver = Math.max(next, later.firstDay);
  const comparedDays = Math.max(1, Math.min(mostDays, next - unmixedFrom, later.lastDay - handOver + 1));
  return {
    overlapDays,
    handOver,
    complete: handOver,
    comparedDays,
    comparedEarlier: next - comparedDays,
    comparedLater: handOver,
  };
}

function spanText({ firstDay, lastDay }: HorizonDays): string {
  return `${formatDate(firstDay)} to ${formatDate(lastDay)}`;
}
