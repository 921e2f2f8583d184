import { type Data, DataType, makeVector, Precision } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn, halfFloat } from '../../table/arrow/stored-values.js';
import { storedValues } from '../../table/arrow/value-array.js';
import { type ParquetElement, STORED } from './parquet-schema.js';

type NumberArray = Int32Array | Float32Array | BigInt64Array | Float64Array;

/** The values of a column in a row group. Rows without a value have none; `isPresent` is omitted if all have one. */
export interface GroupValues {
  readonly rows: number;
  readonly isPresent: Uint8Array | undefined;
  /** Numbers as they are stored, or for texts the index of each in `texts`; booleans are 0 or 1. */
  readonly values: NumberArray;
  /** The distinct texts in UTF-8, in the order of their first rows. */
  readonly texts: readonly Uint8Array[];
}

const ARRAYS: Readonly<Record<number, new (length: number) => NumberArray>> = {
  [STORED.boolean]: Int32Array,
  [STORED.int32]: Int32Array,
  [STORED.bytes]: Int32Array,
  [STORED.int64]: BigInt64Array,
  [STORED.float]: Float32Array,
  [STORED.double]: Float64Array,
};

/** Gathers the values of one column chunk by chunk; they are copied. */
export class GroupColumn {
  readonly #element: ParquetElement;
  #values: NumberArray;
  #count = 0;
  #rows = 0;
  #isPresent: Uint8Array | undefined;
  readonly #texts: Uint8Array[] = [];
  readonly #indexOf = new Map<unknown, number>();
  readonly #encoder = new TextEncoder();

  constructor(element: ParquetElement) {
    this.#element = element;
    this.#values = new ARRAYS[element.type](0);
  }

  /** Appends the values of `chunk` from row `start` to `end`. Throws a DataError for a null where none may be. */
  append(chunk: Data, start: number, end: number): void {
    const isText = this.#element.type === STORED.bytes;
    const texts = isText ? codedColumn(makeVector(chunk.slice(start, end - start))) : undefined;
    const isPresent = texts === undefined ? presence(chunk, start, end) : presenceOfCodes(texts.codes);
    const count = isPresent?.reduce((sum, present) => sum + present, 0) ?? end - start;
    if (count < end - start && !this.#element.isOptional) throw this.#unexpectedNull();
    this.#markPresent(isPresent, count, end - start);
    const into = this.#reserve(this.#count + count);
    if (texts === undefined) this.#write(chunk, [start, end], isPresent, into);
    else {
      const indices = texts.values.map((text) => this.#indexOfText(text));
      this.#put(into, end - start, isPresent, (row) => indices[texts.codes[row]]);
    }
    this.#count += count;
    this.#rows += end - start;
  }

  /** Returns the gathered values, and starts again. They are valid until something is appended. */
  take(): GroupValues {
    const taken = {
      rows: this.#rows,
      isPresent: this.#isPresent?.subarray(0, this.#rows),
      values: this.#values.subarray(0, this.#count),
      texts: this.#texts.slice(),
    };
    this.#rows = 0;
    this.#count = 0;
    this.#isPresent = undefined;
    this.#texts.length = 0;
    this.#indexOf.clear();
    return taken;
  }

  #write(
    chunk: Data,
    [start, end]: readonly [number, number],
    isPresent: Uint8Array | undefined,
    into: NumberArray,
  ): void {
    const values = storedValues(chunk) as NumberArray;
    const { type, offset } = chunk;
    if (DataType.isBool(type)) {
      const bit = (row: number) =>
        ((values[(offset + start + row) >> 3] as number) >> ((offset + start + row) & 7)) & 1;
      this.#put(into, end - start, isPresent, bit);
    } else if (DataType.isFloat(type) && type.precision === Precision.HALF) {
      this.#put(into, end - start, isPresent, (row) => halfFloat(values[start + row] as number));
    } else if (isPresent !== undefined) {
      this.#put(into, end - start, isPresent, (row) => values[start + row]);
    } else into.set(values.subarray(start, end) as never, this.#count);
  }

  #put(
    into: NumberArray,
    rows: number,
    isPresent: Uint8Array | undefined,
    value: (row: number) => number | bigint,
  ): void {
    let next = this.#count;
    for (let row = 0; row < rows; row++) {
      if (isPresent === undefined || isPresent[row] === 1) into[next++] = value(row) as never;
    }
  }

  #indexOfText(text: unknown): number {
    const known = this.#indexOf.get(text);
    if (known !== undefined) return known;
    this.#indexOf.set(text, this.#texts.length);
    return this.#texts.push(this.#encoder.encode(String(text))) - 1;
  }

  #markPresent(isPresent: Uint8Array | undefined, count: number, rows: number): void {
    if (count === rows && this.#isPresent === undefined) return;
    const wanted = this.#rows + rows;
    if (this.#isPresent === undefined || this.#isPresent.length < wanted) {
      const grown = new Uint8Array(2 * wanted).fill(1);
      if (this.#isPresent !== undefined) grown.set(this.#isPresent);
      this.#isPresent = grown;
    }
    if (isPresent === undefined) this.#isPresent.fill(1, this.#rows, wanted);
    else this.#isPresent.set(isPresent, this.#rows);
  }

  #reserve(length: number): NumberArray {
    const before = this.#values;
    if (before.length >= length) return before;
    this.#values = new ARRAYS[this.#element.type](Math.max(length, 2 * before.length));
    this.#values.set(before.subarray(0, this.#count) as never);
    return this.#values;
  }

  #unexpectedNull(): DataError {
    return new DataError({
      column: this.#element.name,
      problem: 'missing value',
      received: null,
      allowed: 'a value in every row, as the schema states',
    });
  }
}

/** 1 for each row from `start` to `end` that has a value, else 0; undefined if all have one. */
function presence(chunk: Data, start: number, end: number): Uint8Array | undefined {
  if (chunk.nullCount === 0) return undefined;
  return Uint8Array.from({ length: end - start }, (_, i) => (chunk.getValid(start + i) ? 1 : 0));
}

/** Like `presence`, of codes: entries of a dictionary may be null, too. */
function presenceOfCodes(codes: Int32Array): Uint8Array | undefined {
  return codes.includes(-1) ? Uint8Array.from(codes, (code) => (code < 0 ? 0 : 1)) : undefined;
}
