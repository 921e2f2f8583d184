import type { EnsembleField } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { floatArray } from '../core/number-arrays.js';
import { OptionError } from '../errors.js';
import { memberName } from '../table/build/wide-table.js';
import type { Horizon } from './horizon.js';
import type { Pairing } from './pairing/pairing.js';

/*
 * A timeline with all members: behind its trajectories the other members of larger horizons, those that thinning leaves
 * out, on the days on which every trajectory comes from their horizon. On other days they are missing.
 *
 *                 short-term | hand-over | subseasonal | hand-over | seasonal
 *   trajectories  v v v v v    v v v v v   v v v v v v   v v v v v   v v v v
 *   others        . . . . .    . . . . .   v v v v v v   . . . . .   v v . .
 */

/** The metadata of tables with all members whose value is the number of their trajectories. */
export const TRAJECTORIES = 'trajectories';

/** The number of columns of a timeline with all members. */
export function columnsOfAll({ horizons }: Pick<Pairing, 'horizons'>): number {
  return Math.max(...horizons.map(({ members }) => members));
}

/** Adds what a timeline with all members states to its metadata; `names` are the first horizon's members. */
export function stateAllMembers(metadata: Map<string, string>, names: readonly string[], pairing: Pairing): void {
  const all = columnsOfAll(pairing);
  const others = Array.from({ length: all - pairing.members }, (_, m) => memberName(pairing.members + m, all));
  metadata.set('member_names', JSON.stringify([...names, ...others]));
  metadata.set(TRAJECTORIES, `${pairing.members}`);
}

/** Throws OptionError for a pairing by cell: each place has other members of the larger horizon. */
export function assertOnePairing({ method }: Pick<Pairing, 'method'>): void {
  if (method !== 'cell') return;
  const allowed = 'field or splice: with them the timeline has the same members of a larger horizon at all places';
  throw new OptionError({ subject: 'method', problem: 'cannot have all members', received: method, allowed });
}

/**
 * The field of some cells of a timeline, from `cell` on, with the other members of the horizons, whose fields have all
 * cells, behind its own: missing on days of which not all trajectories are of their horizon.
 */
export function withFurtherMembers(
  field: EnsembleField,
  cell: number,
  horizons: readonly Horizon[],
  pairing: Pairing,
): EnsembleField {
  const { type, cells, days, members } = field;
  const all = columnsOfAll(pairing);
  const values = Array.from({ length: all - pairing.members }, () => floatArray(type, cells * days).fill(Number.NaN));
  for (let h = 1; h < horizons.length; h++) {
    const { field: own } = horizons[h];
    const from = Math.max(pairing.seams[h - 1].complete, own.firstDay);
    const lastUsed = Math.min(pairing.horizons[h].lastDay + 1, own.firstDay + own.days, field.firstDay + days);
    const to = Math.min(lastUsed, pairing.seams[h]?.handOver ?? lastUsed);
    if (to <= from) continue;
    for (const [c, m] of membersLeftOut(pairing, h).entries()) {
      for (let i = 0; i < cells; i++) {
        const row = (cell + i) * own.days - own.firstDay;
        own.members[m].copyTo(values[c], i * days + from - field.firstDay, row + from, row + to);
      }
    }
  }
  const others = values.map((own, m) => new MemberColumn(memberName(pairing.members + m, all), [{ values: own }]));
  return { ...field, members: [...members, ...others] };
}

/** The members of a horizon that no trajectory continues as, in their order. */
function membersLeftOut({ seams, regions, horizons }: Pairing, h: number): number[] {
  const chosen = new Set(regions === undefined ? seams[h - 1].member : regions.seams[h - 1].chosen);
  return Array.from({ length: horizons[h].members }, (_, m) => m).filter((m) => !chosen.has(m));
}
