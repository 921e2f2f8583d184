import type { Table } from 'apache-arrow';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { hasValues, noValues } from '../ensemble/has-values.js';
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
  /** What windows hold, as the metadata of results say it. */
  #window: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Passes tables on. Throws as `end` does after the last one. */
  async *tables(tables: AsyncIterable<Table>): AsyncGenerator<Table> {
    for await (const table of tables) {
      const mean = findColumn(table, 'mean');
      this.#window ??= table.schema.metadata.get('window');
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
    if (isEmpty && this.#window?.startsWith('first day ')) {
      throw new DataError({
        source: this.#source,
        problem: 'has no day in any window that fulfils the condition of its first day',
        received: this.#window,
        allowed: 'a condition that some days fulfil',
      });
    }
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
