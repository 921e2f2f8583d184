import type { Schema, Table } from 'apache-arrow';
import { assertKnownKeys, type Choice, isIterable } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import { OptionError, unusable } from '../errors.js';
import { ownTable } from '../table/arrow/own-table.js';
import { checkSameColumns } from '../table/arrow/same-schema.js';
import type { Compression, TableEncoder, TableWriter } from './format.js';
import { type TableFormat, WRITERS } from './formats.js';

/** How to write a table. */
export interface EncodeOptions {
  /**
   * How columns are compressed: in Arrow `none` (the default), `lz4` or `zstd`; in Parquet `snappy` (the default),
   * `none`, `lz4` or `zstd`; texts are not compressed.
   */
  readonly compression?: Choice<Compression>;
}

/**
 * The bytes of one file that holds the rows of `tables` one after the other, in blocks of 128 KiB, the last one
 * shorter.
 *
 * The next table is requested only after the blocks of the previous one are taken, and only the dictionaries of a
 * written table stay in memory: besides one table and one block, Parquet holds one row group of 32,768 rows. The
 * schema, with its metadata, is that of the first table. Values are written as {@link encodeTable} writes them.
 *
 * Throws an OptionError for an unknown format, for a compression that the format does not have, if there is no table at
 * all (tables without rows are fine), if a table has other columns than the first (in CSV and JSON floats
 * may be of other widths), for a column that the format
 * cannot store, and in Arrow for a dictionary with other entries than in the batches before; a DataError for an
 * infinity in JSON; a PackageError if the library of zstd is not installed; and whatever `tables` throws.
 * `tables` is closed if the caller stops early.
 */
export async function* encodeTables(
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
  options: EncodeOptions & WorkOptions = {},
): AsyncGenerator<Uint8Array> {
  const { work, others } = beginWork(options, 'rows');
  assertKnownKeys(others, ['compression', ...WORK_KEYS]);
  const compression = chooseCompression(format, others);
  if (!isIterable(tables)) throw unusable('tables', tables, 'a list of tables, or an iterable of them');
  yield* work.stream(encodedBlocks(tables, format, compression, work));
}

async function* encodedBlocks(
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
  compression: Compression,
  work: Work,
): AsyncGenerator<Uint8Array> {
  const blocks = new ByteBlocks();
  let file: { schema: Schema; encoder: TableEncoder } | undefined;
  let count = 0;
  for await (const table of work.taken(tables)) {
    count++;
    const { schema, batches } = ownTable(table, `table ${count}`);
    file ??= { schema, encoder: await WRITERS[format].encoder(schema, compression) };
    // Texts are written as each type needs.
    checkSameColumns(file.schema, schema, count, /csv|json/.test(format));
    for (const batch of batches) {
      for (const piece of file.encoder.encode(batch)) {
        yield* blocks.add(piece);
        if (work.isDue) await work.pause();
      }
      work.advance(batch.numRows);
    }
  }
  if (file === undefined) {
    throw new OptionError({
      subject: 'tables',
      problem: 'has no tables',
      allowed: 'at least one, with or without rows',
    });
  }
  for (const piece of file.encoder.end()) yield* blocks.add(piece);
  yield* blocks.end();
}

const BLOCK_BYTES = 131_072;

/** Puts pieces of bytes of any size together into blocks of 128 KiB, which own their bytes. */
class ByteBlocks {
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;

  /** Appends `piece`, and yields each block that it fills. */
  *add(piece: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < BLOCK_BYTES) return;
      yield this.#block;
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#filled = 0;
    }
  }

  /** Yields the bytes that are left, if any. */
  *end(): Generator<Uint8Array> {
    if (this.#filled > 0) yield this.#block.slice(0, this.#filled);
  }
}

/**
 * The bytes of `table` in a file format.
 *
 * Missing values, null and NaN, are empty in CSV and null in JSON; Arrow and Parquet keep both as they are, and the
 * schema's metadata. CSV and JSON numbers are the shortest that read back to the same value of the column's type; but
 * in tables of windows, which have columns `period` and `n_days`, a float64 whose eleventh to thirteenth digits are all
 * 0 or all 9 is written as the decimal of ten digits, if it is no integer: 1.1 for 1.0999999999999999.
 * Throws an OptionError for an unknown format, or a compression or column that the format does not support, a DataError
 * for an infinity in JSON, and a PackageError if the library of zstd is not installed.
 *
 * @example
 * ```js
 * import { demoTable } from 'plumecast/demo';
 * import { encodeTable, readTable } from 'plumecast/files';
 *
 * const bytes = await encodeTable(demoTable('precipitation', { days: 5 }), 'parquet');
 * console.log((await readTable(bytes)).numRows);
 * ```
 *
 * ```text
 * 5
 * ```
 */
export async function encodeTable(
  table: Table,
  format: TableFormat,
  options: EncodeOptions & WorkOptions = {},
): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let length = 0;
  for await (const block of encodeTables([table], format, options)) {
    blocks.push(block);
    length += block.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}

/**
 * The requested compression, or the format's default. Throws OptionError for an unknown format, or a compression it
 * does not have.
 */
export function chooseCompression(format: TableFormat, { compression }: EncodeOptions): Compression {
  if (typeof format !== 'string' || !Object.hasOwn(WRITERS, format)) {
    const allowed = `${Object.keys(WRITERS).join(', ')}; NetCDF and Zarr by writeNetcdf and writeZarr`;
    throw new OptionError({ subject: 'format', problem: 'is unknown', received: format, allowed });
  }
  const { compressions }: TableWriter = WRITERS[format];
  if (compression === undefined) return compressions[0];
  const found = compressions.find((one) => one === compression);
  if (found !== undefined) return found;
  throw new OptionError({
    subject: 'compression',
    problem: `${format} is not written with it`,
    received: compression,
    allowed: compressions.join(', '),
  });
}
