import { isPlumecastError } from '../../../errors.js';
import { parseDate } from '../../../period/day.js';
import { DATE } from '../../../respond/schema-parts.js';
import type { Parameter } from './parameter.js';

/** The first day of the answer. `omitted` describes where it begins by default. */
export function startDateParameter(omitted: string): Parameter<'start_date'> {
  return date('start_date', `First day, inclusive, a UTC calendar day. Default: ${omitted}.`, '2026-03-02');
}

/** The last day of the answer. `omitted` describes where it ends by default. */
export function endDateParameter(omitted: string): Parameter<'end_date'> {
  return date('end_date', `Last day, inclusive, a UTC calendar day. Default: ${omitted}.`, '2026-04-05');
}

function date<Name extends 'start_date' | 'end_date'>(
  name: Name,
  description: string,
  example: string,
): Parameter<Name> {
  return {
    name,
    description,
    schema: DATE,
    example,
    required: false,
    repeatable: false,
    maxLength: 32,
    allowed: 'a date as YYYY-MM-DD',
    read(text, reject) {
      try {
        return parseDate(text);
      } catch (error) {
        if (isPlumecastError(error, 'option')) return reject(error.problem, { allowed: error.allowed });
        throw error;
      }
    },
  };
}
