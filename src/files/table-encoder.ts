import type { DataType, RecordBatch } from 'apache-arrow';
import { OptionError } from '../errors.js';

/** Writes batches of one schema into one file. */
export interface TableEncoder {
  /** The next bytes of the file, in pieces of any size; each is valid until the next one is requested. */
  encode(batch: RecordBatch): Iterable<Uint8Array>;
  /** The last bytes of the file. */
  end(): Iterable<Uint8Array>;
}

/** The OptionError for a column of a type that only the Arrow format can store. */
export function unwritableColumn(name: string, type: DataType): OptionError {
  return new OptionError({
    subject: `column ${name}`,
    problem: 'has a type that this format cannot be written with',
    received: String(type),
    allowed: 'numbers, dates, timestamps, texts and booleans; the format arrow holds all types',
  });
}
