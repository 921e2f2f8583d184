import { type DataType as AnyType, DataType, type Schema, Type } from 'apache-arrow';
import { FormatError } from '../../errors.js';
import { isListType } from '../../table/arrow/own-table.js';
import { valueArray } from '../../table/arrow/value-array.js';
import { checkZstdFrames } from '../codecs/zstd-frame.js';
import type { ArrowMessages, BatchHeader, BatchPlace } from './arrow-messages.js';
import { unknownType } from './unknown-type.js';

/** The most rows of a batch: implementations of Arrow use 32-bit integers for lengths. */
const MAX_LENGTH = 0x7fffffff;
/** The length before a compressed buffer; -1 says that the buffer is not compressed after all. */
const PREFIX_BYTES = 8;
const NOT_COMPRESSED = -1n;
const ZSTD = 1;
/** How much longer a buffer may be than its rows need: writers leave spare space. */
const SPARE = { times: 2, bytes: 1_048_576 };
/** How much longer texts may become where their length is not stated: LZ4 makes bytes at most as many times as many. */
const MAX_TIMES = 255;

/**
 * Throws a FormatError if the lengths of batches, of their columns and of their buffers contradict each other or the
 * schema. apache-arrow trusts them: it makes columns shorter or longer, and allocates as much memory as a compressed
 * buffer states.
 */
export function assertBatchLayouts(bytes: Uint8Array, messages: ArrowMessages, schema: Schema, source: string): void {
  for (const [index, batch] of messages.batches.entries()) assertBatchLayout(bytes, batch, schema, source, index);
  for (const dictionary of messages.dictionaries) {
    const type = schema.dictionaries.get(dictionary.id);
    if (type === undefined) {
      const problem = 'has an Arrow dictionary that belongs to no column';
      throw new FormatError({ subject: source, problem, received: dictionary.id });
    }
    walk(bytes, dictionary, [{ name: 'entries', type }], `dictionary ${dictionary.id}`, source);
  }
}

/** Checks one batch of the messages, the `index`-th, as `assertBatchLayouts` does. */
export function assertBatchLayout(
  bytes: Uint8Array,
  batch: BatchPlace,
  { fields }: Schema,
  source: string,
  index = 0,
): void {
  const columns = fields.map(({ name, type }) => ({ name: `column ${name}`, type }));
  walk(bytes, batch, columns, `record batch ${index + 1}`, source);
}

function walk(
  bytes: Uint8Array,
  batch: BatchPlace,
  columns: readonly NamedType[],
  place: string,
  source: string,
): void {
  const walker = new LayoutWalk(bytes, batch, place, source);
  try {
    walker.check(columns);
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw (
      unknownType(cause, `${source}, ${walker.column}`) ??
      new FormatError({ subject: source, problem: 'has a corrupt Arrow schema', cause })
    );
  }
}

interface NamedType {
  readonly name: string;
  readonly type: AnyType;
}

/** Walks over the nodes and buffers of a batch in the order of its columns. */
class LayoutWalk {
  readonly #view: DataView;
  readonly #batch: BatchPlace;
  readonly #header: BatchHeader;
  readonly #place: string;
  readonly #source: string;
  /** The column that is being checked. */
  column = '';
  #nodes = 0;
  #buffers = 0;
  #variadics = 0;
  /** The end of the last buffer: when buffers overlap, apache-arrow loses bytes as it writes them. */
  #end = 0;

  constructor(bytes: Uint8Array, batch: BatchPlace, place: string, source: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#batch = batch;
    this.#header = batch.header;
    this.#place = place;
    this.#source = source;
  }

