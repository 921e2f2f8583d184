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
  const lines = new RequestLines((text) => process.stderr.write(text));
  const writeJson = (entry: object) => {
    lines.flush();
    write(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  };
  // What ends the process leaves nothing out.
  process.on('exit', () => lines.flush());
  return {
    request: (record) => lines.add(record),
    note: (note) => writeJson({ note }),
    fault: (error, { id, requestId, trace }: Partial<ErrorContext> = {}) =>
      writeJson({ error: describeError(error), id, requestId, ...spanIds(trace) }),
  };
}

/** Pipes take so many bytes at once, with no bytes of other processes between them. */
const MAX_BYTES = 4096;

/**
 * Writes the lines of the requests that the event loop has read at once together, before their responses are sent: a line by
 * itself takes as long as the answer of a point.
 */
export class RequestLines {
  readonly #write: (text: string) => void;
  #text = '';
  #bytes = 0;
  #time = '';
  #milliseconds = Number.NaN;
  readonly #flush = () => this.flush();

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(record: RequestRecord): void {
    const line = `{"time":"${this.#now()}"${fields(record)}}\n`;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > MAX_BYTES) this.flush();
    if (this.#bytes === 0) setImmediate(this.#flush);
    this.#text += line;
    this.#bytes += bytes;
  }

  flush(): void {
    if (this.#bytes === 0) return;
    const text = this.#text;
    this.#text = '';
    this.#bytes = 0;
    this.#write(text);
  }

  /** The time now: its text takes longer to make than the rest of a line. */
  #now(): string {
    const now = Date.now();
    if (now !== this.#milliseconds) this.#time = new Date(now).toISOString();
    this.#milliseconds = now;
    return this.#time;
  }
}

/** The fields of a request as JSON, each behind a comma. */
function fields({ method, path, status, milliseconds, trace, ...record }: RequestRecord): string {
  const { client, userAgent, keyId, owner, bytes, errorId, requestId } = record;
  return (
    `,"method":${quoted(method)},"path":${quoted(path)},"status":${status}` +
    `,"milliseconds":${Math.round(1000 * milliseconds) / 1000}${field('client', client)}${field('userAgent', userAgent)}` +
    `${field('keyId', keyId)}${field('owner', owner)},"bytes":${bytes}${field('errorId', errorId)}` +
    `${field('requestId', requestId)}${field('traceId', trace?.traceId)}${field('parentId', trace?.parentId)}`
  );
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quoted(value)}`;
}

/** Characters that JSON escapes, or may. */
const UNUSUAL = /[^ !#-[\]-~]/;

function quoted(text: string): string {
  return UNUSUAL.test(text) ? JSON.stringify(text) : `"${text}"`;
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
