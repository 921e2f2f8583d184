import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A socket of `node:http`, which keeps there the response that is being sent, or is to be sent next. Not documented, but
 * so in every version; to remember each response here would take a microsecond a request.
 */
export interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/** So many requests of a connection may wait for the response before them. */
const MAX_WAITING = 128;

/** Called when it is the turn of a request, or when its client has gone before. */
type Begin = (isGone: boolean) => void;

/** By connection; most have none, as their clients wait for each response. */
const lines = /* @__PURE__ */ new WeakMap<HttpSocket, RequestLine>();

/**
 * Waits until the responses before this one on its connection are sent: then it has the socket. `node:http` itself
 * gives no event where the connection closes before.
 */
export function awaitTurn(request: IncomingMessage, response: ServerResponse, begin: Begin): void {
  const socket: HttpSocket = request.socket;
  let line = lines.get(socket);
  if (line === undefined) {
    line = new RequestLine(socket);
    lines.set(socket, line);
  }
  line.add(response, begin);
}

/** The requests of one connection that wait for the response before them, in order. */
class RequestLine {
  readonly #socket: HttpSocket;
  readonly #waiting = new Set<Begin>();
  #isClosed = false;

  constructor(socket: HttpSocket) {
    this.#socket = socket;
    if (socket.destroyed) this.#isClosed = true;
    else socket.once('close', () => this.#close());
  }

  add(response: ServerResponse, begin: Begin): void {
    if (!this.#isClosed && this.#waiting.size === MAX_WAITING) this.#endConnection();
    if (this.#isClosed) {
      // Read again when a response before it has ended.
      this.#socket.pause();
      begin(true);
      return;
    }
    this.#waiting.add(begin);
    // In a turn of its own: the event comes in the middle of handing the socket over.
    response.once('socket', () => process.nextTick(() => this.#waiting.delete(begin) && begin(false)));
  }

  /** Answers no more than the request whose response is being sent. */
  #endConnection(): void {
    const socket = this.#socket;
    const current = socket._httpMessage;
    if (current) {
      if (!current.headersSent) current.setHeader('connection', 'close');
      current.once('close', () => socket.destroySoon());
    } else {
      socket.destroySoon();
    }
    this.#close();
  }

  #close(): void {
    this.#isClosed = true;
    for (const begin of this.#waiting) begin(true);
    this.#waiting.clear();
  }
}
