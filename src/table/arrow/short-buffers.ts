import { type Data, DataType, type Dictionary, type List, Type } from 'apache-arrow';

/**
 * The name of the first column whose buffers are too short for its length or contradict it; undefined if there is none.
 *
 * apache-arrow reads such columns as if they were shorter, or as undefined values.
 */
export function columnWithShortBuffers(columns: readonly Data[], names: readonly string[]): string | undefined {
  const index = columns.findIndex((data) => !isComplete(data));
  return index < 0 ? undefined : names[index];
}

function isComplete(data: Data): boolean {
  const { type, length, offset } = data;
  if (length === 0 || DataType.isNull(type)) return true;
  if (data.nullCount > 0 && data.nullBitmap.length * 8 < offset + length) return false;
  if (DataType.isFixedSizeList(type))
    return data.children[0].length >= length * type.listSize && isComplete(data.children[0]);
  if (isListType(type) || DataType.isMap(type)) {
    return offsetsReach(data, data.children[0].length) && isComplete(data.children[0]);
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isLargeUtf8(type) || DataType.isLargeBinary(type)) {
    return offsetsReach(data, data.values.length);
  }
  if (type.typeId === Type.Utf8View || type.typeId === Type.BinaryView) return viewsReach(data);
  if (DataType.isStruct(type)) return data.children.every((child) => child.length >= length && isComplete(child));
  // If all values are null, apache-arrow before version 21 writes none.
  if (DataType.isBool(type)) return data.values.length * 8 >= offset + length || data.nullCount >= length;
  if (DataType.isDictionary(type)) return data.values.length >= length && refersToEntries(data as Data<Dictionary>);
  return data.values === undefined || data.values.length >= length * data.stride;
}

/** Whether the dictionary is complete, and every row that is not null refers to one of its entries. */
function refersToEntries({ dictionary, values, length, nullCount, nullBitmap, offset }: Data<Dictionary>): boolean {
  if (dictionary === undefined || !dictionary.data.every(isComplete)) return false;
  for (let row = 0; row < length; row++) {
    if (values[row] >= 0 && values[row] < dictionary.length) continue;
    const bit = offset + row;
    if (nullCount === 0 || (nullBitmap[bit >> 3] & (1 << (bit & 7))) !== 0) return false;
  }
  return true;
}

/** Whether no offset is less than the one before, or more than `limit`. */
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

/**
 * A view has 16 bytes: the length, then up to 12 bytes of text; of longer texts the first four, the buffer's number and
 * a place in it.
 */
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;
const BUFFER_AT = 8;
const PLACE_AT = 12;

/** Whether every view that is not null is within the buffers of its column. */
function viewsReach(data: Data): boolean {
  const { length, nullCount, values, variadicBuffers } = data;
  if (values.length < length * VIEW_BYTES) return false;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < length; row++) {
    const at = row * VIEW_BYTES;
    const size = view.getInt32(at, true);
    if ((size >= 0 && size <= INLINE_BYTES) || (nullCount > 0 && !data.getValid(row))) continue;
    const place = view.getInt32(at + PLACE_AT, true);
    const bytes = variadicBuffers[view.getInt32(at + BUFFER_AT, true)]?.length ?? -1;
    if (!(size >= 0 && place >= 0 && place + size <= bytes)) return false;
  }
  return true;
}

/**
 * Whether values of this type are lists of any length. Older versions of Arrow have no large lists, and no test for
 * them.
 */
export function isListType(type: DataType): type is List {
  return DataType.isList(type) || type.typeId === Type.LargeList;
}
