import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server got: the path, and the headers that only one origin may get. */
interface ListenedRequest {
  readonly url: string;
  readonly key: unknown;
  readonly own: unknown;
  readonly authorization: unknown;
}

/** A server that answers by `answer`, and the requests that it got. */
export class Listened {
  readonly requests: ListenedRequest[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  readonly #server: Server = createServer((request, response) => {
    const { url = '', headers } = request;
    const { authorization } = headers;
    this.requests.push({ url, key: headers['x-api-key'], own: headers['x-own'], authorization });
    this.answer(request, response);
  });

  async open(): Promise<void> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}
