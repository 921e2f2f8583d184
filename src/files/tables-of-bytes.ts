import type { Table } from 'apache-arrow';
import { assertKind, assertShape } from '../check/assert-shape.js';
import { assertKnownKeys } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { FormatError, unusable } from '../errors.js';
import { readTables } from './arrow/message-reader.js';
import { messageRuns } from './arrow/message-runs.js';
import { BlobFile } from './blob-file.js';
import { blobThreads } from './blob-threads.js';
import { ByteFeed } from './byte-feed.js';
import { assertBytes, type ByteSource, isBlob, readPieces } from './byte-source.js';
import { isGzip } from './codecs/gzip.js';
import { type CsvTablesOptions, tablesOfCsv } from './csv/csv-tables.js';
import { assertDecimal } from './csv/decimal-mark.js';
import { detectFormat } from './detect-format.js';
import { type ReadTableOptions, readTable } from './read-table.js';
import { SLICED_BYTES, slicesInThreads, tablesOfParquet } from './tables-of-parts.js';
import { unpackedFormat } from './unpacked-format.js';

/** Bytes of the content that its format is detected from. */
const SAMPLE_BYTES = 65_537;
/** Bytes that are taken at a time. */
const PIECE_BYTES = 1_048_576;
/** The most bytes that are read in one piece. */
const MAX_BYTES = 2 ** 30;
/** Approximate bytes of a table of Parquet. */
const TABLE_BYTES = 33_554_432;

/** How bytes are read table by table. */
export interface TablesOfBytesOptions extends ReadTableOptions {
  /** Whether columns of texts in CSV are dictionaries, which each table has its own of: they are read faster so. */
  readonly codedTexts?: boolean;
  /**
   * The most threads, this one included, that read CSV from 16 MiB on and Parquet of a `Blob`, such as a file that was
   * chosen in a page; one by default. The others are Web Workers of the package's script `parts-worker.js`, which get the
   * `Blob` and read slices of it: they need neither shared memory nor a page that is isolated. Where none can be started
   * (the script is elsewhere, the page's policy forbids it), this thread reads all.
   *
   * Rows never depend on it. Where it is given, tables of CSV end where slices do, whatever the number.
   */
  readonly threads?: number;
}

/**
 * Reads bytes as they come (the body of a response, a file in a browser, any iterable of pieces) table by table: for
 * `statisticsOfBatches`, say. Together the tables have the rows of `readTable`, and one schema; each has at least two
 * rows, except the last one. The format is detected from the content.
 *
 * CSV and Arrow streams are read in bounded memory, and so is Parquet of a `Blob`, of which parts can be read. All
 * other bytes (Arrow files, Parquet as it comes, JSON, what is gzipped) are read in one piece, at most 1 GiB.
 *
 * Throws FormatError and DataError as `readTable` does, with rows counted over all tables, OptionError, PackageError,
 * and what the source throws, which is closed if the caller stops early.
 */
export async function* tablesOfBytes(
  core: Core,
  bytes: ByteSource,
  options: TablesOfBytesOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBytes(bytes);
  assertKnownKeys(options, ['source', 'decimal', 'codedTexts', 'threads', 'report']);
  assertShape('options', options, {
    source: 'any text?',
    decimal: 'text?',
    codedTexts: 'flag?',
    threads: 'number?',
    report: 'function?',
  });
  assertDecimal(options.decimal);
  const { source = 'input', codedTexts, threads, ...reading } = options;
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1))
    throw unusable('threads', threads, 'a whole number from 1');
  assertKind('source', source, 'any text');
  const feed = new ByteFeed(readPieces(bytes));
  try {
    await feed.has(SAMPLE_BYTES);
    const head = feed.peek(SAMPLE_BYTES);
    const format = isGzip(head) ? undefined : detectFormat(head, source);
    const blob = isBlob(bytes) ? bytes : undefined;
    const others = blob && blobThreads(blob);
    const inThreads = { threads: threads ?? 1, others, areViews: false };
    if (format === 'csv') {
      // One thread alone reads the pieces as they come in a tenth less of the time.
      const isSliced = threads !== undefined && blob !== undefined && blob.size >= SLICED_BYTES;
      const slices = isSliced ? slicesInThreads(new BlobFile(blob), source, inThreads) : undefined;
      yield* tablesOfCsv(piecesOf(feed), source, { ...reading, codedTexts, slices });
    } else if (format === 'arrow-stream') yield* readTables(copies(messageRuns(core, piecesOf(feed), source)), source);
    else if (format === 'parquet' && blob !== undefined) {
      const parts = { kind: 'parquet', source, options: { bytes: TABLE_BYTES } } as const;
      yield* tablesOfParquet(new BlobFile(blob), parts, { ...inThreads, report: reading.report });
    } else yield await readTable(await allOf(feed, source), { source, ...reading });
  } finally {
    await feed.close();
  }
}

/**
 * The tables of content without its packing: of CSV as `tablesOfCsv` gives them; other formats give one table, of 1 GiB
 * at most, beyond which `tooLong` makes the error. Throws as these do.
 */
export async function* tablesOfContent(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: CsvTablesOptions,
  tooLong: (source: string) => FormatError,
): AsyncGenerator<Table> {
  const feed = new ByteFeed(pieces);
  try {
    await feed.has(SAMPLE_BYTES);
    const format = unpackedFormat(feed.peek(SAMPLE_BYTES), source);
    if (format === 'csv') yield* tablesOfCsv(piecesOf(feed), source, options);
    else yield await readTable(await allOf(feed, source, tooLong), { source });
  } finally {
    await feed.close();
  }
}

/** Messages outside of the core's memory, where they are gone with the next ones. */
async function* copies(runs: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const run of runs) yield run.slice();
}

async function* piecesOf(feed: ByteFeed): AsyncGenerator<Uint8Array> {
  for (let isMore = true; isMore; ) {
    isMore = await feed.has(PIECE_BYTES);
    yield feed.takeUpTo(PIECE_BYTES);
  }
}

async function allOf(feed: ByteFeed, source: string, tooLong = tooManyBytes): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(feed)) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_BYTES) throw tooLong(source);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function tooManyBytes(source: string): FormatError {
  const problem = `has more than ${MAX_BYTES} bytes, of a format that is not read as it comes`;
  const allowed = 'at most that; CSV or an Arrow stream; Parquet as a Blob, or from the disk';
  return new FormatError({ subject: source, problem, allowed });
}
