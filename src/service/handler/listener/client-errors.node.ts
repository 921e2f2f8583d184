import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Server, Socket } from 'node:net';

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

/**
 * Lets the responses of a connection finish where invalid data follow their requests, as data after a request with
 * `Connection: close` are: `node:http` itself destroys it at once, with all that is not sent yet.
 */
export class ClientErrors {
  readonly #servers = new WeakSet<Server>();
  /** The last response of each connection: those before it finish first. */
  readonly #last = new WeakMap<Socket, ServerResponse>();

  /** Watches a server, of which `begin` gets every response; unless it has its own handler of such errors. */
  watch(server: Server): void {
    if (this.#servers.has(server)) return;
    this.#servers.add(server);
    if (server.listenerCount('clientError') > 0) return;
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#end(error, socket));
  }

  /** Registers a response. */
  begin(socket: Socket, response: ServerResponse): void {
    this.#last.set(socket, response);
  }

  #end(error: NodeJS.ErrnoException, socket: Socket): void {
    const { code = '' } = error;
    const last = this.#last.get(socket);
    if (isUnreadable(code) && last !== undefined && !last.closed) {
      // The error comes again with more data.
      if (last.listenerCount('close', destroySoon) === 0) last.once('close', destroySoon);
      return;
    }
    if (socket.writable) socket.write(unreadableResponse(code));
    socket.destroy(error);
  }
}

function destroySoon(this: ServerResponse): void {
  this.req.socket.destroySoon();
}
