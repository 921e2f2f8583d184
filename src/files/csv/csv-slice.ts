import type { Table } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import type { RandomAccess } from '../array/random-access.js';
import { BufferPool } from '../column-buffers.js';
import { CellBlock } from './cell-block.js';
import { type DecimalMark, NumberCells } from './decimal-mark.js';
import { type ColumnKind, TypedTables } from './typed-tables.js';

/** How the rows of a CSV file are read from byte `from` on, in slices of bytes. */
export interface CsvSlices {
  readonly from: number;
  readonly sliceBytes: number;
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  readonly delimiter: string;
  readonly mark: DecimalMark;
  readonly isMarkGiven: boolean;
  readonly rowsAtOnce: number;
}

/** The rows of a slice: those that begin within its bytes. */
export interface CsvSlice {
  readonly tables: readonly Table[];
  readonly rows: number;
  readonly lines: number;
  /** Whether it has letters of UTF-8, so that all text has to be. */
  readonly hasLetters: boolean;
}

/** A slice has rows that the kernels do not read, so that the rows behind it may begin elsewhere. */
export class UnknownRowsError extends RangeError {}

const LINE_FEED = 10;
/** Bytes that are read at a time to find the end of a slice. */
const SEARCH_BYTES = 65_536;
/** Bytes that are looked at together. */
const ASCII_BYTES = 1 << 18;

/** The number of slices. */
export function countSlices({ from, sliceBytes }: CsvSlices, byteLength: number): number {
  return Math.ceil((byteLength - from) / sliceBytes);
}

/** Where a slice begins: behind the first line end at its bytes or before them. */
export async function beginningOfSlice(slices: CsvSlices, file: RandomAccess, index: number): Promise<number> {
  const { from, sliceBytes } = slices;
  if (index === 0) return from;
  for (let at = from + index * sliceBytes - 1; at < file.size; at += SEARCH_BYTES) {
    const bytes = new Uint8Array(Math.min(SEARCH_BYTES, file.size - at));
    await file.read(at, bytes);
    const found = bytes.indexOf(LINE_FEED);
    if (found >= 0) return at + found + 1;
  }
  return file.size;
}

/** Reads slices of CSV in UTF-8 by kernels, one at a time. */
export class CsvSliceReader {
  readonly #slices: CsvSlices;
  readonly #file: RandomAccess;
  readonly #tools: TableKernels;
  readonly #pool: BufferPool;
  #buffer = new Uint8Array(0);

  constructor(slices: CsvSlices, file: RandomAccess, tools: TableKernels, pool = new BufferPool()) {
    this.#slices = slices;
    this.#file = file;
    this.#tools = tools;
    this.#pool = pool;
  }

  /**
   * Reads a slice. A row begins where the slice does if one ends where the slice before it does: the slice before has
   * then been read without an error. Throws UnknownRowsError for rows that the kernels do not read, and what the file
   * throws.
   */
  async read(index: number): Promise<CsvSlice> {
    const { bytes, isLast } = await this.#load(index);
    const { memory } = this.#tools;
    const mark = memory.mark();
    try {
      return readRows({ ...this.#slices, pool: this.#pool }, bytes, isLast, this.#tools);
    } finally {
      memory.release(mark);
    }
  }

  /** The bytes of a slice: they and those that its end is searched in are read at once, unless a row is longer. */
  async #load(index: number): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
    const { from, sliceBytes } = this.#slices;
    const file = this.#file;
    const boundary = from + (index + 1) * sliceBytes - 1;
    const first = index === 0 ? from : from + index * sliceBytes - 1;
    const read = this.#bytes(Math.min(file.size, boundary + SEARCH_BYTES) - first);
    await file.read(first, read);
    const start = index === 0 ? 0 : read.indexOf(LINE_FEED) + 1;
    const end = boundary < file.size ? read.indexOf(LINE_FEED, boundary - first) + 1 : read.length;
    if ((start > 0 || index === 0) && end > 0) {
      return { bytes: read.subarray(start, end), isLast: first + end === file.size };
    }
    const [longStart, longEnd] = [
      await beginningOfSlice(this.#slices, file, index),
      await beginningOfSlice(this.#slices, file, index + 1),
    ];
    const bytes = this.#bytes(Math.max(0, longEnd - longStart));
    await file.read(longStart, bytes);
    return { bytes, isLast: longEnd === file.size };
  }

  /** Memory that is used again for each slice. */
  #bytes(count: number): Uint8Array {
    if (this.#buffer.length < count) this.#buffer = new Uint8Array(count + SEARCH_BYTES);
    return this.#buffer.subarray(0, count);
  }
}

function readRows(
  slices: CsvSlices & { readonly pool: BufferPool },
  bytes: Uint8Array,
  isLast: boolean,
  tools: TableKernels,
): CsvSlice {
  const { names, delimiter, mark, isMarkGiven } = slices;
  const numbers = new NumberCells(mark, isMarkGiven);
  const block = new CellBlock(tools, names.length, delimiter, mark);
  const unknown = () => new UnknownRowsError('rows that the kernels do not read');
  const building = new TypedTables({ ...slices, numbers }, () => unknown);
  const tables: Table[] = [];
  let rows = 0;
  let lines = 0;
  const read = (isEnd: boolean) => {
    if (!block.find(isEnd)) throw unknown();
    rows += block.rows;
    lines += block.lines;
    tables.push(...building.addCells(block));
    block.drop();
  };
  const hasLetters = !isAscii(bytes, block);
  if (hasLetters && !isUtf8(bytes)) throw unknown();
  for (let at = 0; at < bytes.length; ) {
    at += block.add(bytes.subarray(at));
    if (block.isFull) read(false);
  }
  // Only the last row of a file may have no line end.
  read(isLast);
  if (!block.isEmpty) throw unknown();
  const last = building.end();
  if (last !== undefined) tables.push(last);
  return { tables, rows, lines, hasLetters };
}

function isAscii(bytes: Uint8Array, block: CellBlock): boolean {
  for (let at = 0; at < bytes.length; at += ASCII_BYTES) {
    if (!block.isAscii(bytes.subarray(at, at + ASCII_BYTES))) return false;
  }
  return true;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** What reads slices: several threads, say. */
export interface SliceReader {
  /**
   * Reads slices in their order; the last one that it gives has an end in the file, or the one behind it has rows that
   * have to be read otherwise.
   */
  read(slices: CsvSlices): AsyncIterable<CsvSlice>;
  /** The bytes from the beginning of a slice on; undefined at the end of the file. */
  piecesFrom(slices: CsvSlices, index: number): Promise<AsyncIterable<Uint8Array> | undefined>;
}
