import { type Data, DataType, DateUnit, Precision } from 'apache-arrow';

type NumberArrayConstructor =
  | Int8ArrayConstructor
  | Int16ArrayConstructor
  | Int32ArrayConstructor
  | BigInt64ArrayConstructor
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | BigUint64ArrayConstructor
  | Float32ArrayConstructor
  | Float64ArrayConstructor;

const SIGNED = { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array };
const UNSIGNED = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array };
const FLOATS = { [Precision.HALF]: Uint16Array, [Precision.SINGLE]: Float32Array, [Precision.DOUBLE]: Float64Array };

/**
 * The array that a column's values are stored in, an element for each row: undefined where they are not numbers. Arrow types tell, too,
 * but before version 16 as pairs of 32 bits for dates in milliseconds and timestamps.
 */
export function valueArray(type: DataType): NumberArrayConstructor | undefined {
  if (DataType.isDictionary(type)) return valueArray(type.indices);
  if (DataType.isInt(type)) return (type.isSigned ? SIGNED : UNSIGNED)[type.bitWidth];
  if (DataType.isFloat(type)) return FLOATS[type.precision];
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? Int32Array : BigInt64Array;
  if (DataType.isTime(type)) return SIGNED[type.bitWidth];
  return DataType.isTimestamp(type) || DataType.isDuration(type) ? BigInt64Array : undefined;
}

/** The values of a column, an element for each row, where they are numbers; as they are where they are not. */
export function storedValues({ type, values }: Data): Data['values'] {
  const ArrayType = valueArray(type);
  return ArrayType === undefined ? values : viewedAs(ArrayType, values);
}

/** Bytes seen as elements of another type; copied only where they are not aligned for it. */
export function viewedAs(ArrayType: NumberArrayConstructor, values: ArrayBufferView): Data['values'] {
  if (values.constructor === ArrayType) return values;
  const { buffer, byteOffset, byteLength } = values;
  const size = ArrayType.BYTES_PER_ELEMENT;
  const count = Math.floor(byteLength / size);
  if (byteOffset % size === 0) return new ArrayType(buffer as ArrayBuffer, byteOffset, count);
  return new ArrayType(new Uint8Array(buffer, byteOffset, count * size).slice().buffer);
}

/** A half float from its 16 bits. */
export function halfFloat(bits: number): number {
  const sign = bits >> 15 === 1 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * 2 ** -14 * fraction : sign * 2 ** (exponent - 15) * (1 + fraction);
}

/** What Arrow gives for a row, a date as its milliseconds: before version 16 it is an object. */
export function plainValue(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
