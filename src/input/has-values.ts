import type { Table } from 'apache-arrow';
import type { MemberColumn } from '../core/member-column.js';
import { type FloatType, floatArray } from '../core/number-arrays.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { DataError, mentionOption } from '../errors.js';
import type { ResultCube, ResultValues } from '../files/cf/content/result-cube.js';
import { findColumn } from '../table/arrow/table-schema.js';

/** Watches results as they are written: results of which all are missing are an error. */
export class ValueCheck {
  readonly #source: string;
  #hasResults = false;
  #hasValues = false;
  /** The most valid members of a window. */
  #most = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Passes tables on. Throws as `end` does after the last one. */
  async *tables(tables: AsyncIterable<Table>): AsyncGenerator<Table> {
    for await (const table of tables) {
      const mean = findColumn(table, 'mean');
      this.#hasResults ||= mean !== undefined && mean.length > 0;
      this.#hasValues ||= mean !== undefined && mean.nullCount < mean.length;
      if (!this.#hasValues) this.#countMembers(findColumn(table, 'n_members')?.toArray() ?? []);
      yield table;
    }
    this.end();
  }

  /** The same results on their grid; `end` is called when they are written. */
  cube(results: ResultCube): ResultCube {
    const mean = results.columns.findIndex(({ name }) => name === 'mean');
    const members = results.columns.findIndex(({ name }) => name === 'n_members');
    const seen = (column: number, values: ResultValues) => {
      if (column === mean) {
        this.#hasResults ||= values.length > 0;
        this.#hasValues ||= values.some((value) => !Number.isNaN(value));
      }
      if (column === members && !this.#hasValues) this.#countMembers(values);
      return values;
    };
    return {
      ...results,
      read: (column, window, count) => {
        const values = results.read(column, window, count);
        return values instanceof Promise ? values.then((read) => seen(column, read)) : seen(column, values);
      },
    };
  }

  #countMembers(counts: ArrayLike<number>): void {
    for (let i = 0; i < counts.length; i++) this.#most = Math.max(this.#most, counts[i]);
  }

  /** Throws DataError where all results are missing. */
  end(): void {
    if (!this.#hasResults || this.#hasValues) return;
    const isEmpty = this.#most === 0;
    throw new DataError({
      source: this.#source,
      problem: isEmpty ? 'has no value in any window' : 'has no window with enough valid members',
      ...(!isEmpty && { received: `${this.#most} at most` }),
      allowed: `days with values for each member of a window${isEmpty ? '' : `; or a smaller ${mentionOption('minMemberShare')}`}`,
    });
  }
}

/** Watches daily values as they are read: an output of which all are missing is an error. */
export class DailyValueCheck {
  readonly #source: string;
  #hasValues = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the part. */
  see(part: EnsemblePart): EnsemblePart {
    this.#hasValues ||= hasValues(part);
    return part;
  }

  /** Throws DataError where all values were missing. */
  end(): void {
    if (!this.#hasValues) throw noValues(this.#source);
  }
}

/** The error for an input that has no value at all. */
export function noValues(source: string): DataError {
  return new DataError({
    source,
    problem: 'has no value: all are missing',
    allowed: 'a value of some member on some day',
  });
}

/** Whether some value is not missing. */
export function hasValues({ field: { members, type } }: Pick<EnsemblePart, 'field'>): boolean {
  return members.some((member) => hasValue(member, type));
}

/** Whether some value of a member is not missing, of the rows from `from` to `to` (exclusive). */
export function hasValue(member: MemberColumn, type: FloatType, from = 0, to = member.length): boolean {
  // Mostly the first value tells.
  let size = 16;
  while (from < to) {
    const run = floatArray(type, Math.min(size, to - from));
    member.copyTo(run, 0, from, from + run.length);
    for (let i = 0; i < run.length; i++) if (!Number.isNaN(run[i])) return true;
    from += run.length;
    size = 4096;
  }
  return false;
}
