import type { Table } from 'apache-arrow';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError, isPlumecastError, mentionOption, OptionError } from '../../errors.js';
import { unitsAgree } from '../../variable/units-agree.js';
import { withCoordinates } from '../columns/coordinates.js';
import type { ReadOptions } from '../columns/read-options.js';
import { type EnsembleRows, type RowReading, readHead, readRows, type TableHead } from './read-ensemble.js';

/** What is known of the first rows, without the memory that holds them. */
interface FirstRows {
  readonly head: TableHead;
  readonly hasPlaces: boolean;
  readonly listSize?: number;
  readonly rowsBefore: number;
}

/** Reads the rows of tables of one schema that come one after the other. */
export class RowReader {
  readonly #options: ReadOptions;
  readonly #headOf: ((table: Table) => TableHead) | undefined;
  readonly #reading: RowReading;
  #rowsBefore = 0;
  #first?: FirstRows;

  /** `headOf` reads the head of each table; by default it is read as `readHead` does. */
  constructor(
    options: ReadOptions,
    { headOf, ...reading }: RowReading & { readonly headOf?: (table: Table) => TableHead } = {},
  ) {
    this.#options = options;
    this.#headOf = headOf;
    this.#reading = reading;
  }

  /** The rows of the next table. Throws as `readEnsemble` does, with rows counted from the first table on. */
  read(table: Table): EnsembleRows {
    const rows = this.#read(table);
    this.#rowsBefore += table.numRows;
    const { head, index, members } = rows;
    const listSize = head.values.form === 'list' ? members.length : undefined;
    this.#first ??= { head, hasPlaces: index.latitude !== undefined, listSize, rowsBefore: index.rowsBefore };
    assertConsistentRows(rows, this.#first);
    return rows;
  }

  /** An ensemble of parts whose places may be in the metadata of `table`; undefined without parts. */
  ensemble(parts: readonly EnsemblePart[], table: Table): Ensemble | undefined {
    if (parts.length === 0 || this.#first === undefined) return undefined;
    const { variable, units, metadata } = this.#first.head;
    return { variable, units, metadata, parts: withCoordinates(parts, table) };
  }

  #read(table: Table): EnsembleRows {
    try {
      const reading = { ...this.#reading, listSize: this.#first?.listSize };
      const rows = readRows(table, this.#head(table), this.#options.source, reading);
      return { ...rows, index: { ...rows.index, rowsBefore: this.#rowsBefore } };
    } catch (error) {
      throw isPlumecastError(error, 'data') ? shiftRow(error, this.#rowsBefore) : error;
    }
  }

  /** The head of the first table, unless rows of later tables may state another variable or units. */
  #head(table: Table): TableHead {
    if (this.#headOf !== undefined) return this.#headOf(table);
    const head = this.#first?.head;
    const isInRows = head?.roles.variable !== undefined || head?.roles.units !== undefined;
    return head === undefined || isInRows ? readHead(table, this.#options) : head;
  }
}

/** The error of a table, with its row counted from the first table on. */
export function shiftRow(error: DataError, rowsBefore: number): DataError {
  if (error.row === undefined || rowsBefore === 0) return error;
  const { source, row, column, problem, received, allowed, cause } = error;
  return new DataError({ source, row: row + rowsBefore, column, problem, received, allowed, cause });
}

/**
 * Throws if rows of a stream state another variable or other units than its first rows, or have coordinates where those
 * have none.
 */
function assertConsistentRows({ head, index }: EnsembleRows, first: FirstRows): void {
  const { source, roles, rowsBefore } = index;
  const { variable, units } = head;
  if (variable?.slug !== first.head.variable?.slug) {
    throw new OptionError({
      subject: source === undefined ? 'variable' : `${source}, variable`,
      problem: 'the table holds several',
      received: [first.head, head].map((each) => each.variable?.slug ?? 'one that is not known').join(', '),
      allowed: `one of them, by ${mentionOption('variable')}`,
    });
  }
  if (units !== undefined && first.head.units !== undefined && !unitsAgree(units, first.head.units)) {
    throw new DataError({
      source,
      row: rowsBefore + 1,
      column: roles.units,
      problem: `mixed ${roles.units}`,
      received: units,
      allowed: `${first.head.units}, as in the rows before`,
    });
  }
  if ((index.latitude !== undefined) !== first.hasPlaces) {
    throw new DataError({
      source,
      row: (index.latitude === undefined ? rowsBefore : first.rowsBefore) + 1,
      column: roles.latitude,
      problem: 'missing coordinate',
      received: null,
      allowed: 'a number of degrees in every row, or in none',
    });
  }
}
