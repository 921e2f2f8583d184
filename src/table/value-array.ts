import { type Data, DataType, DateUnit, Precision } from 'apache-arrow';
import { type NumberArrayConstructor, viewedAs } from './stored-values.js';

const SIGNED = { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array };
const UNSIGNED = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array };
const FLOATS = { [Precision.HALF]: Uint16Array, [Precision.SINGLE]: Float32Array, [Precision.DOUBLE]: Float64Array };

/**
 * The type of array that stores a column's values, one element per row; undefined if they are not numbers. Arrow's own types
 * name arrays, too, but before version 16 pairs of 32 bits for timestamps and for dates in milliseconds.
 */
export function valueArray(type: DataType): NumberArrayConstructor | undefined {
  if (DataType.isDictionary(type)) return valueArray(type.indices);
  if (DataType.isInt(type)) return (type.isSigned ? SIGNED : UNSIGNED)[type.bitWidth];
  if (DataType.isFloat(type)) return FLOATS[type.precision];
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? Int32Array : BigInt64Array;
  if (DataType.isTime(type)) return SIGNED[type.bitWidth];
  return DataType.isTimestamp(type) || DataType.isDuration(type) ? BigInt64Array : undefined;
}

/** The values of a column, one element per row, if they are numbers; else as Arrow stores them. */
export function storedValues({ type, values }: Data): Data['values'] {
  const ArrayType = valueArray(type);
  return ArrayType === undefined ? values : viewedAs(ArrayType, values);
}
