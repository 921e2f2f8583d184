import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/access/key-file.node.js';
import { folderWithStore } from './small-store.js';
import { serversOf } from './start-server.js';

/** A span as `write-spans.mjs` writes it. */
interface WrittenSpan {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
}

const SERVER = 1;
const SDK = '@opentelemetry/sdk-trace-node';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    console.log(`skipped: spans of a server, without ${name}`);
    return false;
  }
}

const { folder, store, remove } = await folderWithStore();
const { key } = await createKey(store, { owner: 'Example Farms', downscaling: false });
const serve = serversOf(store);
const { NODE_OPTIONS = '' } = process.env;
afterEach(() => {
  process.env.NODE_OPTIONS = NODE_OPTIONS;
});
afterAll(remove);

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';

/** The spans of a server while `work` sends it requests. */
async function spansOf(work: (address: string) => Promise<void>): Promise<WrittenSpan[]> {
  const file = join(folder, 'spans');
  const fixture = pathToFileURL('test/fixtures/write-spans.mjs').href;
  Object.assign(process.env, { NODE_OPTIONS: `${NODE_OPTIONS} --import ${fixture}`, PLUMECAST_SPANS: file });
  const server = await serve('--traces', '--drain-seconds', '0', '--rate-limit', '1000/min', '--base-path', '/weather');
  expect(server.err()).toBe('');
  await work(server.address);
  await server.end();
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function request(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { headers: { 'x-api-key': key, 'user-agent': 'a-test', ...headers } });
  await response.arrayBuffer();
  return response;
}

describe.skipIf(!isInstalled(SDK))('plumecast serve --traces', () => {
  it('makes a span of each request, in the trace of its client, with spans of its parts below', async () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    const spans = await spansOf(async (address) => {
      await request(address + WEEKS, { traceparent, 'x-request-id': 'mine' });
      await request(`${address}/health`);
      await request(`${address}/nowhere`);
    });
    const [first, ...others] = spans.filter(({ kind }) => kind === SERVER);
    expect(first).toMatchObject({
      name: 'GET /weather/v2/forecast/statistics',
      traceId: TRACE,
      parentId: PARENT,
      status: { code: 0 },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/weather/v2/forecast/statistics',
        'http.response.status_code': 200,
        'url.path': '/weather/v2/forecast/statistics',
        'url.scheme': 'http',
        'client.address': '127.0.0.1',
        'user_agent.original': 'a-test',
        'plumecast.request_id': 'mine',
      },
    });
    expect(others.map(({ name }) => name)).toEqual(['GET /weather/health', 'GET']);
    for (const { traceId, parentId } of others) expect([traceId === TRACE, parentId]).toEqual([false, undefined]);
    expect(others[1].attributes).toMatchObject({ 'http.response.status_code': 404, 'url.path': '/weather/nowhere' });
    expect(others[1].attributes).not.toHaveProperty('http.route');

    const parts = spans.filter(({ traceId, kind }) => traceId === TRACE && kind !== SERVER);
    expect(parts.map(({ name }) => name).sort()).toEqual(
      ['answer', 'key', 'limits', 'read', 'store'].map((part) => `plumecast ${part}`),
    );
    const answer = parts.find(({ name }) => name === 'plumecast answer');
    for (const { name, parentId } of parts) {
      expect(parentId, name).toBe(name === 'plumecast read' ? answer?.spanId : first.spanId);
    }
  });

  it('has neither keys nor queries in its spans, and calls no error what is the request of a client', async () => {
    const unknown = 'an-unknown-key';
    const spans = await spansOf(async (address) => {
      await request(address + WEEKS);
      await request(address + WEEKS, { 'x-api-key': unknown });
    });
    const text = JSON.stringify(spans);
    for (const secret of [key, unknown, 'lat=', '37.2']) expect(text).not.toContain(secret);
    for (const { name, status } of spans) expect(status.code, name).toBe(0);
  });

  it('gives requests of one connection that are under way at once spans of their own', async () => {
    const spans = await spansOf(async (address) => {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => {
          const traceparent = `00-${(i + 1).toString(16).padStart(32, '0')}-${PARENT}-01`;
          return request(address + WEEKS, { traceparent });
        }),
      );
    });
    const traces = new Set(spans.map(({ traceId }) => traceId));
    expect(traces.size).toBe(20);
    for (const trace of traces) {
      const own = spans.filter(({ traceId }) => traceId === trace);
      expect(own.filter(({ kind }) => kind === SERVER)).toHaveLength(1);
      expect(own.map(({ name }) => name)).toContain('plumecast key');
    }
  });

  it('says where no SDK is registered', async () => {
    const server = await serve('--traces', '--drain-seconds', '0');
    expect(server.err()).toContain('note: traces go nowhere, as no SDK of OpenTelemetry is registered');
    expect((await request(server.address + WEEKS)).status).toBe(200);
  });
});
