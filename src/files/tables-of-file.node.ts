import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { assertKind, assertShape } from '../check/assert-shape.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import { quickSchema } from '../table/quick-schema.js';
import { arrowFile } from './arrow/arrow-file.node.js';
import { noRows } from './arrow/arrow-read.js';
import { doubleBufferedParts, PART_BYTES } from './arrow/double-buffered-parts.node.js';
import { BatchGroups, tablesOf } from './arrow/message-reader.js';
import { messageRuns } from './arrow/message-runs.js';
import { isGzip } from './codecs/gzip.js';
import type { CsvOptions } from './csv/csv-rows.js';
import { tablesOfCsv } from './csv/csv-tables.js';
import { assertDecimal, type DecimalMark } from './csv/decimal-mark.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { parquetBatches } from './parquet/parquet-batches.js';
import { readTable } from './read-table.js';
import { tablesOfGzip } from './tables-of-gzip.node.js';
import { WatchedFile } from './watched-file.node.js';

/** How to read a file table by table. */
export interface TablesOfFileOptions {
  /** What messages call the file; by default its path. */
  readonly source?: string;
  /** The columns that tables are to have; by default all. Of Parquet, no others are read. */
  readonly columns?: readonly string[];
  /** Bytes of memory that a table of a Parquet file takes, about; 32 MiB by default. */
  readonly bytes?: number;
  /** What parts the decimals of the numbers of CSV, where that is not plain: `,` as in `0,5`. */
  readonly decimal?: DecimalMark;
  /** Given what was decided that the file does not say, for people: its encoding, its decimal mark. */
  readonly report?: (note: string) => void;
}

/** Bytes at the beginning of a file by which its format is told. */
const SAMPLE_BYTES = 65_537;
const TABLE_BYTES = 33_554_432;

/**
 * Reads a file (Parquet, CSV, JSON of Open-Meteo, Arrow IPC file or stream, told by content, also gzipped) table by table, in memory that its length has no part in:
 * together the tables have the rows of `readTable`, to the last bit, and they have one schema. Each has two rows at least, but for the
 * last one; it is good until the next is asked for, as tables of Arrow lie in the memory of `core`.
 *
 * Parquet is read by row group, one that is larger than `bytes` in ranges of rows, unless it has columns of lists. Of CSV the first
 * table, of some hundred thousand cells, decides which columns are numbers: text among them later on is a DataError. Arrow batches
 * are read some 16 MB at a time. JSON is read as a whole, 256 MiB at most. Of what is gzipped only CSV is read part by part; other formats
 * are unpacked first, to 1 GiB at most.
 *
 * Throws FileError where the file cannot be read or is changed meanwhile, FormatError where it is of no known format, cut or corrupt,
 * DataError as `readTable` does with rows counted over the file, OptionError for a column that it does not have, and PackageError.
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
    report: 'function?',
  });
  assertDecimal(options.decimal);
  const { source = path, columns, bytes = TABLE_BYTES, decimal, report } = options;
  const file = await WatchedFile.open(path, source);
  try {
    yield* tablesOfOpenFile(core, file, { source, columns, bytes, decimal, report });
  } catch (cause) {
    // What is wrong with a file that is being written is just that.
    await file.assertUnchanged(cause);
    throw cause;
  } finally {
    await file.close();
  }
}

async function* tablesOfOpenFile(
  core: Core,
  file: WatchedFile,
  { source, columns, bytes, ...options }: TablesOfFileOptions & { source: string; bytes: number },
): AsyncGenerator<Table> {
  const head = new Uint8Array(await file.slice(0, SAMPLE_BYTES));
  const format = isGzip(head) ? 'gzip' : detectFormat(head, source);
  if (format === 'parquet') {
    yield* tablesOfParquet(file, source, { columns, bytes });
  } else {
    const all =
      format === 'gzip'
        ? tablesOfGzip(file.pieces(), source, options)
        : tablesOfWholeRows(core, file, format, source, options);
    for await (const table of all) yield columns === undefined ? table : selected(table, columns, source);
  }
  await file.assertUnchanged();
}

async function* tablesOfWholeRows(
  core: Core,
  file: WatchedFile,
  format: Exclude<FileFormat, 'parquet'>,
  source: string,
  options: CsvOptions,
): AsyncGenerator<Table> {
  if (format === 'csv') yield* tablesOfCsv(file.pieces(), source, options);
  else if (format === 'json') yield await readTable(new Uint8Array(await file.slice(0)), { source });
  else yield* tablesOfArrow(core, file, format, source);
}

async function* tablesOfParquet(
  file: WatchedFile,
  source: string,
  options: { columns?: readonly string[]; bytes: number },
): AsyncGenerator<Table> {
  const groups = new BatchGroups();
  for await (const batch of parquetBatches(file, source, options)) {
    const table = groups.add(batch);
    if (table !== undefined) yield table;
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}

async function* tablesOfArrow(
  core: Core,
  file: WatchedFile,
  format: 'arrow-file' | 'arrow-stream',
  source: string,
): AsyncGenerator<Table> {
  const parts = format === 'arrow-file' ? await arrowFile(file.handle, source, PART_BYTES) : undefined;
  if (format === 'arrow-file' && parts === undefined) {
    // Files without batches, and those that only a reader of whole files can tell about.
    return yield await readTable(new Uint8Array(await file.slice(0)), { source });
  }
  const runs =
    parts === undefined ? messageRuns(core, file.pieces(), source) : doubleBufferedParts(core, parts, source);
  let hasRows = false;
  for await (const table of tablesOf(runs, source)) {
    hasRows = true;
    yield table;
  }
  if (!hasRows) throw noRows(source);
}

function selected(table: Table, columns: readonly string[], source: string): Table {
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
