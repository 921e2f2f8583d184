import { type DataType, Field, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import type { AsyncBuffer, Compressors, DecodedArray, FileMetaData, ParquetParsers, SchemaTree } from 'hyparquet';
import { DataError, FormatError, isPlumecastError } from '../errors.js';
import { loadPackage } from './load-package.js';
import { columnFromChunks } from './parquet-column.js';
import { parquetMetadataMap } from './parquet-metadata.js';
import { arrowTypeOf } from './parquet-types.js';

type Hyparquet = typeof import('hyparquet');

const MAGIC = 'PAR1';

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

/**
 * Reads Parquet bytes into a table, a record batch for each row group and one column at a time.
 *
 * Types are kept (dates as Date32, timestamps with their unit and UTC where they are adjusted to it, lists of numbers as
 * lists), nulls too; the file's key-value metadata become the schema's. Throws a FormatError where the file is cut,
 * corrupt, or has a column of a type that is not read, and a DataError where it has no rows.
 */
export async function readParquet(bytes: Uint8Array, source: string): Promise<Table> {
  const tail = String.fromCharCode(...bytes.subarray(Math.max(MAGIC.length, bytes.length - MAGIC.length)));
  if (tail !== MAGIC || bytes.length < 12) {
    throw new FormatError({
      subject: source,
      problem: 'is a truncated Parquet file',
      allowed: `a file that ends with its footer and ${MAGIC}`,
    });
  }
  const hyparquet = await loadPackage('hyparquet', source, () => import('hyparquet'));
  const file: AsyncBuffer = {
    byteLength: bytes.length,
    slice: (start, end) => bytes.slice(start, end).buffer as ArrayBuffer,
  };
  const metadata = await orCorrupt('has a corrupt Parquet footer', source, () =>
    hyparquet.parquetMetadataAsync(file, { geoparquet: false, parsers: RAW }),
  );
  if (metadata.num_rows === 0n) {
    throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
  }
  const compressors = await compressorsFor(metadata, source);
  const { schema, columns } = await orCorrupt('has a corrupt Parquet footer', source, () =>
    schemaOf(hyparquet.parquetSchema(metadata).children, metadata, source),
  );
  const read = { hyparquet, file, metadata, compressors };
  const batches: RecordBatch[] = [];
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const children = [];
    for (const { name, type } of columns) {
      children.push(
        await orCorrupt(
          `holds corrupt Parquet data in column ${name}, row group ${batches.length + 1}`,
          source,
          async () => columnFromChunks(type, await readChunks(read, name, rowStart, rowEnd), rowEnd - rowStart),
        ),
      );
    }
    const data = makeData({ type: new Struct(schema.fields), length: rowEnd - rowStart, nullCount: 0, children });
    batches.push(new RecordBatch(schema, data));
    rowStart = rowEnd;
  }
  return new Table(schema, batches);
}

/** Loads the codecs' library only where a column needs it. */
async function compressorsFor(metadata: FileMetaData, source: string): Promise<Compressors | undefined> {
  const codecs = metadata.row_groups.flatMap(({ columns }) => columns.map((column) => column.meta_data?.codec));
  if (codecs.every((codec) => codec === undefined || BUILT_IN.has(codec))) return undefined;
  const { compressors } = await loadPackage('hyparquet-compressors', source, () => import('hyparquet-compressors'));
  return compressors;
}

function schemaOf(
  children: SchemaTree[],
  { key_value_metadata }: FileMetaData,
  source: string,
): { schema: Schema; columns: { name: string; type: DataType }[] } {
  const { metadata, arrowSchema } = parquetMetadataMap(key_value_metadata);
  const fields = children.map((child) => {
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
  return { schema: new Schema(fields, metadata), columns: fields.map(({ name, type }) => ({ name, type })) };
}

/** The values of one column in one row group, as hyparquet decodes them. */
async function readChunks(
  {
    hyparquet,
    ...options
  }: { hyparquet: Hyparquet; file: AsyncBuffer; metadata: FileMetaData; compressors?: Compressors },
  name: string,
  rowStart: number,
  rowEnd: number,
): Promise<DecodedArray[]> {
  const chunks: DecodedArray[] = [];
  await hyparquet.parquetRead({
    ...options,
    columns: [name],
    rowStart,
    rowEnd,
    utf8: false,
    geoparquet: false,
    parsers: RAW,
    onChunk: ({ columnData }) => chunks.push(columnData),
  });
  return chunks;
}

async function orCorrupt<T>(problem: string, source: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    throw new FormatError({ subject: source, problem, cause });
  }
}
