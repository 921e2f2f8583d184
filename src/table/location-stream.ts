import type { Table } from 'apache-arrow';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { PlaceRows } from '../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../errors.js';
import { assertConsistentRows } from './assert-consistent-rows.js';
import { blocksOfRuns, locationRuns } from './blocks-by-location.js';
import { withCoordinates } from './coordinates.js';
import { fieldsOfBlocks } from './fields-of-rows.js';
import { OpenLocation } from './open-location.js';
import { type EnsembleRows, readHead, readRows, type TableHead } from './read-ensemble.js';
import type { ReadOptions } from './read-options.js';

/**
 * Rows by location that come table by table, put together to ensembles of whole locations: what a table ends with may go on in
 * the next one, and is kept until then. Beside it some 40 bytes are kept of each place, as none may come twice.
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
   * The locations that are whole now; undefined where none is. Values are views of the table. All tables have one schema. Throws as
   * `readEnsemble` does, rows counted from the first table on.
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
    const whole = fieldsOfBlocks(index, blocksOfRuns(index, runs.slice(0, -1)), members, type);
    return this.#ensemble([...closed, ...whole], table);
  }

  /** The location that the last table ended with; undefined where there was no table. */
  end(): Ensemble | undefined {
    const open = this.#open;
    return open && this.#ensemble(open.parts(), open.table);
  }

  #read(table: Table): EnsembleRows {
    try {
      const rows = readRows(table, this.#horizonHead(table), this.#options.source);
      return { ...rows, index: { ...rows.index, rowsBefore: this.#rowsBefore } };
    } catch (error) {
      throw isPlumecastError(error, 'data') ? inStream(error, this.#rowsBefore) : error;
    }
  }

  /** That of the first table where nothing in the rows of others can say otherwise. */
  #horizonHead(table: Table): TableHead {
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

/** The error of a table with its row counted from the first table on. */
export function inStream(error: DataError, rowsBefore: number): DataError {
  if (error.row === undefined || rowsBefore === 0) return error;
  const { source, row, column, problem, received, allowed, cause } = error;
  return new DataError({ source, row: row + rowsBefore, column, problem, received, allowed, cause });
}
