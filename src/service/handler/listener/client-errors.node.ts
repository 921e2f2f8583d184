import { STATUS_CODES } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { HttpSocket } from './request-line.node.js';

/** The statuses for invalid requests, by the codes of Node's errors; 400 for others. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Whether the code of an error is that of an invalid request; others are about the connection. */
export function isUnreadable(code: string): boolean {
  return code.startsWith('HPE_') || Object.hasOwn(STATUSES, code);
}

/** The response to an invalid request, by the code of its error: the last one of its connection. */
export function unreadableResponse(code: string): string {
  const status = STATUSES[code] ?? 400;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
}

/** The servers that are watched, and the connections that end after their responses. */
const watched = /* @__PURE__ */ new WeakSet<Server>();
const ending = /* @__PURE__ */ new WeakSet<Socket>();

/**
 * Lets the responses of a connection finish where invalid data follow their requests, as data after a request with
 * `Connection: close` are: `node:http` itself destroys it at once, with all that is not sent yet. Nothing is changed
 * where the server handles such errors itself.
 */
export function finishResponses(server: Server): void {
  if (watched.has(server)) return;
  watched.add(server);
  if (server.listenerCount('clientError') === 0) server.on('clientError', endConnection);
}

function endConnection(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  const { code = '' } = error;
  // The error comes again with more data.
  if (ending.has(socket)) return;
  if (isUnreadable(code) && socket._httpMessage) {
    ending.add(socket);
    endAfterResponses(socket);
    return;
  }
  if (socket.writable) socket.write(unreadableResponse(code));
  socket.destroy(error);
}

function endAfterResponses(socket: HttpSocket): void {
  if (socket._httpMessage) socket._httpMessage.once('close', () => endAfterResponses(socket));
  else socket.destroySoon();
}
