import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Listener } from '../../../../src/service/handler/listener/create-listener.node.js';

export interface SentRequest {
  readonly method: string;
  /** The target of the request line, as it is written. */
  readonly url: string;
  /** Names and values in turn, as node:http gives them. */
  readonly rawHeaders: readonly string[];
}

/** Called with what says that the client has taken a write. */
type OnWrite = (taken: () => void) => void;

/** A socket that keeps what is written to it. */
class RecordingSocket extends Socket {
  readonly chunks: Buffer[] = [];
  readonly #onWrite: OnWrite;

  constructor(onWrite: OnWrite) {
    super();
    this.#onWrite = onWrite;
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    this.#onWrite(done);
  }

  override _writev(all: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of all) {
      this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    }
    this.#onWrite(done);
  }
}

/** Calls a listener with the objects of node:http, without a connection, and returns its response as one of fetch. */
export function callListener(
  listener: Listener,
  { method, url, rawHeaders }: SentRequest,
  onWrite: OnWrite = (taken) => taken(),
): Promise<Response> {
  const socket = new RecordingSocket(onWrite);
  const request = new IncomingMessage(socket);
  Object.assign(request, { method, url, httpVersionMajor: 1, httpVersionMinor: 0, httpVersion: '1.0', complete: true });
  request.rawHeaders.push(...rawHeaders);
  const response = new ServerResponse(request);
  // Without chunks, which only a connection needs.
  response.shouldKeepAlive = false;
  response.sendDate = false;
  response.assignSocket(socket);
  // As a server does.
  socket.on('drain', () => response.emit('drain'));
  return new Promise((resolve, reject) => {
    response.once('finish', () => resolve(readResponse(Buffer.concat(socket.chunks))));
    response.once('close', () => reject(new Error('the response has broken off')));
    listener(request, response);
  });
}

function readResponse(bytes: Buffer): Response {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (name !== 'connection') headers.append(name, line.slice(colon + 2));
  }
  const body = new Uint8Array(bytes.subarray(end + 4));
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}
