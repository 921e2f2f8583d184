import { type Data, DataType, DateUnit, Precision } from 'apache-arrow';
import { type NumberArrayConstructor, viewedAs } from './stored-values.js';

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
