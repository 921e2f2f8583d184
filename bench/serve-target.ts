/**
 * A server of `serve.ts`: `bare`, `adapter`, `statistics`, `cached`, `all` or `logged`, with a store as its source, and for the last two
 * the URL of a database. Prints its port, and its processor time and resident memory for each line of standard input.
 */
import { openSync, unlinkSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { getRequestListener } from '@hono/node-server';
import { RequestLines } from '../src/cli/server-log.js';
import { createHandler } from '../src/service/handler/create-handler.js';
import { createRateLimit } from '../src/service/handler/rate-limit.js';
import {
  createListener,
  createMetrics,
  createUsageMeter,
  openDatabase,
  openKeys,
  openStore,
} from '../src/service/node.js';
import { KEY, WEEKS } from './serve-store.js';

const [role, folder, database = ''] = process.argv.slice(2);
const RESPONSE_CACHE_BYTES = 67_108_864;
const hasAll = role === 'all' || role === 'logged';

// Keys, a rate limit and metrics, as a service in use has them; a log for `logged`.
const metrics = await createMetrics();
const service = createHandler({
  source: await openStore(folder),
  rateLimit: createRateLimit({ requests: 1e9, windowSeconds: 1 }),
  onMetric: metrics.onMetric,
  ...(hasAll ? await everything() : { keys: await openKeys(folder) }),
  responseCacheBytes: role === 'cached' ? RESPONSE_CACHE_BYTES : 0,
});

/** Keys, locations and usage in a database, and what else an operator may switch on for each request. */
async function everything() {
  const { keys, locations, usage } = await openDatabase(database);
  return {
    ...{ keys, locations, usage: createUsageMeter(usage) },
    ...{ unknownKeyLimit: { requests: 30, windowSeconds: 60 }, maxAgeSeconds: { seasonal: 1e9 } },
    onRequest: role === 'logged' ? logRequests() : undefined,
  };
}

/** Writes a line for each request to a file, which is gone when the process ends. */
function logRequests() {
  const path = `${folder}-${process.pid}.log`;
  const file = openSync(path, 'ax');
  unlinkSync(path);
  const lines = new RequestLines((text) => writeSync(file, text));
  return lines.add.bind(lines);
}

/** Answers every request with the headers and the body of one answer of the service, by `node:http` alone. */
async function bare(): Promise<RequestListener> {
  const url = `http://localhost${WEEKS}&lat=-30&lon=-120`;
  const answer = await service(new Request(url, { headers: { 'x-api-key': KEY } }));
  const body = Buffer.from(await answer.arrayBuffer());
  const headers: Record<string, string> = {};
  answer.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}

const LISTENERS: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  bare,
  adapter: () => getRequestListener(service),
};
const server = createServer(
  await (LISTENERS[role] ?? (() => createListener(service, hasAll ? { trustedProxies: ['10.0.0.0/8'] } : {})))(),
);
server.listen(0, '127.0.0.1', () => print({ port: (server.address() as AddressInfo).port }));
const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  const { user, system } = process.cpuUsage();
  print({ microseconds: user + system, residentBytes: process.memoryUsage.rss() });
});
lines.on('close', () => process.exit());

function print(message: object): void {
  console.log(JSON.stringify(message));
}
