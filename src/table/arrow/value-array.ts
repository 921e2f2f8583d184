import { type Data, DataType, DateUnit, Precision } from 'apache-arrow';
import { NUMBER_ARRAYS, type NumberArrayConstructor } from '../../core/number-arrays.js';
import { viewedAs } from './stored-values.js';

/**
 * The type of array that stores a column's values, one element per row; undefined if they are not numbers. Arrow's own
 * types name arrays, too, but before version 16 pairs of 32 bits for timestamps and for dates in milliseconds.
 */
export function valueArray(type: DataType): NumberArrayConstructor | undefined {
  if (DataType.isDictionary(type)) return valueArray(type.indices);
  if (DataType.isInt(type)) return NUMBER_ARRAYS[`${type.isSigned ? 'int' : 'uint'}${type.bitWidth}`];
  if (DataType.isFloat(type)) {
    if (type.precision === Precision.DOUBLE) return Float64Array;
    return type.precision === Precision.SINGLE ? Float32Array : Uint16Array;
  }
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? Int32Array : BigInt64Array;
  if (DataType.isTime(type)) return NUMBER_ARRAYS[`int${type.bitWidth}`];
  return DataType.isTimestamp(type) || DataType.isDuration(type) ? BigInt64Array : undefined;
}

/** The values of a column, one element per row, if they are numbers; else as Arrow stores them. */
export function storedValues({ type, values }: Data): Data['values'] {
  const ArrayType = valueArray(type);
  return ArrayType === undefined ? values : viewedAs(ArrayType, values);
}
