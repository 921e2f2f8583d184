import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { assertKind, assertShape } from '../check/assert-shape.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError, unusable } from '../errors.js';
import { quickSchema } from '../table/arrow/quick-schema.js';
import { openArrowFile } from './arrow/arrow-file.node.js';
import { noRows } from './arrow/arrow-read.js';
import { doubleBufferedParts, PART_BYTES } from './arrow/double-buffered-parts.node.js';
import { readTables } from './arrow/message-reader.js';
import { messageRuns } from './arrow/message-runs.js';
import { isGzip } from './codecs/gzip.js';
import { type CsvTablesOptions, tablesOfCsv } from './csv/csv-tables.js';
import { assertDecimal, type DecimalMark } from './csv/decimal-mark.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { isPartitionedFolder, tablesOfFolder } from './parquet/partitioned-folder.node.js';
import type { PartsOptions } from './parts-in-threads.js';
import { pathThreads } from './parts-thread.node.js';
import { readTable } from './read-table.js';
import { tablesOfGzip } from './tables-of-gzip.node.js';
import { SLICED_BYTES, slicesInThreads, tablesOfParquet } from './tables-of-parts.js';
import { WatchedFile } from './watched-file.node.js';

/** How to read a file table by table. */
export interface TablesOfFileOptions {
  /** The name of the file in messages; by default its path. */
  readonly source?: string;
  /** The columns to return; by default all. From Parquet, only these are read. */
  readonly columns?: readonly string[];
  /** Approximate bytes of memory of one table from a Parquet file; 32 MiB by default. */
  readonly bytes?: number;
  /** The decimal mark of numbers in CSV, if it is ambiguous: `,` as in `0,5`. */
  readonly decimal?: DecimalMark;
  /**
   * Whether columns of texts in CSV and Parquet are dictionaries, which each table has its own of: they are read faster
   * so.
   */
  readonly codedTexts?: boolean;
  /** Whether the memory of a table may be used for the next ones, also where it need not be. */
  readonly areViews?: boolean;
  /**
   * The most threads that read a long file of CSV or Parquet, this one included; one by default. Those of the package
   * need its scripts beside them.
   */
  readonly threads?: number;
  /**
   * Receives notes for people about what was assumed because the file does not state it: its encoding, its decimal
   * mark.
   */
  readonly report?: (note: string) => void;
}

/** Bytes at the beginning of a file that its format is detected from. */
const SAMPLE_BYTES = 65_537;
const TABLE_BYTES = 33_554_432;

/**
 * Reads a file (Parquet, CSV, JSON of Open-Meteo, Arrow IPC file or stream, detected from the content, also gzipped)
 * table by table. The memory does not depend on the length of the file. Together the tables have the rows of
 * `readTable`, to the last bit, and they share one schema. Each has at least two rows, except the last one. A table is
 * valid until the next one is requested, as tables from Arrow files lie in the memory of `core`.
 *
 * Parquet is read by row group, one that is larger than `bytes` in ranges of rows, unless it has columns of lists. In
 * CSV the first table, of some hundred thousand cells, decides which columns are numbers: text in such a column later
 * on is a DataError. Arrow batches are read some 16 MB at a time. JSON is read in one piece, 256 MiB at most. Of
 * gzipped files only CSV is read part by part; other formats are unpacked first, to 1 GiB at most.
 *
 * The path of a folder of Parquet files partitioned by keys (`out/date=2026-03-02/part-0.parquet`) is read as one table
 * of all files, in the natural order of their paths, with the keys as the last columns.
 *
 * Throws FileError if the file cannot be read or changes meanwhile, FormatError if its format is unknown or it is
 * truncated or corrupt, DataError as `readTable` does with rows counted over the file, OptionError for a column that it
 * does not have, and PackageError.
 */
export async function* tablesOfFile(
  core: Core,
  path: string,
  options: TablesOfFileOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertKind('path', path, 'text');
  assertShape('options', options, {
    source: 'any text?',
    columns: 'texts?',
    bytes: 'number?',
    decimal: 'text?',
    codedTexts: 'flag?',
    threads: 'number?',
    areViews: 'flag?',
    report: 'function?',
  });
  assertDecimal(options.decimal);
  const {
    source = path,
    columns,
    bytes = TABLE_BYTES,
    decimal,
    codedTexts,
    threads = 1,
    areViews = false,
    report,
  } = options;
  if (!Number.isInteger(threads) || threads < 1) throw unusable('threads', threads, 'a whole number from 1');
  if (await isPartitionedFolder(path)) {
    for await (const table of tablesOfFolder(path, source, { bytes, report })) {
      yield columns === undefined ? table : selectColumns(table, columns, source);
    }
    return;
  }
  const file = await WatchedFile.open(path, source);
  try {
    const reading = { path, source, columns, bytes, decimal, codedTexts, threads, areViews, report };
    yield* tablesOfOpenFile(core, file, reading);
  } catch (cause) {
    // If the file is being written at the same time, that is the error to report.
    await file.assertUnchanged(cause);
    throw cause;
  } finally {
    await file.close();
  }
}

