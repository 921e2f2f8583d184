import {
  type Data,
  DataType,
  Dictionary,
  type FixedSizeList,
  Int32,
  type List,
  makeData,
  makeVector,
  Utf8,
} from 'apache-arrow';
import { codedColumn } from '../../table/arrow/stored-values.js';
import { valueArray } from '../../table/arrow/value-array.js';
import { textDictionary } from '../../table/build/create-table.js';
import { ValidityBitmap } from '../column-buffers.js';
import type { ByteSlices } from './byte-slices.js';
import { isSlices, MAX_TEXT_BYTES, type Values } from './values.js';

type Numbers = Float32Array | Float64Array | Int32Array | BigInt64Array;

/** A loop copies up to this many bytes faster than a call. */
const SHORT = 32;

/** Builds an Arrow column from pages. */
export interface ColumnBuilder {
  /**
   * Adds the entries of a page from `from` up to, not including, `to`: `present` has 1 for each entry that is a value,
   * 0 for nulls, and is omitted if none is null; `values` are all values of the page, without nulls.
   */
  append(values: Values, present: Uint8Array | undefined, from: number, to: number): void;
  finish(): Data;
}

/**
 * Creates a builder for a column of numbers, booleans, texts or bytes, with at most `capacity` entries and, for texts,
 * `maxBytes` bytes.
 */
export function createBuilder(type: DataType, capacity: number, maxBytes: number): ColumnBuilder {
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return new BytesBuilder(type, capacity, maxBytes);
  return DataType.isBool(type) ? new BoolBuilder(type) : new NumberBuilder(type, capacity);
}

class NumberBuilder implements ColumnBuilder {
  readonly #type: DataType;
  readonly #capacity: number;
  readonly #missing: number;
  readonly #validity = new ValidityBitmap();
  #values: Numbers | undefined;
  #length = 0;

  constructor(type: DataType, capacity: number) {
    this.#type = type;
    this.#capacity = capacity;
    this.#missing = DataType.isFloat(type) ? Number.NaN : 0;
  }

