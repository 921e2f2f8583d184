import type { DataType } from 'apache-arrow';
import { OptionError } from '../errors.js';

/** The OptionError for a column of a type that only the Arrow format can store. */
export function unwritableColumn(name: string, type: DataType): OptionError {
  return new OptionError({
    subject: `column ${name}`,
    problem: 'has a type that this format cannot be written with',
    received: String(type),
    allowed: 'numbers, dates, timestamps, texts and booleans; the format arrow holds all types',
  });
}
