/**
 * A server of `serve.ts`: `constant`, `statistics` or `cached`, with a store as its source. Prints its port, and its
 * processor time for each line of standard input.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { getRequestListener } from '@hono/node-server';
import { createHandler } from '../src/service/handler/create-handler.js';
import { openKeys, openStore } from '../src/service/node.js';

const [role, folder] = process.argv.slice(2);
const RESPONSE_CACHE_BYTES = 67_108_864;

const service = createHandler({
  source: await openStore(folder),
  keys: await openKeys(folder),
  responseCacheBytes: role === 'cached' ? RESPONSE_CACHE_BYTES : 0,
});

/**
 * Returns the first answer again for every request, its body and headers in the form in which the service returns them.
 */
function constant(): typeof service {
  let kept: { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } | undefined;
  return async (request) => {
    if (kept === undefined) {
      const response = await service(request);
      kept = {
        body: new Uint8Array(await response.arrayBuffer()),
        headers: headersAsObject(response),
      };
    }
    return new Response(kept.body, { status: 200, headers: kept.headers });
  };
}

function headersAsObject({ headers }: Response): Record<string, string> {
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    all[name] = value;
  });
  return all;
}

const handler = role === 'constant' ? constant() : service;
const server = createServer(getRequestListener(handler));
server.listen(0, '127.0.0.1', () => print({ port: (server.address() as AddressInfo).port }));
createInterface({ input: process.stdin }).on('line', () => {
  const { user, system } = process.cpuUsage();
  print({ microseconds: user + system });
});

function print(message: object): void {
  console.log(JSON.stringify(message));
}
