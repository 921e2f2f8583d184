import { Table, tableToIPC } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { DataError } from '../errors.js';
import { tableFromIpc } from '../files/arrow/arrow-read.js';
import type { TableInput } from './input.js';

/** The maximum size of tables that have to be read together. */
const MAX_BYTES = 1_073_741_824;

/** Rows that have to be read together are too large. */
export class TooLargeError extends DataError {}

/** Collects tables whose rows have to be read together, up to 1 GiB. */
export class TableCollector {
  readonly #source: string | undefined;
  readonly #areViews: boolean;
  readonly #tables: Table[] = [];
  #bytes = 0;

  /** `areViews` says that tables are views of memory that is reused, so that they have to be copied. */
  constructor(source: string | undefined, areViews: boolean) {
    this.#source = source;
    this.#areViews = areViews;
  }

  /**
   * Adds a table; `reason` says why tables are collected, and `otherwise` what else helps where they are too large, for
   * which it throws TooLargeError.
   */
  add(table: Table, reason: string, otherwise = ''): void {
    this.#bytes += table.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (this.#bytes > MAX_BYTES) {
      throw new TooLargeError({
        source: this.#source,
        problem: `is too large to be read at once, which it has to be: ${reason}`,
        received: `more than ${MAX_BYTES} bytes`,
        allowed: `at most that; or rows by location, all of a location together: a file with the same members everywhere, or a stream with a column for each member${otherwise}`,
      });
    }
    this.#tables.push(this.#areViews ? tableFromIpc(tableToIPC(table, 'stream')) : table);
  }

  /** All tables as one. */
  table(): Table {
    return new Table(this.#tables.flatMap(({ batches }) => batches));
  }
}

/**
 * Reads all rows of a table, of 1 GiB at most; `reason` says why they have to be read together. Throws as
 * `tablesOfFile` does, and DataError.
 */
export async function collectTable(core: Core, input: TableInput, reason: string): Promise<Table> {
  const collector = new TableCollector(input.source, input.areViews);
  for await (const table of input.tables(core)) collector.add(table, reason);
  return collector.table();
}
