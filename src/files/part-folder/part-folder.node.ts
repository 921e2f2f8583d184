import { join, relative, sep } from 'node:path';
import { makeData, makeVector, RecordBatch, Schema, Struct, Table, util } from 'apache-arrow';
import { Work } from '../../check/work.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { noRows } from '../arrow/arrow-read.js';
import { BatchGroups, MIN_ROWS } from '../arrow/message-reader.js';
import { HEAD_BYTES } from '../byte-source.js';
import { gunzipStart } from '../codecs/gunzip-pieces.node.js';
import { SlabPool } from '../column-buffers.js';
import { csv } from '../csv/csv-format.js';
import { DiskFile, readHead } from '../disk-file.node.js';
import { fileOfBytes, fileOfSource } from '../file-access.js';
import { isGzip } from '../foreign-format.js';
import type { FolderAccess, OpenedTable, TableFileFormat, TableOptions } from '../format.js';
import { openTable, tableFormat } from '../open-source.js';
import type { FileInMemory } from '../parquet/pages.js';
import { parquetBatches, TABLE_BYTES } from '../parquet/parquet-batches.js';
import { parquet } from '../parquet/parquet-format.js';
import { SharedSchema } from '../parquet/shared-schema.js';
import { joinCsvParts } from './csv-parts.node.js';
import { filesBelow } from './find-parts.node.js';
import { JoinedBatch } from './joined-batch.js';
import { assertKeyColumn, type FileKeys, KeyColumn, readKeys } from './partition-keys.js';

/*
 * Tables in several files, as Spark, Dask, DuckDB, Polars and pyarrow write them: a folder of parts
 * (`out/part-0.parquet`), or folders of keys with parts (`out/date=2026-03-02/part-0.parquet`). They are one table: the
 * rows of its files in the natural order of their paths, and the keys as its last columns.
 */

/** The cells of a table of short parts: each table has a cost of its own. */
const CELLS = 1_048_576;

/** Metadata that only describe how one file is stored. */
const OF_ONE_FILE = /^(pandas|ARROW:schema|PARQUET:field_id|org\.apache\.spark\..*)$/;

/** Opens the table of a folder for which `isPartFolder`. Throws FileError, FormatError and DataError as it is read. */
export function openPartFolder({ path, source, work }: FolderAccess, options: TableOptions): OpenedTable {
  return openParts(() => findParts(path, source), source, options, work);
}

/**
 * Opens the table that some files make together, in the order given; with `members` each is one of these, by a column
 * `member`. Throws as `openPartFolder` does.
 */
export function openPartFiles(
  files: readonly string[],
  source: string,
  { members, ...options }: TableOptions & { readonly members?: readonly string[] | undefined },
  work = new Work({}, 'bytes'),
): OpenedTable {
  const parts = files.map((path, i): Part => {
    return { path, source: path, keys: new Map(members === undefined ? [] : [['member', members[i]]]) };
  });
  return openParts(async () => parts, source, { ...options, areMembers: members !== undefined }, work);
}

function openParts(
  find: () => Promise<readonly Part[]>,
  source: string,
  { areMembers = false, ...options }: TableOptions & { readonly areMembers?: boolean },
  work: Work,
): OpenedTable {
  const open = async (): Promise<OpenedTable> => {
    const parts = await find();
    const [{ path, source: first }] = parts;
    const format = tableFormat(unpackedStart(await readHead(path, first)), first);
    if (format.name === csv.name && !areMembers) {
      // As one file: columns of numbers and dates are found in the rows of all.
      const file = await fileOfSource(joinCsvParts(parts, work), source, { work });
      return openTable(file, options);
    }
    const tables = () => tablesOfParts(parts, source, format, options, work);
    const read = async () => {
      const batches: RecordBatch[] = [];
      for await (const table of tables()) batches.push(...table.batches);
      return new Table(batches);
    };
    return { read, tables };
  };
  return {
    read: async () => (await open()).read(),
    tables: async function* (core) {
      const { read, tables } = await open();
      if (tables === undefined) yield await read();
      else yield* tables(core);
    },
  };
}

/** The first bytes of a file, without gzip. */
function unpackedStart(head: Uint8Array): Uint8Array {
  return isGzip(head) ? gunzipStart(head) : head;
}

/**
 * Reads the table of some parts, part by part, as `readTables` does. A column that is both in the files and a key is that
 * of the files, which must have the value of the key. Throws FileError, FormatError and DataError; an error names the
 * file of the folder.
 */
