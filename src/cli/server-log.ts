import { isPlumecastError } from '../errors.js';
import type { RequestRecord } from '../service/handler/handler-options.js';

/** The log of a server, on standard error. */
export interface ServerLog {
  /** Logs a request; undefined if requests are not logged. */
  readonly request?: (record: RequestRecord) => void;
  note(text: string): void;
  /** Logs an error; `id` is the request id of the response. */
  fault(error: unknown, id?: string): void;
}

/** Creates a log of lines for people or, if requests are logged, of JSON objects, one per line. */
export function serverLog(requests: boolean): ServerLog {
  const write = (line: string) => process.stderr.write(`${line}\n`);
  if (!requests) {
    const note = (text: string) => write(`note: ${text}`);
    return { note, fault: (error, id) => write(`error${id === undefined ? '' : ` ${id}`}: ${describeError(error)}`) };
  }
  const writeJson = (entry: object) => write(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  const request = (record: RequestRecord) =>
    writeJson({ ...record, milliseconds: Number(record.milliseconds.toFixed(3)) });
  return {
    request,
    note: (note) => writeJson({ note }),
    fault: (error, id) => writeJson({ error: describeError(error), id }),
  };
}

/** A PlumecastError is described by its message; other errors need their stack. */
function describeError(error: unknown): string {
  if (isPlumecastError(error) || !(error instanceof Error)) return String(error);
  return error.stack ?? error.message;
}
