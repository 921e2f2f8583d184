import type { Horizon } from '../../blend/horizon.js';
import type { Pairing } from '../../blend/pairing.js';
import { MemberColumn } from '../../core/member-column.js';

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
