import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import type { ReadOptions } from '../columns/read-options.js';
import { createBlocks, locationRuns } from './blocks-by-location.js';
import { createParts } from './fields-of-rows.js';
import { OpenLocation } from './open-location.js';
import { RowReader } from './row-reader.js';

/**
 * Turns rows by location that come table by table into ensembles of complete locations: the last location of a table
 * may continue in the next one, and is kept until then. About 40 bytes are kept of each place, as no place may come
 * twice.
 */
export class LocationStream {
  readonly #reader: RowReader;
  readonly #places = new PlaceRows();
  #open?: OpenLocation;

  constructor(options: ReadOptions) {
    this.#reader = new RowReader(options);
  }

  /**
   * Adds a table and returns the locations that are complete now; undefined if there are none. Values are views of the
   * table. All tables have the same schema. Throws as `readEnsemble` does, with rows counted from the first table on.
   */
  add(table: Table): Ensemble | undefined {
    const rows = this.#reader.read(table);
    const { index, members, type } = rows;
    const from = this.#open?.append(rows) ?? 0;
    if (from === table.numRows) return undefined;
    const runs = locationRuns(index, this.#places, from);
    const closed = this.#open?.parts() ?? [];
    this.#open = new OpenLocation(rows, runs[runs.length - 1]);
    const complete = createParts(index, createBlocks(index, runs.slice(0, -1)), members, type);
    return this.#reader.ensemble([...closed, ...complete], table);
  }

  /** Returns the last location of the last table; undefined if there was no table. */
  end(): Ensemble | undefined {
    const open = this.#open;
    return open && this.#reader.ensemble(open.parts(), open.table);
  }
}
