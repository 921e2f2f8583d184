import type { Table } from 'apache-arrow';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { PlaceRows } from '../ensemble/place-rows.js';
import { DataError, isPlumecastError, mentionOption, OptionError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import { createBlocks, locationRuns } from './blocks-by-location.js';
import { withCoordinates } from './coordinates.js';
import { createParts } from './fields-of-rows.js';
import { OpenLocation } from './open-location.js';
import { type EnsembleRows, readHead, readRows, type TableHead } from './read-ensemble.js';
import type { ReadOptions } from './read-options.js';

/**
 * Turns rows by location that come table by table into ensembles of complete locations: the last location of a table may
 * continue in the next one, and is kept until then. About 40 bytes are kept of each place, as no place may come twice.
 */
export class LocationStream {
  readonly #options: ReadOptions;
  readonly #places = new PlaceRows();
  #rowsBefore = 0;
  #first?: EnsembleRows;
  #open?: OpenLocation;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /**
   * Adds a table and returns the locations that are complete now; undefined if there are none. Values are views of the table.
   * All tables have the same schema. Throws as `readEnsemble` does, with rows counted from the first table on.
   */
  add(table: Table): Ensemble | undefined {
    const rows = this.#read(table);
    this.#rowsBefore += table.numRows;
    this.#first ??= rows;
    assertConsistentRows(rows, this.#first);
    const { index, members, type } = rows;
    const from = this.#open?.append(rows) ?? 0;
    if (from === table.numRows) return undefined;
    const runs = locationRuns(index, this.#places, from);
    const closed = this.#open?.parts() ?? [];
    this.#open = new OpenLocation(rows, runs[runs.length - 1]);
    const complete = createParts(index, createBlocks(index, runs.slice(0, -1)), members, type);
    return this.#ensemble([...closed, ...complete], table);
  }

  /** Returns the last location of the last table; undefined if there was no table. */
  end(): Ensemble | undefined {
    const open = this.#open;
    return open && this.#ensemble(open.parts(), open.table);
  }

  #read(table: Table): EnsembleRows {
    try {
      const rows = readRows(table, this.#head(table), this.#options.source);
      return { ...rows, index: { ...rows.index, rowsBefore: this.#rowsBefore } };
    } catch (error) {
      throw isPlumecastError(error, 'data') ? shiftRow(error, this.#rowsBefore) : error;
    }
  }

  /** The head of the first table, unless rows of later tables may state another variable or units. */
  #head(table: Table): TableHead {
    const head = this.#first?.head;
    const isInRows = head?.roles.variable !== undefined || head?.roles.units !== undefined;
    return head === undefined || isInRows ? readHead(table, this.#options) : head;
  }

  #ensemble(parts: readonly EnsemblePart[], table: Table): Ensemble | undefined {
    if (parts.length === 0 || this.#first === undefined) return undefined;
    const { variable, units, metadata } = this.#first.head;
    return { variable, units, metadata, parts: withCoordinates(parts, table) };
  }
}

/** The error of a table, with its row counted from the first table on. */
export function shiftRow(error: DataError, rowsBefore: number): DataError {
  if (error.row === undefined || rowsBefore === 0) return error;
  const { source, row, column, problem, received, allowed, cause } = error;
  return new DataError({ source, row: row + rowsBefore, column, problem, received, allowed, cause });
}

/** Throws if rows of a stream state another variable or other units than its first rows, or have coordinates where those have none. */
function assertConsistentRows({ head, index }: EnsembleRows, first: EnsembleRows): void {
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
  if ((index.latitude === undefined) !== (first.index.latitude === undefined)) {
    throw new DataError({
      source,
      row: (index.latitude === undefined ? rowsBefore : first.index.rowsBefore) + 1,
      column: roles.latitude,
      problem: 'missing coordinate',
      received: null,
      allowed: 'a number of degrees in every row, or in none',
    });
  }
}
