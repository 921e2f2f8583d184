import { type DataError, type ErrorTag, isPlumecastError } from '../errors.js';
import { PROTOCOL_VERSION } from './frames.js';

/** What an error frame holds, as JSON. */
export interface ErrorRecord {
  readonly version: number;
  /** `internal` for faults of the program itself. */
  readonly tag: ErrorTag | 'internal';
  /** The complete text. */
  readonly message: string;
  readonly subject?: string;
  readonly problem?: string;
  readonly allowed?: string;
  /** Where the fault lies, as far as it is known: the name of the data, a row counted from 1, a column. */
  readonly source?: string;
  readonly row?: number;
  readonly column?: string;
  /** Whether the worker closes the connection, because it cannot find the next request. */
  readonly closes: boolean;
}

/** Longer texts are cut. */
const MAX_TEXT = 8_192;

/** Creates the record of an error. */
export function errorRecord(error: unknown, closes: boolean): ErrorRecord {
  if (!isPlumecastError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { version: PROTOCOL_VERSION, tag: 'internal', message: cut(message), closes };
  }
  const { tag, message, subject, problem, allowed } = error;
  const { source, row, column } = error as Partial<DataError>;
  return {
    ...{ version: PROTOCOL_VERSION, tag, message: cut(message), subject: cut(subject), problem: cut(problem) },
    ...(allowed !== undefined && { allowed: cut(allowed) }),
    ...(source !== undefined && { source: cut(source) }),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column: cut(column) }),
    closes,
  };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}
