/** The server of `serve.ts`: `constant`, `statistics` or `cached`, of a store; tells its port, and its processor time when asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { getRequestListener } from '@hono/node-server';
import { createHandler } from '../src/service/handler/create-handler.js';
import { openKeys, openStore } from '../src/service/node.js';

const [role, dir] = process.argv.slice(2);
const RESPONSE_CACHE_BYTES = 67_108_864;

const service = createHandler({
  source: await openStore(dir),
  keys: await openKeys(dir),
  responseCacheBytes: role === 'cached' ? RESPONSE_CACHE_BYTES : 0,
});

/** The first answer again and again, whatever is asked: its body and its headers, given to the adapter as the service gives them. */
function constant(): typeof service {
  let known: { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } | undefined;
  return async (request) => {
    if (known === undefined) {
      const response = await service(request);
      known = {
        body: new Uint8Array(await response.arrayBuffer()),
        headers: createHeaders(response),
      };
    }
    return new Response(known.body, { status: 200, headers: known.headers });
  };
}

function createHeaders({ headers }: Response): Record<string, string> {
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    all[name] = value;
  });
  return all;
}

const handler = role === 'constant' ? constant() : service;
const server = createServer(getRequestListener(handler));
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }));
createInterface({ input: process.stdin }).on('line', () => {
  const { user, system } = process.cpuUsage();
  report({ microseconds: user + system });
});

function report(what: object): void {
  console.log(JSON.stringify(what));
}
