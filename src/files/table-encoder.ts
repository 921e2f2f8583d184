import type { RecordBatch } from 'apache-arrow';

/** Writes the batches of tables of one schema into one file. */
export interface TableEncoder {
  /** The next bytes of the file, in pieces of any size; each is good until the next one is asked for. */
  encode(batch: RecordBatch): Iterable<Uint8Array>;
  /** The last bytes of the file. */
  end(): Iterable<Uint8Array>;
}