  append(values: Values, present: Uint8Array | undefined, from: number, to: number): void {
    if (isSlices(values)) throw new RangeError(`bytes in a column of ${this.#type}`);
    if (present === undefined) {
      const rows = values.subarray(from, to) as Numbers;
      // A single page with the entire column is not copied.
      if (rows.length === this.#capacity && rows.constructor === valueArray(this.#type)) this.#values = rows;
      else this.#array().set(rows as never, this.#length);
      this.#length += rows.length;
      return;
    }
    const into = this.#array();
    let next = 0;
    for (let i = 0; i < from; i++) next += present[i];
    for (let i = from; i < to; i++, this.#length++) {
      if (present[i] === 1) into[this.#length] = values[next++] as never;
      else {
        this.#validity.markNull(this.#length);
        if (this.#missing !== 0) into[this.#length] = this.#missing as never;
      }
    }
  }

  finish(): Data {
    const length = this.#length;
    const { nullCount } = this.#validity;
    const nullBitmap = this.#validity.bytes(length);
    const data = this.#array().subarray(0, length);
    return makeData({ type: this.#type, length, nullCount, nullBitmap, data } as never);
  }

  #array(): Numbers {
    this.#values ??= new (valueArray(this.#type) ?? this.#type.ArrayType)(this.#capacity) as Numbers;
    return this.#values;
  }
}

class BoolBuilder implements ColumnBuilder {
  readonly #type: DataType;
  readonly #validity = new ValidityBitmap();
  #bits = new Uint8Array(8);
  #length = 0;

  constructor(type: DataType) {
    this.#type = type;
  }

  append(values: Values, present: Uint8Array | undefined, from: number, to: number): void {
    if (isSlices(values)) throw new RangeError('bytes in a column of booleans');
    this.#reserve(this.#length + to - from);
    let next = from;
    if (present !== undefined) {
      next = 0;
      for (let i = 0; i < from; i++) next += present[i];
    }
    for (let i = from; i < to; i++, this.#length++) {
      if (present !== undefined && present[i] === 0) this.#validity.markNull(this.#length);
      else if (values[next++]) this.#bits[this.#length >> 3] |= 1 << (this.#length & 7);
    }
  }

  finish(): Data {
    const length = this.#length;
    const { nullCount } = this.#validity;
    const nullBitmap = this.#validity.bytes(length);
    const data = this.#bits.slice(0, (((length + 7) >> 3) + 7) & ~7);
    return makeData({ type: this.#type, length, nullCount, nullBitmap, data } as never);
  }

  #reserve(length: number): void {
    if (length <= this.#bits.length * 8) return;
    const grown = new Uint8Array(Math.ceil(length / 64) * 16);
    grown.set(this.#bits);
    this.#bits = grown;
  }
}

class BytesBuilder implements ColumnBuilder {
  readonly #type: DataType;
  readonly #maxBytes: number;
  readonly #validity = new ValidityBitmap();
  readonly #offsets: Int32Array;
  #bytes = new Uint8Array(0);
  #length = 0;

  constructor(type: DataType, capacity: number, maxBytes: number) {
    this.#type = type;
    this.#offsets = new Int32Array(capacity + 1);
    this.#maxBytes = Math.min(maxBytes, MAX_TEXT_BYTES);
  }

  append(values: Values, present: Uint8Array | undefined, from: number, to: number): void {
    if (!isSlices(values)) throw new RangeError(`numbers in a column of ${this.#type}`);
    let next = from;
    if (present !== undefined) {
      next = 0;
      for (let i = 0; i < from; i++) next += present[i];
    }
    let count = to - from;
    if (present !== undefined) {
      count = 0;
      for (let i = from; i < to; i++) count += present[i];
    }
    this.#reserve(values, next, next + count);
    let end = this.#offsets[this.#length];
    for (let i = from; i < to; i++) {
      if (present !== undefined && present[i] === 0) this.#validity.markNull(this.#length);
      else end = this.#copy(values, next++, end);
      this.#length++;
      this.#offsets[this.#length] = end;
    }
  }

  finish(): Data {
    const length = this.#length;
    const { nullCount } = this.#validity;
    const nullBitmap = this.#validity.bytes(length);
    const valueOffsets = this.#offsets.subarray(0, length + 1);
    const data = this.#bytes.slice(0, valueOffsets[length]);
    return makeData({ type: this.#type, length, nullCount, nullBitmap, valueOffsets, data } as never);
  }

  #copy({ bytes, starts, ends }: ByteSlices, index: number, to: number): number {
    const start = starts[index];
    const length = ends[index] - start;
    const into = this.#bytes;
    if (length > SHORT) into.set(bytes.subarray(start, start + length), to);
    else for (let i = 0; i < length; i++) into[to + i] = bytes[start + i];
    return to + length;
  }

  #reserve({ starts, ends }: ByteSlices, from: number, to: number): void {
    let needed = this.#offsets[this.#length];
    for (let i = from; i < to; i++) needed += ends[i] - starts[i];
    if (needed > this.#maxBytes)
      throw new RangeError(`texts of ${needed} bytes, more than the ${this.#maxBytes} allowed`);
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, Math.ceil(this.#bytes.length * 1.5))));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** The meaning of the levels of a list column. */
export interface ListLevels {
  /** The definition level of an empty list; a null list, if allowed, has one less. */
  readonly empty: number;
  /** The definition level of a value. */
  readonly value: number;
}

/** Builds a column of lists, whose items are built like columns. */
export class ListBuilder {
  readonly #type: List | FixedSizeList;
  readonly #levels: ListLevels;
  readonly #rows: number;
  readonly #offsets: Int32Array;
  readonly #validity = new ValidityBitmap();
  readonly #items: ColumnBuilder;
  readonly #listSize: number | undefined;
  #length = 0;
  #itemCount = 0;
  #continues = false;

  /** `entries` are those of the column's levels: one for each item, and for each list without items. */
  constructor(
    type: List | FixedSizeList,
    levels: ListLevels,
    { rows, entries, maxBytes }: { rows: number; entries: number; maxBytes: number },
  ) {
    this.#type = type;
    this.#levels = levels;
    this.#rows = rows;
    this.#listSize = DataType.isFixedSizeList(type) ? type.listSize : undefined;
    if (rows * (this.#listSize ?? 0) * 8 > maxBytes) throw new RangeError(`${rows} lists of ${this.#listSize}`);
    this.#offsets = new Int32Array(rows + 1);
    const capacity = this.#listSize === undefined ? entries : rows * this.#listSize;
    this.#items = createBuilder(type.children[0].type, capacity, maxBytes);
  }

  /** The number of lists that have begun. */
  get length(): number {
    return this.#length;
  }

  /** Adds the entries of a page by their levels; definition levels are omitted if each entry is a value. */
  append(values: Values, repetition: Uint8Array, definition: Uint8Array | undefined): void {
    const { empty, value } = this.#levels;
    const size = this.#listSize ?? 0;
    const present = new Uint8Array(repetition.length + size * this.#nulls(definition));
    let items = 0;
    for (let i = 0; i < repetition.length; i++) {
      const level = definition === undefined ? value : definition[i];
      if (repetition[i] === 0) this.#begin(level);
      else if (level <= empty || !this.#continues) throw new RangeError('an item of a list that has not begun');
      if (level > empty) present[items++] = level === value ? 1 : 0;
      else if (level < empty) items += size;
      this.#offsets[this.#length] = this.#itemCount + items;
    }
    this.#itemCount += items;
    if (this.#listSize !== undefined && this.#itemCount > this.#rows * size) {
      throw new RangeError(`${this.#itemCount} items of ${this.#rows} lists of ${size}`);
    }
    this.#items.append(values, present, 0, items);
  }

  finish(): Data {
    const length = this.#length;
    for (let row = 0; this.#listSize !== undefined && row < length; row++) {
      const size = this.#offsets[row + 1] - this.#offsets[row];
      if (size !== this.#listSize) throw new RangeError(`a list of ${size} in a column of lists of ${this.#listSize}`);
    }
    const { nullCount } = this.#validity;
    const nullBitmap = this.#validity.bytes(length);
    const child = this.#items.finish();
    return makeData({ type: this.#type, length, nullCount, nullBitmap, valueOffsets: this.#offsets, child } as never);
  }

  /** The number of null lists of a page, limited by the remaining rows. */
  #nulls(definition: Uint8Array | undefined): number {
    if (definition === undefined) return 0;
    let nulls = 0;
    for (let i = 0; i < definition.length; i++) if (definition[i] < this.#levels.empty) nulls++;
    return Math.min(nulls, this.#rows - this.#length);
  }

  #begin(level: number): void {
    if (this.#length === this.#rows) throw new RangeError(`more lists than the ${this.#rows} rows`);
    if (level < this.#levels.empty) this.#validity.markNull(this.#length);
    this.#continues = level > this.#levels.empty;
    this.#length++;
  }
}

/** The type of a column of texts that are codes. */
export type CodedText = Dictionary<Utf8, Int32>;

export function codedTextType(): CodedText {
  return new Dictionary(new Utf8(), new Int32());
}

export function isCodedText(type: DataType): type is CodedText {
  return DataType.isDictionary(type) && DataType.isUtf8(type.dictionary);
}

/** A column of codes, from -1 for null on, of the texts of a dictionary. */
export function codedTexts(type: CodedText, texts: Data): Data<CodedText> {
  const { codes, values } = codedColumn(makeVector(texts));
  const validity = new ValidityBitmap();
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] >= 0) continue;
    codes[row] = 0;
    validity.markNull(row);
  }
  const { nullCount } = validity;
  const nullBitmap = validity.bytes(codes.length);
  const dictionary = textDictionary(values as string[]).vector;
  return makeData({ type, length: codes.length, nullCount, nullBitmap, data: codes, dictionary });
}

/** Texts one after the other, as the entries of a dictionary. */
export function textsOfSlices({ bytes, starts, ends, length }: ByteSlices): Data<Utf8> {
  const valueOffsets = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) valueOffsets[i + 1] = valueOffsets[i] + ends[i] - starts[i];
  const data = new Uint8Array(valueOffsets[length]);
  for (let i = 0; i < length; i++) data.set(bytes.subarray(starts[i], ends[i]), valueOffsets[i]);
  return makeData({ type: new Utf8(), length, nullCount: 0, valueOffsets, data });
}
