import { MemberColumn } from '../core/member-column.js';
import { floatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import type { Ensemble } from './ensemble.js';

/** The members of an ensemble that is divided into parts: their names, or of columns and lists their number. */
export type WholeMembers = readonly string[] | number;

/**
 * A part of a divided ensemble with the members of the whole, in their order: members without values are missing. Values
 * are not copied. Throws DataError for a member that the whole does not have, or another number of members.
 */
export function withWholeMembers(ensemble: Ensemble, whole: WholeMembers, source?: string): Ensemble {
  const parts = ensemble.parts.map((part) => {
    const { members, type, cells, days, place } = part.field;
    if (typeof whole === 'number') {
      assertMemberCount(members.length, whole, source);
      return part;
    }
    const known = new Map(members.map((member) => [member.name, member]));
    assertNames([...known.keys()], whole, source);
    const missing = known.size < whole.length ? floatArray(type, cells * days).fill(Number.NaN) : undefined;
    const all = whole.map((name) => known.get(name) ?? new MemberColumn(name, missing ? [{ values: missing }] : []));
    const placeOf = place && ((m: number, row: number) => place(members.indexOf(all[m]), row));
    return { ...part, field: { ...part.field, members: all, place: placeOf } };
  });
  return { ...ensemble, parts };
}

/** Throws DataError where a part has another number of members than the whole. */
export function assertMemberCount(received: number, members: WholeMembers, source?: string): void {
  const whole = typeof members === 'number' ? members : members.length;
  if (received === whole) return;
  const problem = 'the part has another number of members than the whole';
  throw new DataError({ source, problem, received, allowed: `${whole}` });
}

function assertNames(names: readonly string[], whole: readonly string[], source?: string): void {
  const all = new Set(whole);
  const other = names.find((name) => !all.has(name));
  if (other === undefined) return;
  const some = whole.length > 10 ? [...whole.slice(0, 10), '...'] : whole;
  const problem = 'the part has a member that the whole does not have';
  throw new DataError({ source, problem, received: other, allowed: some.join(', ') });
}
