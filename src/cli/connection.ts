import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isUnreadable, unreadableResponse } from '../service/handler/listener/client-errors.node.js';

/**
 * How long to read from a connection after its last response: unread data would reset it before the response has
 * arrived.
 */
const LINGER_MILLISECONDS = 10_000;
/** The same if no response is being sent. */
const IDLE_LINGER_MILLISECONDS = 1000;

/**
 * A connection that closes without cutting off responses: the last one has the header `Connection: close`, the server
 * ends its side of the stream, and reads until the client does too. Destroying the socket would lose data that is not
 * sent yet; closing it before all data are read would reset the connection, and the client would lose what it has not
 * read.
 */
export class Connection {
  readonly #socket: Socket;
  /** Unfinished responses, in order, and whether the connection could stay open after each. */
  readonly #pending = new Map<ServerResponse, boolean>();
  /** The number of bytes read when the last request was complete. */
  #bytesOfRequests = 0;
  #isStopping = false;
  #isUnreadable = false;
  #isEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Called by node:http when the last response is finished.
    socket.destroySoon = () => this.#end(LINGER_MILLISECONDS);
  }

  /** The number of unfinished responses. */
  get unfinished(): number {
    return this.#pending.size;
  }

  /** Registers a request; returns false if it came after the last one that gets a response. */
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

  /** Marks the last unfinished response with `Connection: close`, unless its headers are sent. */
  markLast(): void {
    const last = [...this.#pending.keys()].at(-1);
    if (last !== undefined && !last.headersSent) last.shouldKeepAlive = false;
  }

  /**
   * Ends the connection: after unfinished responses, and a request that has partly arrived; at once if there are
   * neither.
   */
  stop(): void {
    this.#isStopping = true;
    this.markLast();
    this.#endIfIdle(IDLE_LINGER_MILLISECONDS);
  }

  /** Handles that nothing has arrived or was sent for a while: what is still being computed goes on. */
  endStalled(): void {
    if (this.#pending.size === 0 || this.#socket.writableLength > 0) this.#socket.destroy();
  }

  /** Handles data that are not a valid request: the connection ends, after unfinished responses. */
  fail({ code = '' }: NodeJS.ErrnoException): void {
    if (!isUnreadable(code)) this.#socket.destroy();
    else if (this.#pending.size > 0) {
      this.#isUnreadable = true;
      this.markLast();
    } else if (!this.#isEnded) {
      this.#socket.write(unreadableResponse(code));
      this.#end(LINGER_MILLISECONDS);
    }
  }

  #endIfIdle(lingerMilliseconds: number): void {
    const isAtEnd = this.#isUnreadable || this.#socket.bytesRead === this.#bytesOfRequests;
    if (isAtEnd && this.#pending.size === 0) this.#end(lingerMilliseconds);
  }

  /** Whether a response with `Connection: close` has been sent. */
  #hasSentLast(): boolean {
    for (const response of this.#pending.keys()) if (response.headersSent && !response.shouldKeepAlive) return true;
    return false;
  }

  #end(lingerMilliseconds: number): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const socket = this.#socket;
    // Everything else that the client sends is discarded.
    socket.resume();
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
    socket.once('close', () => clearTimeout(timer));
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
