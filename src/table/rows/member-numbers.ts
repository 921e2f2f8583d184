import { DataError } from '../../errors.js';
import { type CodedColumn, codedColumn, type RepeatFinder } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import type { EnsembleRows } from './read-rows.js';

/**
 * Replaces the code of each row that is used by the number of its member among `names`, to which new ones are added in
 * the order of their first rows. Throws a DataError for a row without a member.
 */
export function numberMembers(
  { index: { source, rowsBefore, roles }, head: { use } }: EnsembleRows,
  { codes, values }: CodedColumn,
  names: string[],
): void {
  const numberOf: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    if (use !== undefined && !use(row)) continue;
    const code = codes[row];
    if (code < 0) {
      const where = { source, row: rowsBefore + row + 1, column: roles.member };
      throw new DataError({ ...where, problem: 'missing member', received: null, allowed: 'a number or name' });
    }
    codes[row] = numberOf[code] ??= memberNumber(values[code], names);
  }
}

/** The number of a member, which is added if it is new. */
function memberNumber(value: unknown, names: string[]): number {
  const name = String(value);
  if (!names.includes(name)) names.push(name);
  return names.indexOf(name);
}

/** The members of long tables of one schema, which come one after the other. */
export class MemberNumbers {
  readonly names: string[] = [];
  /** The members as they are stored; those of rows that are not used, too. */
  #values: readonly unknown[] = [];
  #areAllUsed = true;

  /**
   * The number of the member of each row that is used. `codes` is memory for the numbers, and `repeats` as in
   * `codedColumn`. Throws as `numberMembers` does.
   */
  of(rows: EnsembleRows, codes?: Int32Array, repeats?: RepeatFinder): Int32Array {
    const { table, roles } = rows.index;
    const members = codedColumn(columnOf(table, roles.member as string), codes, this.#values, repeats);
    this.#values = members.values;
    this.#areAllUsed &&= rows.head.use === undefined;
    if (this.#areAllUsed && !members.codes.includes(-1)) {
      const numbers = members.values.map((value) => memberNumber(value, this.names));
      if (numbers.every((number, code) => number === code)) return members.codes;
    }
    numberMembers(rows, members, this.names);
    return members.codes;
  }
}
