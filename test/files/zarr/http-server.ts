import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';

/** What a server does before it answers as usual; true where it has answered. */
type Mischief = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** A server of values, at a port of its own. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Method, path and range of each request. */
  readonly requests: string[];
  mischief?: Mischief;
}

/** Serves the files of a folder as they are now. */
export async function serveFolder(folder: string): Promise<TestServer> {
  const values = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) values.set(relative(folder, path), readFileSync(path));
  }
  return serveValues(values);
}

/** Serves values by their paths: whole or by ranges, with ETags. */
export async function serveValues(values: ReadonlyMap<string, Uint8Array>): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url as string, 'http://server');
    const key = decodeURIComponent(pathname).slice(1);
    requests.push([request.method, key, ...(request.headers.range ? [request.headers.range] : [])].join(' '));
    if (await served.mischief?.(request, response)) return;
    const bytes = values.get(key);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${createHash('sha1').update(bytes).digest('hex')}"`;
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) {
      response.writeHead(200, { etag }).end(bytes);
      return;
    }
    const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
    const end = from === '' || to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1);
    if (start >= bytes.length) response.writeHead(416).end();
    else
      response
        .writeHead(206, { etag, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` })
        .end(bytes.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: TestServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
