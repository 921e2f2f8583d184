import { type RecordBatch, Table } from 'apache-arrow';
import { walkArrowMessages } from '../formats/arrow-messages.js';
import { tableOfMessages } from '../formats/arrow-read.js';
import { registerCodecs } from '../formats/compression.js';

/** Batches of fewer rows are put together: the work on a table has its price. */
const FEWEST_ROWS = 8_192;

/**
 * The batches of a run of Arrow messages, schema first, as tables: long batches one by one, so that their columns lie in one piece,
 * short ones together. Nothing is copied. Throws FormatError, and PackageError where a codec is not installed.
 */
export async function tablesOfMessages(bytes: Uint8Array, source: string): Promise<Table[]> {
  const { compressions } = walkArrowMessages(bytes, { start: 0, end: bytes.length, hasSchema: false }, source);
  await registerCodecs(compressions, source);
  const tables = [];
  const groups = new BatchGroups();
  for (const batch of tableOfMessages(bytes, source).batches) {
    const table = groups.add(batch);
    if (table !== undefined) tables.push(table);
  }
  const last = groups.end();
  return last === undefined ? tables : [...tables, last];
}

/** Puts neighbouring batches of one schema together until they have some thousand rows. */
export class BatchGroups {
  #batches: RecordBatch[] = [];
  #rows = 0;

  /** The table that is long enough with this batch; undefined where there is none yet. */
  add(batch: RecordBatch): Table | undefined {
    if (batch.numRows === 0) return undefined;
    this.#batches.push(batch);
    this.#rows += batch.numRows;
    return this.#rows < FEWEST_ROWS ? undefined : this.end();
  }

  /** The table of the batches that are left; undefined where there are none. */
  end(): Table | undefined {
    if (this.#rows === 0) return undefined;
    const table = new Table(this.#batches);
    this.#batches = [];
    this.#rows = 0;
    return table;
  }
}
