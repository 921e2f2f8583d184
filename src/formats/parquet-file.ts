import { type DataType, Field, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { AsyncBuffer, Compressors, DecodedArray, FileMetaData, ParquetParsers, SchemaTree } from 'hyparquet';
import { FormatError, isPlumecastError, OptionError } from '../errors.js';
import { loadPackage } from './load-package.js';
import { columnFromChunks, withinRows } from './parquet-column.js';
import { parquetMetadataMap } from './parquet-metadata.js';
import { arrowTypeOf } from './parquet-types.js';

type Hyparquet = typeof import('hyparquet');

const MAGIC = 'PAR1';
/** Those of the marks at both ends, and of the footer's length. */
const FEWEST_BYTES = 12;

/** Codecs that hyparquet decodes by itself. */
const BUILT_IN = new Set(['UNCOMPRESSED', 'SNAPPY']);

/** Keeps raw numbers and bytes instead of the Dates and strings that hyparquet makes by default. */
const RAW: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => value,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value,
  dateFromDays: (value) => value,
  stringFromBytes: (value) => value,
  jsonFromBytes: (value) => value,
};

/** What it takes to read from a file. */
interface Reading {
  readonly hyparquet: Hyparquet;
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly compressors?: Compressors;
}

/** Consecutive rows of one row group, counted from the file's first row; `group` counts from 1. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly group: number;
}

/** A Parquet file whose footer has been read; of its data, what is asked for. */
export class ParquetFile {
  readonly schema: Schema;
  readonly metadata: FileMetaData;
  readonly #source: string;
  readonly #read: Reading;

  private constructor(read: Reading, schema: Schema, source: string) {
    this.#read = read;
    this.#source = source;
    this.metadata = read.metadata;
    this.schema = schema;
  }

  /**
   * Reads the footer. The schema has the columns named, in the order of the file; by default all. Throws a FormatError where the file
   * is cut or corrupt, or has a column of a type that is not read; an OptionError for a column that it does not have; and what `file`
   * throws.
   */
  static async open(file: AsyncBuffer, source: string, columns?: readonly string[]): Promise<ParquetFile> {
    if (file.byteLength < FEWEST_BYTES) throw truncated(source);
    const tail = await file.slice(file.byteLength - MAGIC.length, file.byteLength);
    if (String.fromCharCode(...new Uint8Array(tail)) !== MAGIC) throw truncated(source);
    const hyparquet = await loadPackage('hyparquet', source, () => import('hyparquet'));
    const metadata = await orCorrupt('has a corrupt Parquet footer', source, () =>
      hyparquet.parquetMetadataAsync(file, { geoparquet: false, parsers: RAW }),
    );
    const compressors = await compressorsFor(metadata, source);
    const schema = await orCorrupt('has a corrupt Parquet footer', source, () => {
      const { children } = hyparquet.parquetSchema(metadata);
      return schemaOf(wanted(children, columns, source), metadata, source);
    });
    return new ParquetFile({ hyparquet, file, metadata, compressors }, schema, source);
  }

  /** The rows of each row group, in order. */
  rowGroups(): RowRange[] {
    let end = 0;
    return this.metadata.row_groups.map(({ num_rows }, i) => {
      const start = end;
      end += Number(num_rows);
      return { start, end, group: i + 1 };
    });
  }

  /** The rows of a range, one column after the other. Throws a FormatError where the data are corrupt, and what the file throws. */
  async batch({ start, end, group }: RowRange): Promise<RecordBatch> {
    const children = [];
    for (const { name, type } of this.schema.fields) {
      const problem = `holds corrupt Parquet data in column ${name}, row group ${group}`;
      children.push(
        await orCorrupt(problem, this.#source, async () =>
          columnFromChunks(type, await this.#chunks(name, start, end), end - start),
        ),
      );
    }
    const data = makeData({ type: new Struct(this.schema.fields), length: end - start, nullCount: 0, children });
    return new RecordBatch(this.schema, data);
  }

  /** The values of a column as hyparquet decodes them: by pages, of which the outer ones may have rows beside those asked for. */
  async #chunks(name: string, rowStart: number, rowEnd: number): Promise<DecodedArray[]> {
    const chunks: DecodedArray[] = [];
    const { hyparquet, ...options } = this.#read;
    await hyparquet.parquetRead({
      ...options,
      columns: [name],
      rowStart,
      rowEnd,
      useOffsetIndex: true,
      utf8: false,
      geoparquet: false,
      parsers: RAW,
      onChunk: ({ columnData, rowStart: first }) => {
        const rows = withinRows(columnData, rowStart - first, rowEnd - first);
        if (rows.length > 0) chunks.push(rows);
      },
    });
    return chunks;
  }
}

function wanted(children: SchemaTree[], columns: readonly string[] | undefined, source: string): SchemaTree[] {
  if (columns === undefined) return children;
  const names = children.map(({ element }) => element.name);
  const lacking = columns.filter((name) => !names.includes(name));
  if (lacking.length > 0) {
    throw new OptionError({
      subject: `${source}, columns`,
      problem: 'not in the file',
      received: lacking.join(', '),
      allowed: names.join(', '),
    });
  }
  return children.filter(({ element }) => columns.includes(element.name));
}

/** Loads the codecs' library only where a column needs it. */
async function compressorsFor(metadata: FileMetaData, source: string): Promise<Compressors | undefined> {
  const codecs = metadata.row_groups.flatMap(({ columns }) => columns.map((column) => column.meta_data?.codec));
  if (codecs.every((codec) => codec === undefined || BUILT_IN.has(codec))) return undefined;
  const { compressors } = await loadPackage('hyparquet-compressors', source, () => import('hyparquet-compressors'));
  return compressors;
}

function schemaOf(children: SchemaTree[], { key_value_metadata }: FileMetaData, source: string): Schema {
  const { metadata, arrowSchema } = parquetMetadataMap(key_value_metadata);
  const fields = children.map((child): Field<DataType> => {
    const { name, repetition_type } = child.element;
    const noted = arrowSchema?.fields.find((field) => field.name === name);
    const type = arrowTypeOf(child, noted?.type);
    if (type === undefined) {
      throw new FormatError({
        subject: `${source}, column ${name}`,
        problem: 'has a Parquet type that is not read',
        received: child.element.logical_type?.type ?? child.element.converted_type ?? child.element.type ?? 'group',
        allowed: 'numbers, dates, timestamps, texts, booleans, and lists of them',
      });
    }
    return new Field(name, type, repetition_type !== 'REQUIRED', noted?.metadata);
  });
  return new Schema(fields, metadata);
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
    if (isPlumecastError(cause)) throw cause;
    throw new FormatError({ subject: source, problem, cause });
  }
}
