import { type Data, DataType, makeVector, Precision, type Vector } from 'apache-arrow';
import type { DecodedArray } from 'hyparquet';
import { halfFloat } from '../../table/stored-values.js';
import { isTextType } from '../../table/text-column.js';
import { storedValues } from '../../table/value-array.js';

type NumberArray = Extract<DecodedArray, ArrayBufferView>;

/** The values of one column, gathered chunk by chunk: a typed array until the first null, then a plain array. */
export class GatheredColumn {
  length = 0;
  #numbers: NumberArray | undefined;
  #boxed: unknown[] | undefined;
  readonly #texts = new WeakMap<Vector, unknown[]>();

  /** Appends the values of `chunk` from row `start` to `end`, null for null. They are copied. */
  append(chunk: Data, start: number, end: number): void {
    if (this.#boxed === undefined && isPlain(chunk.type) && chunk.nullCount === 0) {
      const values = storedValues(chunk);
      const numbers = this.#reserve(values, this.length + end - start);
      numbers.set(values.subarray(start, end) as never, this.length);
    } else {
      this.#boxed ??= this.#numbers === undefined ? [] : [...this.#numbers.subarray(0, this.length)];
      const value = this.#reader(chunk);
      for (let row = start; row < end; row++) this.#boxed.push(chunk.getValid(row) ? value(row) : null);
    }
    this.length += end - start;
  }

  /** Returns the gathered values, and starts again. They are valid until something is appended. */
  take(): DecodedArray {
    const values = this.#boxed ?? this.#numbers?.subarray(0, this.length) ?? [];
    this.#boxed = undefined;
    this.length = 0;
    return values;
  }

  #reserve(like: NumberArray, length: number): NumberArray {
    const before = this.#numbers;
    if (before !== undefined && before.length >= length) return before;
    const ArrayType = like.constructor as new (length: number) => NumberArray;
    const numbers = new ArrayType(Math.max(length, 2 * (before?.length ?? 0)));
    if (before !== undefined) numbers.set(before.subarray(0, this.length) as never);
    this.#numbers = numbers;
    return numbers;
  }

  #reader(chunk: Data): (row: number) => unknown {
    const { type, offset, valueOffsets, dictionary } = chunk;
    const values = storedValues(chunk);
    if (DataType.isBool(type)) return (row) => (values[(offset + row) >> 3] & (1 << ((offset + row) & 7))) !== 0;
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
      const decoder = new TextDecoder();
      return (row) => decoder.decode(values.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1])));
    }
    if (isHalfFloat(type)) return (row) => halfFloat(values[row]);
    if (DataType.isDictionary(type) && dictionary !== undefined) {
      const texts = this.#readTexts(dictionary);
      return (row) => texts[Number(values[row])];
    }
    if (isTextType(type)) {
      const texts = makeVector(chunk);
      return (row) => texts.get(row);
    }
    return (row) => values[row];
  }

  #readTexts(dictionary: Vector): unknown[] {
    let texts = this.#texts.get(dictionary);
    if (texts === undefined) {
      texts = dictionary.data.flatMap((chunk) => {
        const value = this.#reader(chunk);
        return Array.from({ length: chunk.length }, (_, row) => value(row));
      });
      this.#texts.set(dictionary, texts);
    }
    return texts;
  }
}

function isPlain(type: DataType): boolean {
  return (DataType.isFloat(type) && !isHalfFloat(type)) || DataType.isInt(type) || DataType.isDate(type);
}

function isHalfFloat(type: DataType): boolean {
  return DataType.isFloat(type) && type.precision === Precision.HALF;
}
