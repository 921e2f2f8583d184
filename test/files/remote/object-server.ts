import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server does before it answers as usual; true where it has answered. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** A server of objects that counts what it gives. */
export interface ObjectServer extends AsyncDisposable {
  readonly url: string;
  /** Path and range of each request. */
  readonly requests: string[];
  /** Bytes of bodies. */
  bytes: number;
  /** The most requests at the same time. */
  atOnce: number;
  fault?: Fault | undefined;
  /** The time before each answer, in milliseconds. */
  delay: number;
  /** When objects were changed, if the server says so. */
  modified?: Date | undefined;
  /** Forgets what was counted. */
  reset(): void;
}

/** The tag of a version of an object. */
export function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha1').update(bytes).digest('hex')}"`;
}

/** Serves objects by their paths as buckets do: ranges, `If-Match`, tags. */
export async function serveObjects(objects: ReadonlyMap<string, Uint8Array>): Promise<ObjectServer> {
  let now = 0;
  const tags = new WeakMap<Uint8Array, string>();
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent(new URL(request.url as string, 'http://server').pathname).slice(1);
    served.requests.push([key, request.headers.range ?? 'all'].join(' '));
    served.atOnce = Math.max(served.atOnce, ++now);
    response.on('close', () => now--);
    if (served.delay > 0) await new Promise((resolve) => setTimeout(resolve, served.delay));
    if (await served.fault?.(request, response)) return;
    const bytes = objects.get(key);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = tags.get(bytes) ?? tagOf(bytes);
    tags.set(bytes, etag);
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== etag) {
      response.writeHead(412).end();
      return;
    }
    const changed = served.modified && { 'last-modified': served.modified.toUTCString() };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag, ...changed }).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] =
      from === undefined ? [0, bytes.length] : [Number(from), Math.min(bytes.length, Number(to) + 1)];
    if (start >= bytes.length && from !== undefined) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    served.bytes += end - start;
    const range = from === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
    const length = { 'content-length': end - start };
    response
      .writeHead(from === undefined ? 200 : 206, { etag, ...changed, ...range, ...length })
      .end(bytes.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: ObjectServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ requests: [], bytes: 0, atOnce: 0, delay: 0 },
    reset() {
      served.requests.length = 0;
      served.bytes = 0;
      served.atOnce = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
