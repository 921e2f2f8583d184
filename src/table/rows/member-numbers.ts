import { DataError } from '../../errors.js';
import { codedColumn, type RepeatFinder } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import type { EnsembleRows } from './read-rows.js';

/** The members of long tables of one schema, numbered in the order of their first rows. */
export class MemberNumbers {
  #names: string[] = [];
  /** The members as they are stored; those of rows that are not used, too. */
  #values: readonly unknown[] = [];
  #areAllUsed = true;

  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * The number of the member of each row that is used. `codes` is memory for the numbers, and `repeats` as in
   * `codedColumn`. Throws a DataError for a row without a member.
   */
  of({ index, head: { use } }: EnsembleRows, codes?: Int32Array, repeats?: RepeatFinder): Int32Array {
    const { table, roles, source, rowsBefore } = index;
    const column = roles.member as string;
    const members = codedColumn(columnOf(table, column), codes, this.#values, repeats);
    const numbers = members.codes;
    this.#values = members.values;
    this.#areAllUsed &&= use === undefined;
    const missing = (row: number) => {
      const where = { source, row: rowsBefore + row + 1, column };
      return new DataError({ ...where, problem: 'missing member', received: null, allowed: 'a number or name' });
    };
    if (this.#areAllUsed) {
      const row = numbers.indexOf(-1);
      if (row >= 0) throw missing(row);
      const numberOf = Int32Array.from(members.values, (value) => this.#numberOf(value));
      if (numberOf.every((number, code) => number === code)) return numbers;
      for (let row = 0; row < numbers.length; row++) numbers[row] = numberOf[numbers[row]];
      return numbers;
    }
    const numberOf: number[] = [];
    for (let row = 0; row < numbers.length; row++) {
      if (use !== undefined && !use(row)) continue;
      const code = numbers[row];
      if (code < 0) throw missing(row);
      numbers[row] = numberOf[code] ??= this.#numberOf(members.values[code]);
    }
    return numbers;
  }

  /** The number of a member, which is added if it is new. */
  #numberOf(value: unknown): number {
    const name = String(value);
    const known = this.#names.indexOf(name);
    return known >= 0 ? known : this.#names.push(name) - 1;
  }
}
