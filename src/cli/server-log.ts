import { isPlumecastError } from '../errors.js';
import type { RequestRecord } from '../service/handler/handler-options.js';

/** What a server tells of its work, on standard error. */
export interface ServerLog {
  /** One line for each request; undefined where they are not asked for. */
  readonly request?: (record: RequestRecord) => void;
  note(text: string): void;
  /** A fault; `id` is what the response that met it says. */
  fault(error: unknown, id?: string): void;
}

/** A log of lines for people or, where requests are logged, of JSON objects, one a line. */
export function serverLog(requests: boolean): ServerLog {
  const write = (line: string) => process.stderr.write(`${line}\n`);
  if (!requests) {
    const note = (text: string) => write(`note: ${text}`);
    return { note, fault: (error, id) => write(`error${id === undefined ? '' : ` ${id}`}: ${reported(error)}`) };
  }
  const writeJson = (entry: object) => write(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  const request = (record: RequestRecord) =>
    writeJson({ ...record, milliseconds: Number(record.milliseconds.toFixed(3)) });
  return {
    request,
    note: (note) => writeJson({ note }),
    fault: (error, id) => writeJson({ error: reported(error), id }),
  };
}

/** Errors of our own tell all in their message; others need the place where they come from. */
function reported(error: unknown): string {
  if (isPlumecastError(error) || !(error instanceof Error)) return String(error);
  return error.stack ?? error.message;
}