async function* tablesOfParts(
  parts: readonly Part[],
  source: string,
  format: TableFileFormat,
  options: TableOptions,
  work: Work,
): AsyncGenerator<Table> {
  const keys = new Map(
    [...parts[0].keys.keys()].map((name) => [
      name,
      new KeyColumn(
        name,
        parts.map((part) => part.keys.get(name) ?? null),
      ),
    ]),
  );
  const shared = new SharedSchema(parts.length);
  const pool = new SlabPool();
  let first: { readonly schema: Schema; readonly all: Schema; readonly file: string } | undefined;
  let rows: JoinedRows | undefined;
  for (const part of parts) {
    for await (const batch of batchesOfPart(part, format, { ...options, shared, pool }, work)) {
      first ??= { schema: batch.schema, all: withKeys(batch.schema, keys), file: part.source };
      rows ??= new JoinedRows(first.all, pool);
      if (batch.schema !== first.schema) assertSameSchema(batch.schema, first, part.source);
      yield* rows.add(keyedBatch(batch, first.all, keys, part));
    }
  }
  if (rows === undefined) throw noRows(source);
  yield* rows.end();
}

/** The rows of parts in tables of one batch, as far as their columns can be joined. */
class JoinedRows {
  readonly #schema: Schema;
  readonly #pool: SlabPool;
  readonly #leastRows: number;
  readonly #joined: JoinedBatch;
  /** Batches that cannot be joined. */
  readonly #groups: BatchGroups;
  #areJoined = true;

  constructor(schema: Schema, pool: SlabPool) {
    this.#schema = schema;
    this.#pool = pool;
    this.#leastRows = Math.max(MIN_ROWS, Math.floor(CELLS / Math.max(1, schema.fields.length)));
    this.#joined = new JoinedBatch(schema, this.#leastRows);
    this.#groups = new BatchGroups(() => this.#leastRows);
  }

  /** The tables that a batch completes. */
  *add(batch: RecordBatch): Generator<Table> {
    const isLong = this.#joined.rows === 0 && batch.numRows >= this.#leastRows;
    if (this.#areJoined && !isLong && this.#joined.add(batch)) {
      // Its memory is free as soon as its rows are copied.
      this.#pool.restart({ isFree: true });
      if (this.#joined.rows >= this.#leastRows) yield* this.#finishJoined();
      return;
    }
    if (!isLong) {
      this.#areJoined = false;
      yield* this.#finishJoined();
    }
    const table = this.#groups.add(batch);
    if (table !== undefined) yield this.#asItIs(table);
  }

  /** The table of the remaining rows. */
  *end(): Generator<Table> {
    yield* this.#finishJoined();
    const table = this.#groups.end();
    if (table !== undefined) yield this.#asItIs(table);
  }

  *#finishJoined(): Generator<Table> {
    const batch = this.#joined.finish();
    if (batch !== undefined) yield new Table(this.#schema, [batch]);
  }

  #asItIs(table: Table): Table {
    this.#pool.restart({ isFree: false });
    return table;
  }
}

/** A file of a partitioned folder. */
interface Part {
  readonly path: string;
  /** Its name in messages. */
  readonly source: string;
  readonly keys: FileKeys;
}

async function findParts(folder: string, source: string): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const path of filesBelow(folder)) {
    const steps = relative(folder, path).split(sep);
    const name = join(source, ...steps);
    const part = { path, source: name, keys: readKeys(steps.slice(0, -1), name) };
    const [wanted, own] = [parts[0] ?? part, part].map(({ keys }) => [...keys.keys()].sort().join(', '));
    if (own !== wanted) {
      throw new FormatError({
        subject: name,
        problem: 'lies in folders of other keys than the files before',
        received: own,
        allowed: wanted,
      });
    }
    parts.push(part);
  }
  if (parts.length === 0) throw noRows(source);
  return parts;
}

/** What is used again for each part. */
interface PartMemory {
  readonly shared: SharedSchema;
  readonly pool: SlabPool;
}

/** Parts of at most so many bytes are read at once. */
const AT_ONCE_BYTES = 262_144;

function bufferOf(all: Uint8Array): FileInMemory {
  return { all, byteLength: all.length, slice: (start, end) => all.slice(start, end).buffer as ArrayBuffer };
}

