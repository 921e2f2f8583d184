import { DataType, DateUnit, Precision, type Schema, TimeUnit } from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { OptionError } from '../../errors.js';
import { isTextType } from '../../table/text-column.js';
import { unwritableColumn } from '../table-encoder.js';

const UNITS = {
  [TimeUnit.SECOND]: undefined,
  [TimeUnit.MILLISECOND]: 'MILLIS',
  [TimeUnit.MICROSECOND]: 'MICROS',
  [TimeUnit.NANOSECOND]: 'NANOS',
} as const;

/**
 * Creates the Parquet schema of Arrow columns: OPTIONAL if they are nullable, otherwise REQUIRED.
 *
 * Throws an OptionError for columns of types that are not written, and if there are no columns.
 */
export function createParquetSchema({ fields }: Schema): SchemaElement[] {
  if (fields.length === 0) {
    throw new OptionError({ subject: 'table', problem: 'has no columns', allowed: 'at least one column' });
  }
  return [
    { name: 'root', num_children: fields.length },
    ...fields.map(({ name, type, nullable }): SchemaElement => {
      const element = toElement(type);
      if (element === undefined) throw unwritableColumn(name, type);
      return { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED', ...element };
    }),
  ];
}

function toElement(type: DataType): Omit<SchemaElement, 'name'> | undefined {
  if (DataType.isFloat(type)) {
    return { type: type.precision === Precision.DOUBLE ? 'DOUBLE' : 'FLOAT' };
  }
  if (DataType.isInt(type)) {
    if (type.bitWidth === 64) return type.isSigned ? { type: 'INT64' } : { type: 'INT64', converted_type: 'UINT_64' };
    return type.bitWidth === 32 && !type.isSigned ? { type: 'INT32', converted_type: 'UINT_32' } : { type: 'INT32' };
  }
  if (DataType.isBool(type)) return { type: 'BOOLEAN' };
  if (isTextType(type)) return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  if (DataType.isDate(type) && type.unit === DateUnit.DAY) return { type: 'INT32', converted_type: 'DATE' };
  const unit = DataType.isTimestamp(type) ? UNITS[type.unit as keyof typeof UNITS] : undefined;
  if (unit === undefined || !DataType.isTimestamp(type)) return undefined;
  const isAdjustedToUTC = type.timezone !== null && type.timezone !== undefined;
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } };
}
