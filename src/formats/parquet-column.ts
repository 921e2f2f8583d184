import { type Data, DataType, type FixedSizeList, type List, makeData } from 'apache-arrow';
import type { DecodedArray } from 'hyparquet';
import { Utf8Column } from './utf8-column.js';
import { ValidityBitmap } from './validity-bitmap.js';

type Numbers = Float32Array | Float64Array | Int32Array;

/**
 * An Arrow column of `type` from the `chunks` that hyparquet decoded, `length` values in all.
 *
 * hyparquet gives numbers, bigints, booleans, bytes or arrays, with null or undefined for null. Float nulls hold NaN,
 * others 0. Throws a RangeError where the values are fewer or more than `length`, or a list has not the size of its type.
 */
export function columnFromChunks(type: DataType, chunks: readonly DecodedArray[], length: number): Data {
  const count = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (count !== length) throw new RangeError(`a column chunk holds ${count} of ${length} values`);
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) return listColumn(type, chunks, length);
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return bytesColumn(type, chunks);
  if (DataType.isBool(type)) return boolColumn(type, chunks, length);
  return numberColumn(type, chunks, length);
}

/** The values of a chunk from row `from` up to, not including, `to`, as far as it has them: itself where those are all. */
export function withinRows(chunk: DecodedArray, from: number, to: number): DecodedArray {
  return from <= 0 && to >= chunk.length ? chunk : chunk.slice(Math.max(from, 0), Math.max(to, 0));
}

function numberColumn(type: DataType, chunks: readonly DecodedArray[], length: number): Data {
  const [whole] = chunks;
  if (chunks.length === 1 && whole.constructor === type.ArrayType) {
    return makeData({ type, length, nullCount: 0, data: whole } as never);
  }
  const values = new type.ArrayType(length) as Numbers;
  const missing = DataType.isFloat(type) ? Number.NaN : (values.at(0) ?? 0);
  const validity = new ValidityBitmap();
  let row = 0;
  for (const chunk of chunks) {
    if (chunk.constructor === type.ArrayType) {
      values.set(chunk as Numbers, row);
      row += chunk.length;
      continue;
    }
    for (let i = 0; i < chunk.length; i++, row++) {
      const value = chunk[i];
      if (value === null || value === undefined) {
        validity.markNull(row);
        values[row] = missing;
      } else values[row] = value;
    }
  }
  return makeData({
    type,
    length,
    nullCount: validity.nullCount,
    nullBitmap: validity.bytes(length),
    data: values,
  } as never);
}

function boolColumn(type: DataType, chunks: readonly DecodedArray[], length: number): Data {
  const bits = new Uint8Array((((length + 7) >> 3) + 7) & ~7);
  const validity = new ValidityBitmap();
  let row = 0;
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++, row++) {
      if (chunk[i]) bits[row >> 3] |= 1 << (row & 7);
      else if (chunk[i] === null || chunk[i] === undefined) validity.markNull(row);
    }
  }
  const nullBitmap = validity.bytes(length);
  return makeData({ type, length, nullCount: validity.nullCount, nullBitmap, data: bits } as never);
}

function bytesColumn(type: DataType, chunks: readonly DecodedArray[]): Data {
  const column = new Utf8Column();
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const bytes: Uint8Array | null | undefined = chunk[i];
      if (bytes === null || bytes === undefined) column.pushNull();
      else column.pushBytes(bytes);
    }
  }
  const { length, nullCount, nullBitmap, valueOffsets, values } = column.finish();
  return makeData({ type, length, nullCount, nullBitmap, valueOffsets, data: values } as never);
}

function listColumn(type: List | FixedSizeList, chunks: readonly DecodedArray[], length: number): Data {
  const listSize = DataType.isFixedSizeList(type) ? type.listSize : undefined;
  const valueOffsets = new Int32Array(length + 1);
  const validity = new ValidityBitmap();
  const items: unknown[] = [];
  let row = 0;
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++, row++) {
      const list: ArrayLike<unknown> | null | undefined = chunk[i];
      if (list === null || list === undefined) {
        validity.markNull(row);
        for (let k = 0; k < (listSize ?? 0); k++) items.push(null);
      } else {
        if (listSize !== undefined && list.length !== listSize) {
          throw new RangeError(`a list of ${list.length} in a column of lists of ${listSize}`);
        }
        for (let k = 0; k < list.length; k++) items.push(list[k]);
      }
      valueOffsets[row + 1] = items.length;
    }
  }
  const child = columnFromChunks(type.children[0].type, [items], items.length);
  const nullBitmap = validity.bytes(length);
  return makeData({ type, length, nullCount: validity.nullCount, nullBitmap, valueOffsets, child } as never);
}
