import { DataType, Field, Message, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { AsyncBuffer, FileMetaData, KeyValue, SchemaTree } from 'hyparquet';
import { giveTableKernels, type TableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { FormatError, isPlumecastError, OptionError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import type { ByteSpan, RandomAccess } from '../array/random-access.js';
import { checkVectorLengths } from '../arrow/flatbuffer-vectors.js';
import { BufferPool } from '../column-buffers.js';
import { DECRYPT } from '../foreign-format.js';
import { loadPackage } from '../load-package.js';
import { codedTextType } from './column-builders.js';
import { ColumnChunkReader } from './column-chunk.js';
import { type ParquetChunk, type ParquetFooter, readFooter } from './footer.js';
import type { ParquetOptions } from './parquet-options.js';
import { type ParquetLeaf, toArrowType } from './schema-columns.js';
import type { SharedSchema } from './shared-schema.js';

const MAGIC = 'PAR1';
const KERNELS_FROM = 16_384;
/** Columns that are read while one is decoded. */
const COLUMNS_AHEAD = 3;
const KEPT_BYTES = 50_331_648;
/** Bytes that are requested together from a server. */
const FETCHED_BYTES = 33_554_432;
/** The bytes of the marks at both ends, and of the footer's length. */
const MIN_BYTES = 12;

/** What was chosen of a file, and how it is read. */
interface OpenedColumns extends Required<Pick<ParquetOptions, 'kernelsFrom' | 'keptBytes' | 'pool'>> {
  readonly schema: Schema;
  readonly columns: readonly number[];
  readonly shared: SharedSchema | undefined;
}

/** Consecutive rows of one row group, counted from the file's first row; `group` counts from 1. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly group: number;
}

/** The readers of the columns of a row group, as far as they were needed. */
interface GroupReaders {
  readonly group: number;
  readonly columns: ColumnChunkReader[];
  readonly keepsPages: boolean;
}

/** A Parquet file whose footer has been read and checked; its data are read on request. */
export class ParquetFile {
  readonly schema: Schema;
  /** The number of rows. */
  readonly rows: number;
  readonly #file: AsyncBuffer;
  readonly #source: string;
  readonly #footer: ParquetFooter;
  /** The stored leaf of each column of the schema. */
  readonly #leaves: readonly ParquetLeaf[];
  readonly #kernelsFrom: number;
  readonly #keptBytes: number;
  readonly #pool: BufferPool;
  readonly #shared: SharedSchema | undefined;
  /** The readers of the columns of the row group that was read last. */
  #readers: GroupReaders = { group: 0, columns: [], keepsPages: false };

  private constructor(
    file: AsyncBuffer,
    source: string,
    footer: ParquetFooter,
    { schema, columns, kernelsFrom, keptBytes, pool, shared }: OpenedColumns,
  ) {
    const leaves = new Map(footer.leaves.map((leaf) => [leaf.top, leaf]));
    this.#file = file;
    this.#source = source;
    this.#footer = footer;
    this.#leaves = columns.map((column) => leaves.get(column) as ParquetLeaf);
    this.rows = footer.groups.rows;
    this.schema = schema;
    this.#kernelsFrom = kernelsFrom;
    this.#keptBytes = keptBytes;
    this.#pool = pool;
    this.#shared = shared;
  }

  /**
   * Reads the footer. The schema has the requested columns, in the order of the file; by default all, except structs
   * and maps, about which `report` receives a note. Throws a FormatError if the file is truncated, corrupt or
   * encrypted, or has a column of a type that is not read; an OptionError for a column that it does not have; and what
   * `file` throws.
   */
  static async open(
    file: AsyncBuffer,
    source: string,
    { columns, codedTexts = false, report, ...options }: ParquetOptions = {},
  ): Promise<ParquetFile> {
    const { kernelsFrom = KERNELS_FROM, keptBytes = KEPT_BYTES, pool = new BufferPool(), shared } = options;
    if (file.byteLength < MIN_BYTES) throw truncated(source);
    const tail = await file.slice(file.byteLength - MAGIC.length, file.byteLength);
    if (String.fromCharCode(...new Uint8Array(tail)) !== MAGIC) throw truncated(source);
    const hyparquet = await loadPackage('hyparquet', source, () => import('hyparquet'));
    const problem = 'has a corrupt Parquet footer';
    const footer = await orCorrupt(problem, source, () => readFooter(file, hyparquet, shared));
    const all = selectColumns(footer.tree.children, columns, source);
    const selected = columns === undefined ? withoutStructs(footer.tree.children, all, report) : all;
    assertPlain(footer, selected, source);
    const children = selected.map((index) => footer.tree.children[index]);
    const create = () => createSchema(children, footer.metadata, { source, codedTexts, shared });
    const schema = shared?.table ?? (await orCorrupt(problem, source, create));
    if (shared !== undefined) shared.table = schema;
    return new ParquetFile(file, source, footer, { schema, columns: selected, kernelsFrom, keptBytes, pool, shared });
  }

  /** The rows of each row group, in order. */
  *rowGroups(): Generator<RowRange> {
    for (let index = 0; index < this.#footer.groups.count; index++) {
      yield { ...this.#footer.groups.range(index), group: index + 1 };
    }
  }

  /** The chunk of a column in a row group, if the file stores it. */
  columnChunk(group: number, column: number): ParquetChunk | undefined {
    return this.#footer.groups.chunks(group - 1)[this.#leaves[column].index];
  }

  /** The bytes of a row group's columns, as stored. */
  #storedBytes(group: number): number {
    const chunks = this.#leaves.map((_, column) => this.columnChunk(group, column));
    return chunks.reduce((sum, chunk) => sum + (chunk === undefined ? 0 : chunk.end - chunk.start), 0);
  }

  /** Brings the columns of a row group, and of the next ones where these are short, where the file is elsewhere. */
  async #fetch(group: number): Promise<void> {
    const { fetch } = this.#file as Partial<RandomAccess>;
    if (fetch === undefined) return;
    const spans: ByteSpan[] = [];
    for (let [next, bytes] = [group, 0]; next <= this.#footer.groups.count && bytes < FETCHED_BYTES; next++) {
      bytes += this.#storedBytes(next);
      const chunks = this.#leaves.flatMap((_, column) => this.columnChunk(next, column) ?? []);
      spans.push(...chunks.map(({ start, end }) => ({ offset: start, length: end - start })));
    }
    await fetch.call(this.#file, spans);
  }

  /**
   * Reads the rows of a range, one column after the other. Throws a FormatError if the data are corrupt, and what the
   * file throws.
   */
  async batch({ start, end, group }: RowRange): Promise<RecordBatch> {
    const { start: first, end: last } = this.#footer.groups.range(group - 1);
    if (this.#readers.group !== group) {
      this.#readers = { group, columns: [], keepsPages: this.#storedBytes(group) <= this.#keptBytes };
      await this.#fetch(group);
    }
    // Of many short files, each has few rows.
    const rows = (last - first) * (this.#shared?.files ?? 1);
    const tools = rows >= this.#kernelsFrom ? await takeTableKernels() : undefined;
    try {
      return await this.#batch({ start: start - first, end: end - first, group }, this.#readers, tools);
    } finally {
      if (tools !== undefined) giveTableKernels(tools);
    }
  }

  /** Reads rows of a row group, counted from its first one. */
  async #batch(
    { start, end, group }: RowRange,
    { columns: readers, keepsPages }: GroupReaders,
    tools: TableKernels | undefined,
  ): Promise<RecordBatch> {
    const { fields } = this.schema;
    const readerOf = (column: number) => {
      const chunk = this.columnChunk(group, column);
      if (chunk === undefined) return undefined;
      readers[column] ??= new ColumnChunkReader(this.#file, this.#leaves[column], chunk, fields[column].type, {
        pool: this.#pool,
        keepsPages,
        texts: this.#shared?.textsOf(this.#leaves[column].index),
      });
      return readers[column];
    };
    const children = [];
    let next = 1;
    for (const [column, { name }] of fields.entries()) {
      try {
        const reader = readerOf(column);
        if (reader === undefined) throw new RangeError('it is in another file');
        const read = reader.read(start, end, tools);
        // The file is read while values are decoded.
        for (; next <= column + COLUMNS_AHEAD && next < fields.length; next++) readerOf(next)?.readAhead(start, end);
        children.push(await read);
      } catch (cause) {
        throw corrupt(`holds corrupt Parquet data in column ${name}, row group ${group}`, this.#source, cause);
      }
    }
    const data = makeData({ type: new Struct(this.schema.fields), length: end - start, nullCount: 0, children });
    return new RecordBatch(this.schema, data);
  }
}

/** The names of the columns of a file. Throws as `ParquetFile.open` does. */
export async function parquetColumns(file: AsyncBuffer, source: string): Promise<string[]> {
  return (await ParquetFile.open(file, source)).schema.fields.map(({ name }) => name);
}

/** The indices of the named columns, in the order of the file. */
function selectColumns(
  children: readonly SchemaTree[],
  columns: readonly string[] | undefined,
  source: string,
): number[] {
  const names = children.map(({ element }) => element.name);
  if (columns === undefined) return [...names.keys()];
  const known = new Set(names);
  const missing = columns.filter((name) => !known.has(name));
  if (missing.length > 0) {
    throw new OptionError({
      subject: `${source}, columns`,
      problem: 'not in the file',
      received: missing.join(', '),
      allowed: names.join(', '),
    });
  }
  const requested = new Set(columns);
  return [...names.keys()].filter((index) => requested.has(names[index]));
}

/** Throws a FormatError for a column that is encrypted. */
function assertPlain({ groups, leaves, tree }: ParquetFooter, selected: readonly number[], source: string): void {
  const encrypted = leaves.find(({ index, top }) => groups.encrypted.has(index) && selected.includes(top));
  if (encrypted === undefined) return;
  throw new FormatError({
    subject: `${source}, column ${tree.children[encrypted.top].element.name}`,
    problem: 'is encrypted Parquet, which is not read',
    allowed: DECRYPT,
  });
}

/** Leaves out structs and maps, which tables may have beside their values, unless there are no other columns. */
function withoutStructs(
  children: readonly SchemaTree[],
  all: readonly number[],
  report: ParquetOptions['report'],
): readonly number[] {
  const isStruct = (index: number) => ['a struct', 'a map'].includes(typeInWords(children[index]));
  const left = all.filter(isStruct);
  if (left.length === 0 || left.length === all.length) return all;
  const names = left.map((index) => `${children[index].element.name} (${typeInWords(children[index])})`);
  report?.(`${left.length === 1 ? 'column' : 'columns'} left out: ${names.join(', ')}`);
  return all.filter((index) => !isStruct(index));
}

/** What a column of a type that is not read holds. */
function typeInWords({ element, children }: SchemaTree): string {
  const group = element.logical_type?.type ?? element.converted_type;
  if (group === 'MAP' || group === 'MAP_KEY_VALUE') return 'a map';
  const isRepeated = element.repetition_type === 'REPEATED';
  if (group !== 'LIST') return children.length > 0 && !isRepeated ? 'a struct' : 'repeated values that are not a list';
  const item = children[0]?.children[0];
  if (item === undefined) return 'a list of two levels';
  const isList = item.element.logical_type?.type === 'LIST' || item.element.converted_type === 'LIST';
  return isList ? 'lists of lists' : 'lists of structs';
}

function createSchema(
  children: SchemaTree[],
  { key_value_metadata }: FileMetaData,
  {
    source,
    codedTexts,
    shared,
  }: Pick<ParquetOptions, 'shared'> & {
    readonly source: string;
    readonly codedTexts: boolean;
  },
): Schema {
  const { metadata, arrowSchema } = readMetadata(key_value_metadata);
  const notedFields = new Map(arrowSchema?.fields.toReversed().map((field) => [field.name, field]));
  const fields = children.map((child): Field<DataType> => {
    const { name, repetition_type } = child.element;
    const noted = notedFields.get(name);
    const type = toArrowType(child, noted?.type);
    if (type === undefined) {
      throw new FormatError({
        subject: `${source}, column ${name}`,
        problem: 'has a Parquet type that is not read',
        received: typeInWords(child),
        allowed: 'numbers, dates, timestamps, texts, booleans, and lists of them',
      });
    }
    const own =
      codedTexts && DataType.isUtf8(type) ? (shared?.codedType(name, codedTextType) ?? codedTextType()) : type;
    return new Field(name, own, repetition_type !== 'REQUIRED', noted?.metadata);
  });
  return quickSchema(new Schema(fields, metadata));
}

function truncated(source: string): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is a truncated Parquet file',
    allowed: `a file that ends with its footer and ${MAGIC}`,
  });
}