/** The batches of a file; none if it has no rows. */
async function* batchesOfPart(
  { path, source }: Part,
  format: TableFileFormat,
  { tableBytes = TABLE_BYTES, codedTexts, report, shared, pool }: TableOptions & PartMemory,
  work: Work,
): AsyncGenerator<RecordBatch> {
  const file = await DiskFile.open(path, source, work);
  try {
    // A short part is read at once: some reads of each column would take longer.
    const bytes = file.size <= AT_ONCE_BYTES ? new Uint8Array(await file.slice(0)) : undefined;
    const head = bytes?.subarray(0, HEAD_BYTES) ?? new Uint8Array(await file.slice(0, HEAD_BYTES));
    const { name, words } = tableFormat(unpackedStart(head), source);
    if (name !== format.name) {
      const allowed = `${format.words} files alone in one table`;
      throw new FormatError({ subject: source, problem: `is not ${format.words}`, received: words, allowed });
    }
    if (name === parquet.name) {
      yield* parquetBatches(bytes === undefined ? file : bufferOf(bytes), source, {
        bytes: tableBytes,
        codedTexts,
        report,
        shared,
        pool,
      });
    } else {
      const all = bytes ?? new Uint8Array(await file.slice(0));
      yield* (await (await openTable(fileOfBytes(all, source, work), { report })).read()).batches;
    }
    await file.checkUnchanged();
  } catch (cause) {
    // Spark writes files without rows.
    if (isPlumecastError(cause, 'data') && cause.problem === noRows(source).problem) return;
    await file.checkUnchanged(cause);
    throw cause;
  } finally {
    await file.close();
  }
}

/**
 * The schema of the first file, with its columns nullable as those of other files may be, and the keys it does not
 * have.
 */
function withKeys({ fields, metadata }: Schema, keys: ReadonlyMap<string, KeyColumn>): Schema {
  const own = fields.map((field) => (field.nullable ? field : field.clone({ nullable: true })));
  const names = new Set(fields.map(({ name }) => name));
  const others = [...keys.values()].map(({ field }) => field).filter(({ name }) => !names.has(name));
  return quickSchema(new Schema([...own, ...others], metadata));
}

/** A batch with the keys, its columns in the order of the schema. */
function keyedBatch(batch: RecordBatch, schema: Schema, keys: ReadonlyMap<string, KeyColumn>, part: Part): RecordBatch {
  const places = new Map(batch.schema.fields.map(({ name }, place) => [name, place]));
  const children = schema.fields.map(({ name }) => {
    const place = places.get(name);
    const text = part.keys.get(name) ?? null;
    if (place === undefined) return (keys.get(name) as KeyColumn).rows(text, batch.numRows);
    const data = batch.data.children[place];
    if (keys.has(name)) assertKeyColumn(makeVector(data), name, text, part.source);
    return data;
  });
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: batch.numRows, nullCount: 0, children }));
}

/** Throws a FormatError unless a file has the columns, types and metadata of the first one. */
function assertSameSchema(schema: Schema, first: { schema: Schema; file: string }, file: string): void {
  const differs = (subject: string, received: unknown, allowed: unknown) =>
    new FormatError({
      subject: `${file}, ${subject}`,
      problem: `differs from ${first.file}`,
      received: String(received ?? 'none'),
      allowed: String(allowed ?? 'none'),
    });
  const own = new Map(schema.fields.map((field) => [field.name, field]));
  for (const field of first.schema.fields) {
    const { name } = field;
    const other = own.get(name);
    if (other === undefined || !util.compareTypes(field.type, other.type)) {
      throw differs(`column ${name}`, other?.type ?? 'no such column', field.type);
    }
    assertSameMetadata(other.metadata, field.metadata, (key, value, wanted) =>
      differs(`column ${name}, metadata ${key}`, value, wanted),
    );
    own.delete(name);
  }
  for (const [name, { type }] of own) throw differs(`column ${name}`, type, 'no such column');
  assertSameMetadata(schema.metadata, first.schema.metadata, (key, value, wanted) =>
    differs(`metadata ${key}`, value, wanted),
  );
}

function assertSameMetadata(
  own: ReadonlyMap<string, string>,
  first: ReadonlyMap<string, string>,
  differs: (key: string, own: string | undefined, first: string | undefined) => FormatError,
): void {
  for (const key of new Set([...first.keys(), ...own.keys()])) {
    if (!OF_ONE_FILE.test(key) && own.get(key) !== first.get(key)) throw differs(key, own.get(key), first.get(key));
  }
}
