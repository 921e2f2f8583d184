import type { ServerResponse } from 'node:http';
import { LongBody } from '../long-body.js';
import type { ResponseParts } from '../response-parts.js';

/** A response waits at most about so long for others, in milliseconds. */
const MAX_WAIT = 1;

interface Ready {
  readonly parts: ResponseParts;
  readonly isHead: boolean;
  readonly response: ServerResponse;
}

/**
 * Sends responses together: those of all requests that the event loop has read at once. To write to a socket wakes the
 * process that reads from it where that is on the same machine, as a proxy is, which takes as long as many requests
 * do; it is still awake for the responses that follow at once.
 */
export class Outbox {
  #ready: Ready[] = [];
  #since = 0;
  readonly #flush = () => this.#send();

  add(parts: ResponseParts, isHead: boolean, response: ServerResponse): void {
    const now = performance.now();
    if (this.#ready.length === 0) {
      this.#since = now;
      setImmediate(this.#flush);
    }
    this.#ready.push({ parts, isHead, response });
    // What follows the last request of a connection makes node:http destroy it, also while responses wait here.
    if (!response.shouldKeepAlive || now - this.#since >= MAX_WAIT) this.#send();
  }

  #send(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const { parts, isHead, response } of ready) sendParts(parts, isHead, response);
  }
}

/** A text of at most so many bytes goes to the socket in one write together with the head, without a copy of its own. */
const MAX_TEXT_BYTES = 16_000;

/**
 * Sends a response; without its body for HEAD. Does nothing where the client has gone, or others have answered, such as
 * a time limit of the server.
 */
function sendParts({ status, headers, body }: ResponseParts, isHead: boolean, response: ServerResponse): void {
  const isLong = body instanceof LongBody;
  const isLate = response.destroyed || response.headersSent;
  if (isLong && (isHead || isLate)) body.drop();
  if (isLate) return;
  response.writeHead(status, headers);
  if (isHead || body === undefined) response.end();
  else if (isLong) sendLong(body, response);
  else if (body.length > MAX_TEXT_BYTES) response.end(body);
  // Each byte as a character: node:http joins the head with a text, but not with bytes.
  else sendText(Buffer.prototype.latin1Slice.call(body, 0, body.length), response);
}

/**
 * Sends a text in one write with the head. `end` with a text queues an empty text behind it: both are then copied and
 * written as a list, which takes several microseconds more.
 */
function sendText(text: string, response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) {
    // It waits for those before it on the connection.
    response.end(text, 'latin1');
    return;
  }
  // Else `write` holds the text back until the next turn.
  socket.cork();
  response.write(text, 'latin1');
  socket.uncork();
  response.end();
}

/** Sends a body piece by piece, each when the client has taken those before. */
async function sendLong(body: LongBody, response: ServerResponse): Promise<void> {
  response.once('close', () => body.drop());
  // The head is sent already: only a connection that breaks off shows that the body is not complete.
  body.ended.then(({ error }) => error !== undefined && response.destroy());
  response.flushHeaders();
  try {
    for (let piece = await body.next(); piece !== undefined; piece = await body.next()) {
      if (!response.write(piece)) await drained(response);
    }
    if (!response.destroyed) response.end();
  } catch {
    // Its end has the error.
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
