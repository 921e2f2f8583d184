import { type Data, DataType, type Dictionary, Type } from 'apache-arrow';
import { isListType } from './list-column.js';

/**
 * The first column of `columns` (with their `names`) whose buffers are too short for its length or contradict it, or `undefined`.
 *
 * apache-arrow reads such columns as if they were shorter, or as undefined values.
 */
export function columnWithShortBuffers(columns: readonly Data[], names: readonly string[]): string | undefined {
  const index = columns.findIndex((data) => !isWhole(data));
  return index < 0 ? undefined : names[index];
}

function isWhole(data: Data): boolean {
  const { type, length, offset } = data;
  if (length === 0 || DataType.isNull(type)) return true;
  if (data.nullCount > 0 && data.nullBitmap.length * 8 < offset + length) return false;
  if (DataType.isFixedSizeList(type))
    return data.children[0].length >= length * type.listSize && isWhole(data.children[0]);
  if (isListType(type) || DataType.isMap(type)) {
    return offsetsReach(data, data.children[0].length) && isWhole(data.children[0]);
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isLargeUtf8(type) || DataType.isLargeBinary(type)) {
    return offsetsReach(data, data.values.length);
  }
  if (type.typeId === Type.Utf8View || type.typeId === Type.BinaryView) return viewsReach(data);
  if (DataType.isStruct(type)) return data.children.every((child) => child.length >= length && isWhole(child));
  // Where all are null, apache-arrow before version 21 writes no values.
  if (DataType.isBool(type)) return data.values.length * 8 >= offset + length || data.nullCount >= length;
  if (DataType.isDictionary(type)) return data.values.length >= length && refersToEntries(data as Data<Dictionary>);
  return data.values === undefined || data.values.length >= length * data.stride;
}

/** Whether the dictionary is whole, and every row that is not null has an entry of it. */
function refersToEntries({ dictionary, values, length, nullCount, nullBitmap, offset }: Data<Dictionary>): boolean {
  if (dictionary === undefined || !dictionary.data.every(isWhole)) return false;
  for (let row = 0; row < length; row++) {
    if (values[row] >= 0 && values[row] < dictionary.length) continue;
    const bit = offset + row;
    if (nullCount === 0 || (nullBitmap[bit >> 3] & (1 << (bit & 7))) !== 0) return false;
  }
  return true;
}

/** Whether every offset is at least the one before, and none is above `limit`. */
function offsetsReach({ length, valueOffsets }: Data, limit: number): boolean {
  if (valueOffsets.length < length + 1) return false;
  let before = 0;
  for (let i = 0; i <= length; i++) {
    const offset = Number(valueOffsets[i]);
    if (offset < before) return false;
    before = offset;
  }
  return before <= limit;
}

/** Bytes of a view: its length, and behind it the bytes where they fit; else the first four, a buffer's number and a place in it. */
const VIEW = { bytes: 16, inline: 12, bufferAt: 8, placeAt: 12 };

/** Whether every view that is not null lies in the buffers of its column. */
function viewsReach(data: Data): boolean {
  const { length, nullCount, values, variadicBuffers } = data;
  if (values.length < length * VIEW.bytes) return false;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < length; row++) {
    const at = row * VIEW.bytes;
    const size = view.getInt32(at, true);
    if ((size >= 0 && size <= VIEW.inline) || (nullCount > 0 && !data.getValid(row))) continue;
    const place = view.getInt32(at + VIEW.placeAt, true);
    const bytes = variadicBuffers[view.getInt32(at + VIEW.bufferAt, true)]?.length ?? -1;
    if (!(size >= 0 && place >= 0 && place + size <= bytes)) return false;
  }
  return true;
}