async function orCorrupt<T>(problem: string, source: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw corrupt(problem, source, cause);
  }
}

/** The error for corrupt bytes; errors of the library stay as they are. */
function corrupt(problem: string, source: string, cause: unknown): unknown {
  if (isPlumecastError(cause)) return cause;
  const detail = cause instanceof RangeError ? `: ${cause.message}` : '';
  return new FormatError({ subject: source, problem: `${problem}${detail}`, cause });
}

const ARROW_SCHEMA = 'ARROW:schema';

/** The key-value metadata of a Parquet file, including those of the Arrow schema in it, and this schema. */
function readMetadata(entries: readonly KeyValue[] = []): {
  metadata: Map<string, string>;
  arrowSchema: Schema | undefined;
} {
  const metadata = new Map<string, string>();
  let arrowSchema: Schema | undefined;
  for (const { key, value } of entries) {
    if (key === ARROW_SCHEMA) arrowSchema = decodeSchema(value ?? '');
    else metadata.set(key, value ?? '');
  }
  for (const [key, value] of arrowSchema?.metadata ?? []) metadata.set(key, value);
  return { metadata, arrowSchema };
}

/** Decodes the schema in an encapsulated IPC message in base64; `undefined` if it is unreadable, as it is optional. */
function decodeSchema(base64: string): Schema | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const content = bytes.subarray(8);
    checkVectorLengths(content);
    const message = Message.decode(content);
    return message.isSchema() ? (message.header() as unknown as Schema) : undefined;
  } catch {
    return undefined;
  }
}
