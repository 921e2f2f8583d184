import type { Statistics } from './column-statistics.js';
import type { ParquetElement } from './parquet-schema.js';
import { type SortedColumn, sortingOfGroups } from './sorted-columns.js';
import { ThriftBytes } from './thrift-bytes.js';

/** A column chunk that is written (ColumnMetaData in parquet.thrift). */
export interface WrittenChunk {
  readonly encodings: readonly number[];
  readonly codec: number;
  readonly values: number;
  /** Bytes of its pages, with their headers, before and after compression. */
  readonly decodedBytes: number;
  readonly storedBytes: number;
  /** Places of its first pages in the file. */
  readonly dictionaryAt: number | undefined;
  readonly dataAt: number;
  readonly statistics: Statistics;
}

export interface WrittenGroup {
  readonly rows: number;
  readonly chunks: readonly WrittenChunk[];
  readonly sorted: readonly SortedColumn[];
}

/** 2.x: logical types, and minima and maxima with a defined order. */
const VERSION = 2;
const REPETITION = { required: 0, optional: 1 };

/** The footer (FileMetaData in parquet.thrift), its length and the mark at the end of a file. */
export function footerBytes(
  elements: readonly ParquetElement[],
  groups: readonly WrittenGroup[],
  metadata: ReadonlyMap<string, string>,
): Uint8Array {
  const footer = ThriftBytes.struct((into) => {
    into.i32(1, VERSION);
    into.structs(2, [undefined, ...elements], (element) => {
      if (element === undefined) {
        into.binary(4, 'root');
        into.i32(5, elements.length);
      } else writeElement(into, element);
    });
    into.i64(
      3,
      groups.reduce((sum, { rows }) => sum + rows, 0),
    );
    const sorting = sortingOfGroups(groups.map(({ sorted }) => sorted));
    into.structs(4, [...groups.entries()], ([index, group]) => writeGroup(into, elements, group, sorting[index]));
    if (metadata.size > 0) {
      into.structs(5, [...metadata], ([key, value]) => {
        into.binary(1, key);
        into.binary(2, value);
      });
    }
    into.binary(6, 'plumecast');
    // Each column is ordered as its type is.
    into.structs(7, elements, () => into.struct(1, () => {}));
  });
  const bytes = new Uint8Array(footer.length + 8);
  bytes.set(footer);
  new DataView(bytes.buffer).setUint32(footer.length, footer.length, true);
  bytes.set(new TextEncoder().encode('PAR1'), footer.length + 4);
  return bytes;
}

function writeElement(into: ThriftBytes, { name, type, isOptional, converted, timestamp }: ParquetElement): void {
  into.i32(1, type);
  into.i32(3, isOptional ? REPETITION.optional : REPETITION.required);
  into.binary(4, name);
  if (converted !== undefined) into.i32(6, converted);
  if (timestamp === undefined) return;
  into.struct(10, () =>
    into.struct(8, () => {
      into.bool(1, timestamp.isUtc);
      into.struct(2, () => into.struct(timestamp.unit, () => {}));
    }),
  );
}

function writeGroup(
  into: ThriftBytes,
  elements: readonly ParquetElement[],
  { rows, chunks }: WrittenGroup,
  sorting: ReturnType<typeof sortingOfGroups>[number],
): void {
  const total = (bytes: (chunk: WrittenChunk) => number) => chunks.reduce((sum, chunk) => sum + bytes(chunk), 0);
  into.structs(1, [...chunks.entries()], ([index, chunk]) => {
    into.i64(2, 0);
    into.struct(3, () => writeChunk(into, elements[index], chunk));
  });
  into.i64(
    2,
    total(({ decodedBytes }) => decodedBytes),
  );
  into.i64(3, rows);
  if (sorting.length > 0) {
    into.structs(4, sorting, ({ column, descending }) => {
      into.i32(1, column);
      into.bool(2, descending);
      // There are no nulls.
      into.bool(3, false);
    });
  }
  into.i64(5, chunks[0].dictionaryAt ?? chunks[0].dataAt);
  into.i64(
    6,
    total(({ storedBytes }) => storedBytes),
  );
}

function writeChunk(into: ThriftBytes, { name, type }: ParquetElement, chunk: WrittenChunk): void {
  into.i32(1, type);
  into.numbers(2, chunk.encodings);
  into.texts(3, [name]);
  into.i32(4, chunk.codec);
  into.i64(5, chunk.values);
  into.i64(6, chunk.decodedBytes);
  into.i64(7, chunk.storedBytes);
  into.i64(9, chunk.dataAt);
  if (chunk.dictionaryAt !== undefined) into.i64(11, chunk.dictionaryAt);
  const { nulls, least, most } = chunk.statistics;
  into.struct(12, () => {
    into.i64(3, nulls);
    if (least === undefined || most === undefined) return;
    into.binary(5, most);
    into.binary(6, least);
  });
}
