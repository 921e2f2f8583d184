import type { Horizon } from '../../blend/horizon.js';
import { LAST_LEADS, OVERLAP_DAYS } from '../../blend/join-options.js';
import type { PairFieldsOptions } from '../../blend/pairing/pair-fields.js';
import type { Pairing } from '../../blend/pairing/pairing.js';
import type { TimelinePlan } from '../../blend/plan-timeline.js';
import { MemberColumn } from '../../core/member-column.js';
import type { HorizonRange } from '../../respond/answer-data.js';
import type { HorizonName } from '../../variable/availability.js';

/**
 * Replaces horizons without a variable by fields of missing values, for the horizons that were paired, from the first
 * on.
 */
export function fillMissingHorizons(horizons: readonly (Horizon | undefined)[], pairing: Pairing): Horizon[] {
  const known = horizons.find((horizon) => horizon !== undefined) as Horizon;
  return horizons.map((horizon, h) => {
    if (horizon !== undefined) return horizon;
    const { name, firstDay, lastDay, members: count } = pairing.horizons[h];
    const days = lastDay - firstDay + 1;
    const missing = new Float32Array(known.field.cells * days).fill(Number.NaN);
    const members = Array.from({ length: count }, () => new MemberColumn('missing', [{ values: missing }]));
    return { name, field: { ...known.field, firstDay, days, members } };
  });
}

/** The options that join the horizons of a service, whichever it has: a gap between two horizons stays a gap. */
export function seamOptions(horizons: readonly HorizonName[], pairBy: readonly string[]): PairFieldsOptions {
  return {
    ...{ method: 'field', pairBy, keepGaps: true },
    overlaps: horizons.slice(0, -1).map((horizon) => OVERLAP_DAYS[horizon as keyof typeof OVERLAP_DAYS]),
    lastLeads: horizons.map((horizon) => LAST_LEADS[horizon]),
  };
}

/**
 * The days that come from each horizon in a variable's timeline of `days` days; undefined in `available` is a horizon
 * without the variable.
 */
export function horizonRanges(
  available: readonly (object | undefined)[],
  { firstDay: first, horizons, seams }: TimelinePlan,
  days: number,
): HorizonRange[] {
  return available.flatMap((horizon, h) => {
    const firstDay = h === 0 ? first : seams[h - 1].handOver;
    const lastDay = Math.min(horizons[h].lastDay, first + days - 1);
    if (horizon === undefined || lastDay < firstDay) return [];
    return { horizon: horizons[h].name as HorizonName, firstDay, lastDay };
  });
}
