import { printable } from '../check/printable.js';
import { isPlumecastError } from '../errors.js';
import type { ErrorContext, RequestRecord } from '../service/handler/handler-options.js';
import type { TraceContext } from '../service/handler/request-context.js';

/** The log of a server, on standard error. */
export interface ServerLog {
  /** Logs a request; undefined if requests are not logged. */
  readonly request?: (record: RequestRecord) => void;
  note(text: string): void;
  /** Logs an error; `id` is that in the response. */
  fault(error: unknown, context?: ErrorContext): void;
}

/** Creates a log of lines for people or, if requests are logged, of JSON objects, one per line. */
export function serverLog(requests: boolean): ServerLog {
  const write = (line: string) => process.stderr.write(`${line}\n`);
  if (!requests) {
    // Texts of files and of requests may hold what a terminal runs.
    const say = (text: string) => write(printable(text));
    return {
      note: (text) => say(`note: ${text}`),
      fault: (error, context) => say(`error${context === undefined ? '' : ` ${context.id}`}: ${describeError(error)}`),
    };
  }
  const writeJson = (entry: object) => write(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  const request = ({ trace, ...record }: RequestRecord) =>
    writeJson({ ...record, milliseconds: Number(record.milliseconds.toFixed(3)), ...spanIds(trace) });
  return {
    request,
    note: (note) => writeJson({ note }),
    fault: (error, { id, requestId, trace }: Partial<ErrorContext> = {}) =>
      writeJson({ error: describeError(error), id, requestId, ...spanIds(trace) }),
  };
}

/** The ids by which a line of the log is found from a trace. */
function spanIds(trace: TraceContext | undefined) {
  return trace && { traceId: trace.traceId, parentId: trace.parentId };
}

/** A PlumecastError is described by its message; other errors need their stack. */
function describeError(error: unknown): string {
  if (isPlumecastError(error) || !(error instanceof Error)) return String(error);
  return error.stack ?? error.message;
}
