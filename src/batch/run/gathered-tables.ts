import { Table, tableToIPC } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { tableFromIpc } from '../../files/arrow/arrow-read.js';

/** Bytes that are gathered at most where rows can only be understood together. */
const MAX_BYTES = 1_073_741_824;

/** Tables that have to be put together before they can be computed, up to 1 GiB. */
export class GatheredTables {
  readonly #source: string | undefined;
  readonly #areViews: boolean;
  readonly #tables: Table[] = [];
  #reason: string | undefined;
  #bytes = 0;

  /** `areViews` says that tables are views of memory that is used again, so that they have to be copied. */
  constructor(source: string | undefined, areViews: boolean) {
    this.#source = source;
    this.#areViews = areViews;
  }

  /** Says why tables are gathered, for messages. */
  because(reason: string | undefined): void {
    this.#reason = reason;
  }

  /** Throws a DataError where the tables become too much. */
  add(table: Table): void {
    this.#bytes += table.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (this.#bytes > MAX_BYTES) {
      throw new DataError({
        source: this.#source,
        problem: `too long to be gathered, as it must be: ${this.#reason}`,
        received: `more than ${MAX_BYTES} bytes`,
        allowed:
          'at most that; or a stream of any length by location: a column for each member, all days of a location together',
      });
    }
    this.#tables.push(this.#areViews ? tableFromIpc(tableToIPC(table, 'stream')) : table);
  }

  whole(): Table {
    return new Table(this.#tables.flatMap(({ batches }) => batches));
  }
}
