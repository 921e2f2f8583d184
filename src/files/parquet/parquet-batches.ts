import { type DataType, DataType as Is, type RecordBatch } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import { valueArray } from '../../table/value-array.js';
import type { ParquetChunk } from './footer.js';
import { maxDecompressedBytes } from './page-codecs.js';
import { ParquetFile, type RowRange } from './parquet-file.js';
import { assertRows } from './parquet-read.js';

/** How to read a Parquet file part by part. */
export interface ParquetBatchesOptions {
  /** The columns to read; by default all. */
  readonly columns?: readonly string[];
  /** Approximate limit of the bytes of a record batch. */
  readonly bytes: number;
  /** Receives notes for people about columns that are not read. */
  readonly report?: (note: string) => void;
}

/**
 * Reads a Parquet file record batch by record batch: together they have the rows and the schema of `readParquet`. A row
 * group is one batch if it needs no more memory than requested; otherwise it is cut into batches of equal size, each of
 * which reads the pages that it needs. Without an offset index, the compressed bytes of a column are read in full each
 * time. Row groups with columns of lists are never cut.
 *
 * Throws as `readParquet` does, an OptionError for a column that is not in the file, and what `file` throws.
 */
export async function* parquetBatches(
  buffer: AsyncBuffer,
  source: string,
  { bytes, ...options }: ParquetBatchesOptions,
): AsyncGenerator<RecordBatch> {
  const file = await ParquetFile.open(buffer, source, options);
  assertRows(file, source);
  for (const group of file.rowGroups()) {
    for (const rows of cut(group, rowsIn(bytes, file, group))) yield await file.batch(rows);
  }
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
  const { codec, total_uncompressed_size } = chunk.meta;
  return Math.min(Number(total_uncompressed_size), maxDecompressedBytes(codec, chunk.end - chunk.start));
}

/** The least bytes to assume for a text: repeated texts are stored in fewer bytes. */
const TEXT_BYTES = 24;

/**
 * The bytes of a value in memory: 0 if they vary from row to row; undefined for lists, whose row groups are not cut.
 */
function widthOf(type: DataType): number | undefined {
  if (Is.isList(type) || Is.isFixedSizeList(type)) return undefined;
  if (Is.isUtf8(type) || Is.isBinary(type)) return 0;
  return Is.isBool(type) ? 1 : (valueArray(type)?.BYTES_PER_ELEMENT ?? type.ArrayType.BYTES_PER_ELEMENT);
}