  check(columns: readonly NamedType[]): void {
    const { length, nodes, buffers } = this.#header;
    if (!(length >= 0 && length <= MAX_LENGTH)) throw this.#fault('has a corrupt number of rows', length);
    for (const { name, type } of columns) {
      this.column = name;
      // Each version of the format has other buffers for unions; such columns are not read.
      if (DataType.isUnion(type)) return;
      this.#walk(type, length);
    }
    this.column = '';
    if (this.#nodes !== nodes.length) throw this.#fault('has another number of columns than its schema', nodes.length);
    if (this.#buffers !== buffers.length)
      throw this.#fault('has another number of buffers than its schema', buffers.length);
  }

  #walk(type: AnyType, rows: number | undefined): void {
    const node = this.#header.nodes[this.#nodes++];
    if (node === undefined) throw this.#fault('has fewer columns than its schema', this.#header.nodes.length);
    const { length, nullCount } = node;
    if (rows !== undefined ? length !== rows : !(length >= 0 && length <= MAX_LENGTH)) {
      throw this.#fault('does not have the rows of its batch', length, rows);
    }
    if (!(nullCount >= 0 && nullCount <= length)) throw this.#fault('has a corrupt number of nulls', nullCount);
    if (DataType.isNull(type)) return;
    const bitmap = Math.ceil(length / 8);
    this.#buffer(nullCount > 0 ? bitmap : 0, 'validity', bitmap);
    if (DataType.isStruct(type)) {
      for (const child of type.children) this.#walk(child.type, length);
    } else if (DataType.isFixedSizeList(type)) {
      if (!(type.listSize >= 0)) throw this.#fault('has lists of a corrupt size', type.listSize);
      this.#walk(type.children[0].type, length * type.listSize);
    } else if (isOfOffsets(type)) {
      const needed = length === 0 ? 0 : (length + 1) * offsetBytes(type);
      this.#buffer(needed, 'offsets', needed);
      if (isTextOrBinary(type)) this.#buffer(0, 'texts', undefined);
      else this.#walk(type.children[0].type, undefined);
    } else if (isView(type)) {
      this.#buffer(length * 16, 'views', length * 16);
      const count = Number(this.#header.variadicBufferCounts?.[this.#variadics++] ?? 0);
      for (let i = 0; i < count; i++) this.#buffer(0, 'texts', undefined);
    } else {
      const needed = Math.ceil((length * bitsOf(type)) / 8);
      // For booleans that are all null, apache-arrow before version 21 writes no values.
      const least = DataType.isBool(type) && nullCount === length ? 0 : needed;
      this.#buffer(least, 'values', needed);
    }
  }

  /** A buffer of `needed` bytes at least, and not far more than `usual` where it is compressed. */
  #buffer(needed: number, what: string, usual: number | undefined): void {
    const region = this.#header.buffers[this.#buffers++];
    if (region === undefined) throw this.#fault('has fewer buffers than its schema', this.#header.buffers.length);
    if (region.length > 0) {
      if (region.offset < this.#end) throw this.#fault(`has ${what} that overlap others`, region.offset);
      this.#end = region.offset + region.length;
    }
    const { bytes = needed, isCompressed } = this.#bytesOf(region);
    if (isCompressed && this.#header.compression?.type === ZSTD) {
      this.#assertNoBomb(region, usual ?? Math.max(bytes, region.length * MAX_TIMES), what);
    }
    if (bytes < needed) throw this.#fault(`has too few bytes of ${what}`, bytes, needed);
    if (isCompressed && usual !== undefined && bytes > usual * SPARE.times + SPARE.bytes) {
      throw this.#fault(`has too many bytes of ${what}`, bytes, usual);
    }
  }

  /** Checks how many bytes the frames of a buffer become, not the length that is stated before them. */
  #assertNoBomb({ offset, length }: { offset: number; length: number }, usual: number, what: string): void {
    const from = this.#batch.start + offset + PREFIX_BYTES;
    const frames = new Uint8Array(this.#view.buffer, this.#view.byteOffset + from, length - PREFIX_BYTES);
    try {
      checkZstdFrames(frames, usual * SPARE.times + SPARE.bytes);
    } catch (cause) {
      throw this.#fault(`has corrupt ${what}: ${(cause as Error).message}`, `${length} bytes`);
    }
  }

  /** The bytes of a buffer, or the decompressed bytes that it states; undefined if it states none. */
  #bytesOf({ offset, length }: { offset: number; length: number }): { bytes?: number; isCompressed: boolean } {
    if (this.#header.compression == null || length === 0) return { bytes: length, isCompressed: false };
    if (length < PREFIX_BYTES) throw this.#fault('has a compressed buffer without its length', length);
    const stated = this.#view.getBigInt64(this.#batch.start + offset, true);
    if (stated === NOT_COMPRESSED) return { bytes: length - PREFIX_BYTES, isCompressed: false };
    if (stated < 0n || stated > MAX_LENGTH) throw this.#fault('has a compressed buffer of a corrupt length', stated);
    // apache-arrow 21 writes the length of the compressed bytes.
    if (stated === BigInt(length - PREFIX_BYTES)) return { isCompressed: true };
    return { bytes: Number(stated), isCompressed: true };
  }

  #fault(problem: string, received: unknown, allowed?: number): FormatError {
    const subject = [this.#source, this.#place, this.column].filter((part) => part !== '').join(', ');
    return new FormatError({ subject, problem, received, ...(allowed !== undefined && { allowed: String(allowed) }) });
  }
}

function isOfOffsets(type: AnyType): boolean {
  return isTextOrBinary(type) || isListType(type) || DataType.isMap(type);
}

function isTextOrBinary(type: AnyType): boolean {
  const isLarge = DataType.isLargeUtf8(type) || DataType.isLargeBinary(type);
  return isLarge || DataType.isUtf8(type) || DataType.isBinary(type);
}

/** Older releases of apache-arrow have no view types and no tests for them. */
function isView(type: AnyType): boolean {
  return type.typeId === Type.Utf8View || type.typeId === Type.BinaryView;
}

function offsetBytes(type: AnyType): 4 | 8 {
  return [Type.LargeUtf8, Type.LargeBinary, Type.LargeList].includes(type.typeId) ? 8 : 4;
}

/** The bits of a value in a column of values of one width. */
function bitsOf(type: AnyType): number {
  if (DataType.isDictionary(type)) return bitsOf(type.indices);
  if (DataType.isBool(type)) return 1;
  if (DataType.isDecimal(type)) return type.bitWidth;
  if (DataType.isFixedSizeBinary(type)) return 8 * type.byteWidth;
  if (DataType.isInterval(type)) return INTERVAL_BITS[type.unit];
  if (DataType.isInt(type) && valueArray(type) === undefined) throw new Error(`Unrecognized type: Int${type.bitWidth}`);
  const ArrayType = valueArray(type) ?? (type.ArrayType as { BYTES_PER_ELEMENT: number });
  return 8 * ArrayType.BYTES_PER_ELEMENT;
}

/** The bits of intervals in months, in days and milliseconds, and in months, days and nanoseconds. */
const INTERVAL_BITS = [32, 64, 128];
