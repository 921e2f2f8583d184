import type { Horizon } from '../../blend/horizon.js';
import { LAST_LEADS, OVERLAP_DAYS } from '../../blend/options.js';
import type { PairFieldsOptions } from '../../blend/pair-fields.js';
import type { Pairing } from '../../blend/pairing.js';
import { MemberColumn } from '../../core/member-column.js';
import type { HorizonName } from '../../variable/availability.js';

/** Horizons that lack a variable, as fields in which all is missing: of those that were paired, from the first on. */
export function withMissing(horizons: readonly (Horizon | undefined)[], pairing: Pairing): Horizon[] {
  const known = horizons.find((horizon) => horizon !== undefined) as Horizon;
  return horizons.map((horizon, h) => {
    if (horizon !== undefined) return horizon;
    const { name, firstDay, lastDay, members: count } = pairing.horizons[h];
    const days = lastDay - firstDay + 1;
    const nothing = new Float32Array(known.field.cells * days).fill(Number.NaN);
    const members = Array.from({ length: count }, () => new MemberColumn('missing', [{ values: nothing }]));
    return { name, field: { ...known.field, firstDay, days, members } };
  });
}

/** How the horizons of a service are joined, whichever there are: a gap between two of them stays a gap. */
export function seamOptions(horizons: readonly HorizonName[], pairBy: string): PairFieldsOptions {
  return {
    ...{ method: 'rank', pairBy, keepGaps: true },
    overlaps: horizons.slice(0, -1).map((horizon) => OVERLAP_DAYS[horizon as keyof typeof OVERLAP_DAYS]),
    lastLeads: horizons.map((horizon) => LAST_LEADS[horizon]),
  };
}
