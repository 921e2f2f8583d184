import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { makeData, makeVector, RecordBatch, Schema, Struct, Table, util } from 'apache-arrow';
import type { Work } from '../../check/work.js';
import { unreadable } from '../../disk/file-fault.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { noRows } from '../arrow/arrow-read.js';
import { BatchGroups } from '../arrow/message-reader.js';
import { DiskFile } from '../disk-file.node.js';
import { HEAD_BYTES } from '../file-access.js';
import type { FolderAccess, OpenedTable, TableOptions } from '../format.js';
import { tableFormat } from '../open-source.js';
import { parquetBatches, TABLE_BYTES } from './parquet-batches.js';
import type { ParquetBatchesOptions } from './parquet-options.js';
import { assertKeyColumn, type FileKeys, isKeyFolder, KeyColumn, readKeys } from './partition-keys.js';

/*
 * Folders of Parquet files partitioned by keys, as Spark, DuckDB, Polars and pyarrow write them:
 * `out/date=2026-03-02/part-0.parquet`. One folder is one table: the rows of its files in the natural order of their
 * paths, and the keys as its last columns.
 */

const PARQUET_ENDING = /\.(parquet|pq)$/i;
/** Metadata that only describe how one file is stored. */
const OF_ONE_FILE = /^(pandas|ARROW:schema|PARQUET:field_id|org\.apache\.spark\..*)$/;

/** Opens a partitioned folder: its tables, and all of them as one. */
export function openPartitionedFolder(
  { path, source, work }: FolderAccess,
  { tableBytes = TABLE_BYTES, report }: TableOptions,
): OpenedTable {
  const tables = () => tablesOfFolder(path, source, { bytes: tableBytes, report }, work);
  const read = async () => {
    const batches: RecordBatch[] = [];
    for await (const table of tables()) batches.push(...table.batches);
    return new Table(batches);
  };
  return { read, tables };
}

/** Whether a folder has Parquet files in folders of keys. Throws FileError. */
export async function isPartitionedFolder(path: string): Promise<boolean> {
  const folders = (await visibleEntries(path)).filter((entry) => entry.isDirectory() && isKeyFolder(entry.name));
  for (const { name } of folders) {
    const first = await firstFile(join(path, name));
    if (first !== undefined) return PARQUET_ENDING.test(first);
  }
  return false;
}

/**
 * Reads the table of a partitioned folder, part by part, as `readTables` does. A column that is both in the files and
 * a key is that of the files, which must have the value of the key. Throws FileError, FormatError and DataError; an
 * error names the file of the folder.
 */
async function* tablesOfFolder(
  folder: string,
  source: string,
  options: Pick<ParquetBatchesOptions, 'bytes' | 'report'>,
  work: Work,
): AsyncGenerator<Table> {
  const parts = await findParts(folder, source);
  const keys = new Map(
    [...parts[0].keys.keys()].map((name) => [
      name,
      new KeyColumn(
        name,
        parts.map((part) => part.keys.get(name) ?? null),
      ),
    ]),
  );
  const groups = new BatchGroups();
  let first: { readonly schema: Schema; readonly all: Schema; readonly file: string } | undefined;
  for (const part of parts) {
    for await (const batch of batchesOfPart(part, options, work)) {
      first ??= { schema: batch.schema, all: withKeys(batch.schema, keys), file: part.source };
      if (batch.schema !== first.schema) assertSameSchema(batch.schema, first, part.source);
      const table = groups.add(keyedBatch(batch, first.all, keys, part));
      if (table !== undefined) yield table;
    }
  }
  if (first === undefined) throw noRows(source);
  const last = groups.end();
  if (last !== undefined) yield last;
}

/** A file of a partitioned folder. */
interface Part {
  readonly path: string;
  /** Its name in messages. */
  readonly source: string;
  readonly keys: FileKeys;
}

/**
 * The names in a folder that are not hidden, in natural order; Spark and pyarrow hide those that begin with _ or a dot.
 */
async function visibleEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
  const { compare } = new Intl.Collator('en', { numeric: true });
  return entries
    .filter(({ name }) => isKeyFolder(name) || !/^[._]/.test(name))
    .sort((a, b) => compare(a.name, b.name) || (a.name < b.name ? -1 : 1));
}

async function firstFile(folder: string): Promise<string | undefined> {
  for (const entry of await visibleEntries(folder)) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory() ? await firstFile(path) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await visibleEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
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

/** The batches of a file; none if it has no rows. */
async function* batchesOfPart(
  { path, source }: Part,
  options: Pick<ParquetBatchesOptions, 'bytes' | 'report'>,
  work: Work,
): AsyncGenerator<RecordBatch> {
  const file = await DiskFile.open(path, source, work);
  try {
    const { name } = tableFormat(new Uint8Array(await file.slice(0, HEAD_BYTES)), source);
    if (name !== 'parquet') {
      const allowed = 'Parquet files alone in a folder of keys';
      throw new FormatError({ subject: source, problem: 'is not Parquet', received: name, allowed });
    }
    yield* parquetBatches(file, source, options);
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
