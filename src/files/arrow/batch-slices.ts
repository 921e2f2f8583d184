import { type DataType as AnyType, DataType, type Field, Message, type Schema } from 'apache-arrow';
import { FormatError } from '../../errors.js';
import { valueArray } from '../../table/arrow/value-array.js';
import type { BatchHeader } from './arrow-messages.js';
import { aligned, encapsulate } from './arrow-messages.js';

/** One buffer of an uncompressed batch: bits or numbers, row after row. */
interface RowBuffer {
  readonly bitsPerRow: number;
  /** Where it begins in the file, and its bytes: 0 if no row is null. */
  readonly offset: number;
  readonly bytes: number;
}

/** A batch whose rows can be read in slices. */
export interface RowLayout {
  readonly header: BatchHeader;
  readonly buffers: readonly RowBuffer[];
}

/** Slices begin at the start of a byte in each bitmap. */
const ROWS_STEP = 64;

/**
 * The places of the rows of an uncompressed batch whose body begins at `bodyAt` in the file; undefined if a column has
 * no fixed width. Throws a FormatError that begins with `source` if a buffer is too short.
 */
export function rowLayout(schema: Schema, header: BatchHeader, bodyAt: number, source: string): RowLayout | undefined {
  if (header.compression != null) return undefined;
  const widths = schema.fields.map(({ type }) => bufferWidths(type, 1));
  if (widths.includes(undefined)) return undefined;
  const buffers: RowBuffer[] = [];
  let at = 0;
  schema.fields.forEach((field, column) => {
    for (const bitsPerRow of widths[column] as number[]) {
      const { offset, length: bytes } = header.buffers[at++] ?? { offset: 0, length: 0 };
      if (bytes > 0 && bytes * 8 < bitsPerRow * header.length) throw shortColumn(field, source);
      buffers.push({ bitsPerRow, offset: bodyAt + offset, bytes });
    }
  });
  return { header, buffers };
}

/** The bits of a row in each buffer of a column; undefined if that is not fixed. */
function bufferWidths(type: AnyType, perRow: number): number[] | undefined {
  const validity = perRow;
  if (DataType.isFixedSizeList(type)) {
    const values = bufferWidths(type.children[0].type, perRow * type.listSize);
    return values && [validity, ...values];
  }
  const bits = valueBits(type);
  return bits === undefined ? undefined : [validity, perRow * bits];
}

function valueBits(type: AnyType): number | undefined {
  if (DataType.isBool(type)) return 1;
  if (DataType.isDecimal(type)) return type.bitWidth;
  const ArrayType = valueArray(type);
  return ArrayType && 8 * ArrayType.BYTES_PER_ELEMENT;
}

/** Parts of the file, each with the message of a batch of some rows and their values, of about `bytes` bytes. */
export function* slices({ header, buffers }: RowLayout, bytes: number): Generator<FilePart> {
  const bitsPerRow = buffers.reduce((sum, buffer) => sum + (buffer.bytes > 0 ? buffer.bitsPerRow : 0), 0);
  const step = Math.max(1, Math.floor((bytes * 8) / bitsPerRow / ROWS_STEP)) * ROWS_STEP;
  for (let row = 0; row < header.length; row += step) {
    yield slice(header, buffers, row, Math.min(step, header.length - row));
  }
}

function slice(header: BatchHeader, buffers: readonly RowBuffer[], row: number, rows: number): FilePart {
  const regions: { offset: number; length: number }[] = [];
  const reads: FileRead[] = [];
  let end = 0;
  for (const { bitsPerRow, offset, bytes } of buffers) {
    const length = bytes === 0 ? 0 : Math.ceil((rows * bitsPerRow) / 8);
    regions.push({ offset: end, length });
    if (length > 0) reads.push({ from: offset + (row * bitsPerRow) / 8, to: end, length });
    end = aligned(end + length);
  }
  const head = batchMessage(header, rows, regions, end);
  return {
    head,
    bytes: head.length + end,
    reads: reads.map((read) => ({ ...read, to: head.length + read.to })),
  };
}

/** The encapsulated message of a batch with `rows` rows of the batch of `header`. */
function batchMessage(
  header: BatchHeader,
  rows: number,
  regions: readonly { offset: number; length: number }[],
  bodyBytes: number,
): Uint8Array {
  // apache-arrow exports neither this class nor that of a node, but an instance knows its constructor.
  const Header = header.constructor as new (
    ...parts: [length: number, nodes: BatchHeader['nodes'], buffers: BatchHeader['buffers'], compression: null]
  ) => BatchHeader;
  const nodes = header.nodes.map(({ length: allRows, nullCount }) => {
    const length = Math.round(allRows / header.length) * rows;
    // An upper bound: a bitmap is read if there is any null.
    return { length, nullCount: Math.min(nullCount, length) };
  });
  return encapsulate(Message.encode(Message.from(new Header(rows, nodes, [...regions], null), bodyBytes)));
}

function shortColumn({ name }: Field, source: string): FormatError {
  return new FormatError({ subject: source, problem: `has too few bytes for the column ${name}` });
}

/** A read of bytes from a file to a place in a part. */
export interface FileRead {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Arrow messages of a file, one after the other as in a stream: the unit of reading. */
export interface FilePart {
  /** The first bytes, which do not come from the file. */
  readonly head?: Uint8Array;
  readonly bytes: number;
  readonly reads: readonly FileRead[];
}
