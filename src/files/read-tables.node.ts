import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { assertKnownKeys, assertShape } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError, unusable } from '../errors.js';
import { quickSchema } from '../table/arrow/table-schema.js';
import type { ByteSource } from './byte-source.js';
import type { DecimalMark } from './csv/decimal-mark.js';
import { givenPath } from './given-path.node.js';
import { assertDecimal, assertFormats, type FormatsOption } from './open-source.js';
import { withTable } from './open-source.node.js';
import { type ReadTablesOptions, readTables as readTablesOfBytes } from './read-tables.js';

/** How to read a file table by table. */
export interface ReadFileTablesOptions extends FormatsOption, WorkOptions {
  /** The name of the file in messages; by default its path. */
  readonly source?: string;
  /** The columns to return; by default all. From Parquet, only these are read. */
  readonly columns?: readonly string[];
  /** Approximate bytes of memory of one table from a Parquet file; 32 MiB by default. */
  readonly bytes?: number;
  /** The decimal mark of numbers in CSV, if it is ambiguous: `,` as in `0,5`. */
  readonly decimal?: DecimalMark;
  /** The name of the sheet of a workbook of Excel; by default the first one in sight. */
  readonly sheet?: string;
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

/**
 * Reads a file at a path or a `file:` URL (Parquet, Excel, CSV, JSON of Open-Meteo, Arrow IPC file or stream, detected from the content, also gzipped)
 * table by table. The memory does not depend on the length of the file. Together the tables have the rows of
 * `readTable`, to the last bit, and they share one schema. Each has at least two rows, except the last one. A table is
 * valid until the next one is requested, as tables from Arrow files lie in the memory of `core`.
 *
 * Parquet is read by row group, one that is larger than `bytes` in ranges of rows, unless it has columns of lists. In
 * CSV the first table, of some hundred thousand cells, decides which columns are numbers: text in such a column later
 * on is a DataError. Arrow batches are read some 16 MB at a time. JSON is read in one piece, 256 MiB at most. Of
 * gzipped files only CSV is read part by part; other formats are unpacked first, to 1 GiB at most.
 *
 * Bytes are read as `readTables` of `plumecast/files` does.
 *
 * The path of a folder of Parquet files partitioned by keys (`out/date=2026-03-02/part-0.parquet`) is read as one table
 * of all files, in the natural order of their paths, with the keys as the last columns.
 *
 * Throws FileError if the file cannot be read or changes meanwhile, FormatError if its format is unknown or it is
 * truncated or corrupt, DataError as `readTable` does with rows counted over the file, OptionError for a column that it
 * does not have, and PackageError.
 *
 * @example
 * ```js
 * import { loadCore } from 'plumecast';
 * import { readTables } from 'plumecast/files/node';
 * import { writeFile } from 'node:fs/promises';
 *
 * await writeFile('rain.csv', 'date,member_0,member_1\n2026-03-02,0,1.5\n');
 * for await (const { numRows } of readTables(await loadCore(), 'rain.csv')) console.log(numRows); // in bounded memory
 * ```
 *
 * ```text
 * 1
 * ```
 */
export function readTables(core: Core, path: string | URL, options?: ReadFileTablesOptions): AsyncGenerator<Table>;
export function readTables(core: Core, bytes: ByteSource, options?: ReadTablesOptions): AsyncGenerator<Table>;
export async function* readTables(
  core: Core,
  source: string | URL | ByteSource,
  options: ReadFileTablesOptions = {},
): AsyncGenerator<Table> {
  const path = givenPath(source);
  if (path === undefined) return yield* readTablesOfBytes(core, source as ByteSource, options);
  assertCore(core);
  const { work, others: given } = beginWork(options, 'bytes');
  assertKnownKeys(given, OPTIONS);
  assertShape('options', given, {
    source: 'any text?',
    columns: 'texts?',
    bytes: 'number?',
    decimal: 'text?',
    sheet: 'any text?',
    codedTexts: 'flag?',
    threads: 'number?',
    areViews: 'flag?',
    report: 'function?',
  });
  assertDecimal(given.decimal);
  assertFormats(given.formats);
  const { columns, bytes: tableBytes, threads = 1, ...others } = given;
  if (!Number.isInteger(threads) || threads < 1) throw unusable('threads', threads, 'a whole number from 1');
  const tables = withTable(path, { ...others, columns, tableBytes, threads, work }, async function* ({ tables }) {
    for await (const table of tables(core)) {
      yield columns === undefined ? table : selectColumns(table, columns, given.source ?? path);
    }
  });
  yield* work.stream(tables);
}

const OPTIONS = [
  'source',
  'columns',
  'bytes',
  'decimal',
  'sheet',
  'codedTexts',
  'areViews',
  'threads',
  'report',
  'formats',
  ...WORK_KEYS,
];

function selectColumns(table: Table, columns: readonly string[], source: string): Table {
  const names = table.schema.names.map(String);
  const known = new Set(names);
  const missing = columns.filter((name) => !known.has(name));
  if (missing.length === 0) {
    const wanted = new Set(columns);
    const places = [...names.keys()].filter((place) => wanted.has(names[place]));
    if (places.length === names.length) return table;
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
