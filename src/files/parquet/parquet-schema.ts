import { DataType, DateUnit, Precision, type Schema, TimeUnit } from 'apache-arrow';
import { OptionError } from '../../errors.js';
import { isTextType } from '../../table/columns/column-values.js';
import { unwritableColumn } from '../unwritable-column.js';

/** Stored types (Type in parquet.thrift). */
export const STORED = { boolean: 0, int32: 1, int64: 2, float: 4, double: 5, bytes: 6 };
/** Meanings of stored types (ConvertedType in parquet.thrift). */
export const CONVERTED = { text: 0, date: 6, uint32: 13, uint64: 14 };

/** A column of a Parquet file, by the numbers of parquet.thrift. */
export interface ParquetElement {
  readonly name: string;
  readonly type: number;
  readonly isOptional: boolean;
  readonly converted?: number;
  /** The field of TimeUnit, and whether times are in UTC. */
  readonly timestamp?: { readonly unit: number; readonly isUtc: boolean };
}

const UNITS: Partial<Record<TimeUnit, number>> = {
  [TimeUnit.MILLISECOND]: 1,
  [TimeUnit.MICROSECOND]: 2,
  [TimeUnit.NANOSECOND]: 3,
};

/**
 * Creates the Parquet columns of Arrow columns: optional if they are nullable, otherwise required.
 *
 * Throws an OptionError for columns of types that are not written, and if there are no columns.
 */
export function createParquetSchema({ fields }: Schema): ParquetElement[] {
  if (fields.length === 0) {
    throw new OptionError({ subject: 'table', problem: 'has no columns', allowed: 'at least one column' });
  }
  return fields.map(({ name, type, nullable }) => {
    const stored = toStored(type);
    if (stored === undefined) throw unwritableColumn(name, type);
    return { name, isOptional: nullable, ...stored };
  });
}

function toStored(type: DataType): Omit<ParquetElement, 'name' | 'isOptional'> | undefined {
  if (DataType.isFloat(type)) return { type: type.precision === Precision.DOUBLE ? STORED.double : STORED.float };
  if (DataType.isInt(type)) {
    const isLong = type.bitWidth === 64;
    const unsigned = isLong ? CONVERTED.uint64 : CONVERTED.uint32;
    const isUnsigned = !type.isSigned && type.bitWidth >= 32;
    return { type: isLong ? STORED.int64 : STORED.int32, converted: isUnsigned ? unsigned : undefined };
  }
  if (DataType.isBool(type)) return { type: STORED.boolean };
  if (isTextType(type)) return { type: STORED.bytes, converted: CONVERTED.text };
  if (DataType.isDate(type) && type.unit === DateUnit.DAY) return { type: STORED.int32, converted: CONVERTED.date };
  if (!DataType.isTimestamp(type)) return undefined;
  const unit = UNITS[type.unit];
  const isUtc = type.timezone !== null && type.timezone !== undefined;
  return unit === undefined ? undefined : { type: STORED.int64, timestamp: { unit, isUtc } };
}
