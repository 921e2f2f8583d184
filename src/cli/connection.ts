import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection is read after its last response, so that what still comes does not reset it before the response is there. */
const LINGER_MILLISECONDS = 10_000;
/** The same where no response is on its way. */
const IDLE_LINGER_MILLISECONDS = 1000;

/**
 * A connection whose responses end whole: the last one says `Connection: close`, and the connection is closed by its end of the stream
 * and read until the client's. A socket that is destroyed instead loses what it has not sent, and one that is closed before all is read
 * resets the client, which then loses what it has not read.
 */
export class Connection {
  readonly #socket: Socket;
  /** Responses that are not finished, in order, and whether the connection could stay open after each. */
  readonly #pending = new Map<ServerResponse, boolean>();
  /** The bytes read when the last request had come. */
  #bytesOfRequests = 0;
  #isStopping = false;
  #isUnreadable = false;
  #isEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Called by node:http when the last response is finished.
    socket.destroySoon = () => this.#end(LINGER_MILLISECONDS);
  }

  /** The number of responses that are on their way. */
  get unfinished(): number {
    return this.#pending.size;
  }

  /** A request has come; false where it comes after the last one that is answered. */
  begin(request: IncomingMessage, response: ServerResponse, isLast: boolean): boolean {
    this.#bytesOfRequests = this.#socket.bytesRead;
    if (this.#isEnded || this.#hasSentLast()) return false;
    if (hasBody(request)) {
      request.once('end', () => {
        this.#bytesOfRequests = this.#socket.bytesRead;
      });
    }
    for (const [earlier, stays] of this.#pending) earlier.shouldKeepAlive = stays;
    this.#pending.set(response, response.shouldKeepAlive);
    if (isLast) this.markLast();
    response.once('close', () => {
      this.#pending.delete(response);
      if (this.#isStopping || this.#isUnreadable) this.#endIfIdle(LINGER_MILLISECONDS);
    });
    return true;
  }

  /** The last response on its way, unless it has begun, tells the client that none comes after it. */
  markLast(): void {
    const last = [...this.#pending.keys()].at(-1);
    if (last !== undefined && !last.headersSent) last.shouldKeepAlive = false;
  }

  /** Ends the connection: after what is on its way and a request of which a part has come, at once where there is neither. */
  stop(): void {
    this.#isStopping = true;
    this.markLast();
    this.#endIfIdle(IDLE_LINGER_MILLISECONDS);
  }

  /** What has come cannot be read as a request: it is the end of the connection, but not of responses on their way. */
  fail({ code = '' }: NodeJS.ErrnoException): void {
    if (!isUnreadable(code)) this.#socket.destroy();
    else if (this.#pending.size > 0) {
      this.#isUnreadable = true;
      this.markLast();
    } else if (!this.#isEnded) {
      const status = STATUSES[code] ?? 400;
      this.#socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      this.#end(LINGER_MILLISECONDS);
    }
  }

  #endIfIdle(lingerMilliseconds: number): void {
    const isAtEnd = this.#isUnreadable || this.#socket.bytesRead === this.#bytesOfRequests;
    if (isAtEnd && this.#pending.size === 0) this.#end(lingerMilliseconds);
  }

  /** Whether a response has told the client that none comes after it. */
  #hasSentLast(): boolean {
    for (const response of this.#pending.keys()) if (response.headersSent && !response.shouldKeepAlive) return true;
    return false;
  }

  #end(lingerMilliseconds: number): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const socket = this.#socket;
    // The rest of what the client sends is thrown away.
    socket.resume();
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
    socket.once('close', () => clearTimeout(timer));
  }
}

/** The statuses of what cannot be read as a request, by the codes of Node's errors; 400 for others. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Whether an error is one of reading a request; others are of the connection. */
function isUnreadable(code: string): boolean {
  return code.startsWith('HPE_') || Object.hasOwn(STATUSES, code);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
