import { type DataType, DataType as Is, type RecordBatch, Table } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import { Work } from '../../check/work.js';
import { DataError } from '../../errors.js';
import { valueArray } from '../../table/arrow/value-array.js';
import type { ParquetChunk } from './footer.js';
import { maxDecompressedBytes } from './page-codecs.js';
import { ParquetFile, type RowRange } from './parquet-file.js';
import type { ParquetBatchesOptions } from './parquet-options.js';

/**
 * Reads Parquet bytes into a table, a record batch for each row group and one column at a time.
 *
 * Types are kept (dates as Date32, timestamps with their unit and UTC where they are adjusted to it, lists of numbers
 * as lists), as are nulls; the file's key-value metadata become the schema's. Structs and maps are left out, and
 * `report` receives a note about them. Throws a FormatError if the file is truncated, corrupt, encrypted or has a
 * column of a type that is not read, and a DataError if it has no rows.
 */
export async function readParquet(
  bytes: Uint8Array,
  source: string,
  { report }: { report?: (note: string) => void } = {},
  work = new Work({}, 'bytes'),
): Promise<Table> {
  const slice = (start: number, end?: number) => {
    const part = bytes.slice(start, end);
    work.advance(part.length);
    return part.buffer as ArrayBuffer;
  };
  const buffer: AsyncBuffer = {
    byteLength: bytes.length,
    slice: (start, end) => (work.isDue ? work.pause().then(() => slice(start, end)) : slice(start, end)),
  };
  const file = await ParquetFile.open(buffer, source, { report });
  assertRows(file, source);
  const batches: RecordBatch[] = [];
  for (const rows of file.rowGroups()) batches.push(await file.batch(rows));
  return new Table(file.schema, batches);
}

/** Throws a DataError if a file has no rows. */
function assertRows({ rows }: ParquetFile, source: string): void {
  if (rows > 0) return;
  throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
}

/** Approximate bytes of memory of one table, by default. */
export const TABLE_BYTES = 33_554_432;

/**
 * Reads a Parquet file record batch by record batch: together they have the rows and the schema of `readParquet`. A row
 * group is one batch if it needs no more memory than requested; otherwise it is cut into batches of equal size, each of
 * which reads the pages that it needs: where the first one finds them, or an offset index. Row groups with columns of
 * lists are never cut.
 *
 * Throws as `readParquet` does, an OptionError for a column that is not in the file, and what `file` throws.
 */
export async function* parquetBatches(
  buffer: AsyncBuffer,
  source: string,
  options: ParquetBatchesOptions,
): AsyncGenerator<RecordBatch> {
  const { count, read } = await parquetParts(buffer, source, options);
  for (let index = 0; index < count; index++) yield await read(index);
}

/** The batches of `parquetBatches`, each read by its index, in any order. Throws as `parquetBatches` does. */
export async function parquetParts(
  buffer: AsyncBuffer,
  source: string,
  { bytes, ...options }: ParquetBatchesOptions,
): Promise<{ readonly count: number; read(index: number): Promise<RecordBatch> }> {
  const file = await ParquetFile.open(buffer, source, options);
  assertRows(file, source);
  const parts: RowRange[] = [];
  for (const group of file.rowGroups()) for (const part of cut(group, rowsIn(bytes, file, group))) parts.push(part);
  return { count: parts.length, read: (index) => file.batch(parts[index]) };
}

function* cut({ start, end, group }: RowRange, maxRows: number): Generator<RowRange> {
  const pieces = Math.ceil((end - start) / maxRows);
  const step = Math.ceil((end - start) / pieces);
  for (let from = start; from < end; from += step) yield { start: from, end: Math.min(from + step, end), group };
}

/** The number of rows of a row group that need about `bytes` bytes. */
function rowsIn(bytes: number, file: ParquetFile, { start, end, group }: RowRange): number {
  let perRow = 0;
  for (const [column, { type }] of file.schema.fields.entries()) {
    const width = widthOf(type);
    if (width === undefined) return Number.POSITIVE_INFINITY;
    perRow += width > 0 ? width : Math.max(TEXT_BYTES, textBytes(file.columnChunk(group, column)) / (end - start));
  }
  return Math.max(1, Math.floor(bytes / perRow));
}

/** The stated bytes of a column's pages, limited to what its codec can make of the stored bytes. */
function textBytes(chunk: ParquetChunk | undefined): number {
  if (chunk === undefined) return 0;
  return Math.min(chunk.decodedBytes, maxDecompressedBytes(chunk.codec, chunk.end - chunk.start));
}

/** The least bytes to assume for a text: repeated texts are stored in fewer bytes. */
const TEXT_BYTES = 24;

/**
 * The bytes of a value in memory: 0 if they vary from row to row; undefined for lists, whose row groups are not cut.
 */
function widthOf(type: DataType): number | undefined {
  if (Is.isList(type) || Is.isFixedSizeList(type)) return undefined;
  if (Is.isUtf8(type) || Is.isBinary(type) || Is.isDictionary(type)) return 0;
  return Is.isBool(type) ? 1 : (valueArray(type)?.BYTES_PER_ELEMENT ?? type.ArrayType.BYTES_PER_ELEMENT);
}
