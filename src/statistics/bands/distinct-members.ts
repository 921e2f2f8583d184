import { parseDate } from '../../period/day.js';

/** The members of one horizon of a timeline, and the days that may come from it. */
interface HorizonMembers {
  readonly from: number;
  readonly to: number;
  readonly members: number;
}

/**
 * The horizons of a timeline, by the metadata that `blend` writes: one with fewer members than the timeline repeats some
 * of them, which say nothing new. None for other ensembles.
 */
export function horizonMembers(metadata: ReadonlyMap<string, string>): HorizonMembers[] {
  try {
    const stated: unknown = JSON.parse(metadata.get('horizons') ?? '[]');
    if (!Array.isArray(stated)) return [];
    return stated.flatMap(({ start, end, hand_over: handOver, members }) => {
      const horizon = { from: parseDate(handOver ?? start), to: parseDate(end), members };
      return Number.isSafeInteger(members) && members > 0 ? horizon : [];
    });
  } catch {
    // Others may have written it.
    return [];
  }
}

/** The number of distinct members of a window: at most those of any horizon with a day of it. */
export function distinctMembers(horizons: readonly HorizonMembers[], start: number, end: number): number {
  const within = horizons.filter(({ from, to }) => from <= end && to >= start);
  return Math.min(...within.map(({ members }) => members), Number.POSITIVE_INFINITY);
}