interface OpenFileOptions
  extends Omit<TablesOfFileOptions, 'source' | 'bytes' | 'threads' | 'areViews'>,
    Omit<PartsOptions, 'others'> {
  readonly path: string;
  readonly source: string;
  readonly bytes: number;
}

async function* tablesOfOpenFile(
  core: Core,
  file: WatchedFile,
  { path, source, columns, bytes, threads, areViews, ...options }: OpenFileOptions,
): AsyncGenerator<Table> {
  const head = new Uint8Array(await file.slice(0, SAMPLE_BYTES));
  const format = isGzip(head) ? 'gzip' : detectFormat(head, source);
  const inThreads = { threads, others: pathThreads({ path, source, state: file.state }), areViews };
  if (format === 'parquet') {
    const parquet = { columns, bytes, codedTexts: options.codedTexts };
    const { report } = options;
    yield* tablesOfParquet(file, { kind: 'parquet', source, options: parquet }, { ...inThreads, report });
  } else {
    const isSliced = format === 'csv' && file.byteLength >= SLICED_BYTES;
    const slices = isSliced ? slicesInThreads(file, source, inThreads) : undefined;
    const reading = { ...options, slices };
    const all =
      format === 'gzip' ? tablesOfGzip(file.pieces(), source, options) : TABLES[format](core, file, source, reading);
    for await (const table of all) yield columns === undefined ? table : selectColumns(table, columns, source);
  }
  await file.assertUnchanged();
}

type OtherFormat = Exclude<FileFormat, 'parquet'>;

/** How the tables of a format are read. */
type ReadTables = (core: Core, file: WatchedFile, source: string, options: CsvTablesOptions) => AsyncIterable<Table>;

const TABLES: Readonly<Record<OtherFormat, ReadTables>> = {
  'arrow-file': (core, file, source) => tablesOfArrow(core, file, 'arrow-file', source),
  'arrow-stream': (core, file, source) => tablesOfArrow(core, file, 'arrow-stream', source),
  csv: (_, file, source, options) => tablesOfCsv(file.piecesInTurn(), source, options),
  'open-meteo-json': (_, file, source) => tableOfJson(file, source),
};

async function* tableOfJson(file: WatchedFile, source: string): AsyncGenerator<Table> {
  yield await readTable(new Uint8Array(await file.slice(0)), { source });
}

async function* tablesOfArrow(
  core: Core,
  file: WatchedFile,
  format: 'arrow-file' | 'arrow-stream',
  source: string,
): AsyncGenerator<Table> {
  const parts = format === 'arrow-file' ? await openArrowFile(file.handle, source, PART_BYTES) : undefined;
  if (format === 'arrow-file' && parts === undefined) {
    // Files without batches, and those whose faults only the reader of entire files can name.
    return yield await readTable(new Uint8Array(await file.slice(0)), { source });
  }
  const runs =
    parts === undefined ? messageRuns(core, file.pieces(), source) : doubleBufferedParts(core, parts, source);
  let hasRows = false;
  for await (const table of readTables(runs, source)) {
    hasRows = true;
    yield table;
  }
  if (!hasRows) throw noRows(source);
}

function selectColumns(table: Table, columns: readonly string[], source: string): Table {
  const names = table.schema.names.map(String);
  const known = new Set(names);
  const missing = columns.filter((name) => !known.has(name));
  if (missing.length === 0) {
    const wanted = new Set(columns);
    const places = [...names.keys()].filter((place) => wanted.has(names[place]));
    const fields = places.map((place) => table.schema.fields[place]);
    const schema = quickSchema(new Schema(fields, table.schema.metadata));
    const batches = table.batches.map(({ data, numRows: length }) => {
      const children = places.map((place) => data.children[place]);
      return new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
    });
    return new Table(schema, batches);
  }
  throw new OptionError({
    subject: `${source}, columns`,
    problem: 'not in the file',
    received: missing.join(', '),
    allowed: names.join(', '),
  });
}
