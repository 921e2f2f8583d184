import { type Data, DataType } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { formatDate } from '../period/index.js';
import { shortestFloat32 } from './shortest-number.js';
import { timestampText } from './timestamp-text.js';

/** How a text format writes values that are not numbers. */
export interface CellStyle {
  text(value: string): string;
  boolean(value: boolean): string;
}

/** The text of one cell, its row counted from 0; `undefined` where the value is missing. */
export type CellText = (row: number) => string | undefined;

/**
 * A function that writes the cells of one chunk of the column `name`.
 *
 * Numbers are the shortest that read back to the same value of the column's type; -0 is 0; dates are `YYYY-MM-DD`,
 * timestamps ISO 8601 in UTC; null and NaN are missing. Throws an OptionError for columns that hold no single values.
 */
export function cellTextOf(data: Data, name: string, style: CellStyle): CellText {
  const valueText = valueTextOf(data, name, style);
  if (data.nullCount === 0) return valueText;
  const { nullBitmap, offset } = data;
  return (row) => (nullBitmap[(offset + row) >> 3] & (1 << ((offset + row) & 7)) ? valueText(row) : undefined);
}

function valueTextOf(data: Data, name: string, style: CellStyle): CellText {
  const { type, values, offset } = data;
  if (DataType.isNull(type)) return () => undefined;
  if (DataType.isFloat(type) && type.ArrayType === Float32Array) {
    return (row) => (Number.isNaN(values[row]) ? undefined : String(shortestFloat32(values[row])));
  }
  if (DataType.isFloat(type) && type.ArrayType === Float64Array) {
    return (row) => (Number.isNaN(values[row]) ? undefined : String(values[row]));
  }
  if (DataType.isInt(type)) return (row) => String(values[row]);
  if (DataType.isBool(type)) {
    return (row) => style.boolean((values[(offset + row) >> 3] & (1 << ((offset + row) & 7))) !== 0);
  }
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const { valueOffsets } = data;
    const decoder = new TextDecoder();
    return (row) =>
      style.text(decoder.decode(values.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1]))));
  }
  if (DataType.isDate(type) && type.ArrayType === Int32Array) return (row) => style.text(formatDate(values[row]));
  if (DataType.isTimestamp(type)) return (row) => style.text(timestampText(values[row], type.unit));
  if (DataType.isDictionary(type) && data.dictionary !== undefined) {
    const texts = data.dictionary.data.flatMap((chunk) => {
      const text = cellTextOf(chunk, name, style);
      return Array.from({ length: chunk.length }, (_, row) => text(row));
    });
    return (row) => texts[Number(values[row])];
  }
  throw unwritableColumn(name, type);
}

/** The OptionError for a column of a type that only the Arrow format holds. */
export function unwritableColumn(name: string, type: DataType): OptionError {
  return new OptionError({
    subject: `column ${name}`,
    problem: 'has a type that this format cannot be written with',
    received: String(type),
    allowed: 'numbers, dates, timestamps, texts and booleans; the format arrow holds all types',
  });
}
