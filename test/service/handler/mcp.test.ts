import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryUsage } from '../../../src/service/access/usage.js';
import { createAnswers } from '../../../src/service/endpoints/answers.js';
import type { HandlerOptions, RequestMetric, RequestRecord } from '../../../src/service/handler/handler-options.js';
import { createListener } from '../../../src/service/handler/listener/create-listener.node.js';
import { createMcp } from '../../../src/service/handler/mcp/create-mcp.node.js';
import { describeAnswer } from '../../../src/service/handler/mcp/describe-answer.js';
import type { Mcp } from '../../../src/service/handler/mcp/mcp.js';
import { createRateLimit } from '../../../src/service/handler/rate-limit.js';
import { createUsageMeter } from '../../../src/service/handler/usage-meter.node.js';
import type { Tracing } from '../../../src/service/tracing.js';
import { type ServiceData, serviceData } from '../endpoints/service-data.js';
import { FINE_KEY, fakeService, KEY, NOON, problemOf, REQUEST_ID, snapshot } from './fake-service.js';

let service: ServiceData;
let mcp: Mcp;
beforeAll(async () => {
  [service, mcp] = await Promise.all([serviceData(), createMcp()]);
});

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A service of real data over HTTP. */
async function serve(options: Partial<HandlerOptions> = {}) {
  const { handler } = fakeService({
    ...{ source: { snapshot: () => service.data }, answers: createAnswers(), mcp },
    ...options,
  });
  const server: Server = createServer(createListener(handler));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  open.push(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client of the SDK. */
async function connect(address: string, key = KEY, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': key, 'x-request-id': REQUEST_ID } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address + path), { requestInit }));
  open.push(() => client.close());
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;

const textOf = ({ content }: CallToolResult) => content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');

const get = async (address: string, path: string, key = KEY) =>
  (await fetch(address + path, { headers: { 'x-api-key': key } })).json();

const POINT = { latitude: 37.3, longitude: -80.05 };
const AT = 'lat=37.3&lon=-80.05';

/** Sends a text to the path, as a client that is no client of the SDK. */
const post = (address: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${address}/mcp`, {
    ...{ method: 'POST', body },
    headers: {
      ...{ 'x-api-key': KEY, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...headers,
    },
  });

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('the tools of /mcp', () => {
  it('are listed with their schemas', async () => {
    const client = await connect(await serve());
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
      ['forecast_statistics', ['variables']],
      ['history', ['variables']],
      ['climatology', ['variables']],
      ['find_place', ['name']],
    ]);
    for (const { description = '' } of tools) expect(description.length).toBeLessThan(300);
    expect(client.getServerVersion()?.name).toBe('plumecast');
  });

  it.each([
    [
      'forecast_statistics',
      { variables: ['precipitation'] },
      `/v2/forecast/statistics?${AT}&var=precipitation&granularity=weekly`,
    ],
    [
      'forecast_statistics',
      {
        ...{ variables: ['precipitation', 'temp_mean'], granularity: 'daily', quantiles: [0.1, 0.9], terciles: true },
        ...{
          start_date: '2026-03-04',
          end_date: '2026-03-09',
          conditions: ['precipitation>5', 'temp_mean<0'],
          skill: true,
        },
      },
      `/v2/forecast/statistics?${AT}&var=precipitation,temp_mean&granularity=daily&statistics=0.1,0.9&terciles=true` +
        '&start_date=2026-03-04&end_date=2026-03-09&threshold=precipitation%3E5,temp_mean%3C0&skill=true',
    ],
    [
      'history',
      { variables: ['temp_mean'], granularity: 'monthly', start_date: '2025-01-01', end_date: '2025-12-31' },
      `/v2/history?${AT}&var=temp_mean&granularity=monthly&start_date=2025-01-01&end_date=2025-12-31`,
    ],
    [
      'climatology',
      { variables: ['temp_mean'], granularity: 'monthly' },
      `/v1/climatology?${AT}&var=temp_mean&granularity=monthly`,
    ],
  ])('%s answers %j as the service does', async (name, args, path) => {
    const address = await serve();
    for (const key of [KEY, FINE_KEY]) {
      const result = await call(await connect(address, key), name, { ...POINT, ...args });
      const expected = await get(address, path, key);
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toEqual(expected);
      expect(JSON.parse((result.content[1] as { text: string }).text)).toEqual(expected);
    }
  });

  it('say the place, the run, the units and the source in words', async () => {
    const client = await connect(await serve());
    const args = { ...POINT, variables: ['precipitation', 'temp_mean'] };
    const forecast = await call(client, 'forecast_statistics', { ...args, end_date: '2026-03-15' });
    expect((forecast.content[0] as { text: string }).text).toBe(
      [
        'Forecast statistics at 37.25, -80 (the nearest point that the data have), weekly, from 2026-03-02 to 2026-03-15.',
        'Run: 2026-03-02T00:00:00Z, version demo-1.',
        'Units: precipitation in mm, temp_mean in °C.',
        'Source: Made for tests.',
      ].join('\n'),
    );
    const climatology = textOf(await call(client, 'climatology', { ...args, granularity: 'monthly' }));
    expect(climatology).toContain('Reference period: 1993-2022.\nUnits: precipitation in mm, temp_mean in °C.');
    expect(textOf(await call(client, 'history', args))).toContain('Units: precipitation in mm, temp_mean in °C.');
  });

  it('say for which windows forecasts had no skill, or too few cases, by the record', () => {
    const statistics = Object.fromEntries(
      [0.2, 0, -0.1, 0.1, -0.3, null].map((crpss, i) => [`2026-W1${i}`, { mean: 1, crpss, skill_cases: 30 }]),
    );
    const good = { '2026-W10': { mean: 1, crpss: 0.1, skill_cases: 30 } };
    const variables = { rain: { units: 'mm', statistics }, wind: { units: 'm/s', statistics: good } };
    const text = describeAnswer('Forecast statistics', { status: 200, body: { granularity: 'weekly', variables } });
    expect(text.split('\n').slice(-3)).toEqual([
      'No skill by the record, the climatology is as good: rain of 2026-W11 to 2026-W12, 2026-W14.',
      'Too few past forecasts for a record: rain of 2026-W15.',
      'Better than the climatology by the record: all windows of wind.',
    ]);
  });

  it('ask for skill where the store has a record, unless a call has skill: false', async () => {
    for (const [record, skill, expected] of [
      [undefined, undefined, false],
      [{ revision: 'r', updated: NOON.toISOString(), series: [] }, undefined, true],
      [{ revision: 'r', updated: NOON.toISOString(), series: [] }, false, false],
    ] as const) {
      const { handler, calls } = fakeService({ mcp, source: { snapshot: () => snapshot({ record }) } });
      const args = { ...POINT, variables: ['precipitation'], skill };
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'forecast_statistics', arguments: args },
      };
      const headers = {
        ...{ 'x-api-key': KEY, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      };
      const body = JSON.stringify(message);
      const response = await handler(new Request('http://service.test/mcp', { method: 'POST', headers, body }));
      expect((await response.json()).result.isError).toBeUndefined();
      expect(calls.map(({ query }) => query.skill)).toEqual([expected]);
    }
  });

  it('take towns by name, never one of several', async () => {
    const address = await serve();
    const client = await connect(address);
    const variables = ['precipitation'];
    const towns = (await call(client, 'find_place', { name: 'Roanoke' })).structuredContent as {
      places: { name: string; country: string; latitude: number; longitude: number }[];
    };
    const [{ latitude, longitude }] = towns.places;
    const [, { name: longer }] = towns.places;
    expect(towns.places[0]).toEqual({ name: 'Roanoke', country: 'United States', latitude: 37.27, longitude: -79.94 });
    expect(longer).toBe('Roanoke Rapids');
    const named = await call(client, 'history', {
      place: 'roanoke, United States',
      variables,
      granularity: 'monthly',
    });
    const path = `/v2/history?lat=${latitude}&lon=${longitude}&var=precipitation&granularity=monthly`;
    expect(named.structuredContent).toEqual(await get(address, path));
    expect(textOf(named)).toMatch(/^Place: Roanoke, United States \(37\.27, -79\.94\)\.\n/);

    const several = await call(client, 'history', { place: 'Paris', variables });
    expect(several.isError).toBe(true);
    expect(textOf(several)).toMatch(
      /^place "Paris" is \d+ towns; give one with its country, or coordinates: Paris, France/,
    );
    const unknown = await call(client, 'history', { place: 'Roanok', variables });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toBe(
      'place "Roanok" is not among the towns of more than 15,000 inhabitants; give latitude and longitude. ' +
        'Similar: Roanoke, United States (37.27, -79.94); Roanoke Rapids, United States (36.46, -77.65).',
    );
    expect(textOf(await call(client, 'find_place', { name: 'zzzz' }))).toContain('No town of more than 15,000');
    const [first, ...others] = (
      (await call(client, 'find_place', { name: 'San', max: 3 })).structuredContent as typeof towns
    ).places;
    expect([first.name, others.length]).toEqual([expect.stringMatching(/^San/), 2]);
  });
});

describe('errors of /mcp', () => {
  it('come from the service, in its words', async () => {
    const address = await serve();
    const client = await connect(address);
    const far = await call(client, 'history', { latitude: -50, longitude: 7, variables: ['precipitation'] });
    expect(far.isError).toBe(true);
    const problem = await get(address, '/v2/history?lat=-50&lon=7&var=precipitation&granularity=weekly');
    expect(far.structuredContent).toEqual(problem);
    expect(textOf(far)).toBe(`${problem.title}. ${problem.detail}`);
    const unknown = await call(client, 'forecast_statistics', { ...POINT, variables: ['precipitaton'] });
    expect(textOf(unknown)).toMatch(
      /\nvar is not known, the nearest is precipitation; received precipitaton; allowed: slugs/,
    );
  });

  it.each([
    [{ latitude: 91, longitude: 0 }, 'latitude cannot be used; received 91; allowed: a number from -90 to 90'],
    [{ latitude: '37', longitude: 0 }, 'latitude cannot be used; received "37"; allowed: a number from -90 to 90'],
    [
      { ...POINT, variables: [] },
      'variables cannot be used; received []; allowed: a list of 1 to 50, each of them the name of a variable, such as precipitation',
    ],
    [
      { ...POINT, variables: ['temp_mean', 'Rain!'] },
      'variables cannot be used; received ["temp_mean","Rain!"]; allowed',
    ],
    [
      { ...POINT, variables: 'temp_mean' },
      'variables cannot be used; received "temp_mean"; allowed: a list of 1 to 50',
    ],
    [
      { latitude: 91, longitude: 181, days: 1 },
      'longitude cannot be used; received 181; allowed: a number from -180 to 180\ndays is not',
    ],
    [{ place: '' }, 'place cannot be used; received ""; allowed: a text of 1 to 100 characters'],
    [
      { ...POINT, variables: undefined },
      'The arguments of history cannot be used: variables is missing; allowed: a list of 1 to 50',
    ],
    [
      { ...POINT, granularity: 'yearly' },
      'granularity cannot be used; received "yearly"; allowed: daily, weekly, monthly',
    ],
    [
      { ...POINT, days: 3 },
      'days is not an argument; allowed: latitude, longitude, place, variables, granularity, start_date, end_date',
    ],
    [{ ...POINT, start_date: 'today' }, 'start_date cannot be used; received "today"; allowed: a date as YYYY-MM-DD'],
    [{ latitude: 37 }, 'The place is not clear: give latitude and longitude, or place.'],
    [{ ...POINT, place: 'Bern' }, 'The place is not clear'],
    [{}, 'The place is not clear'],
  ])('say what is wrong with %j', async (args, expected) => {
    const client = await connect(await serve());
    const result = await call(client, 'history', { variables: ['precipitation'], ...args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(expected);
  });

  it('name the tools where one is not known', async () => {
    const client = await connect(await serve());
    await expect(call(client, 'weather', {})).rejects.toThrow(
      'tool weather is not known; allowed: forecast_statistics, history, climatology, find_place',
    );
  });

  it.each([
    [undefined, 'params.name is not the name of a tool; allowed: forecast_statistics, history'],
    [{ name: 7 }, 'params.name is not the name of a tool; received 7; allowed: forecast_statistics'],
    [
      { name: 'history', arguments: 'x' },
      'params.arguments is no object; received "x"; allowed: an object with the arguments',
    ],
    [{ name: 'history', arguments: [1] }, 'params.arguments is no object; received [1]'],
  ])('say in words what is wrong with the call %j', async (params, expected) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params });
    const reply = await (await post(await serve(), body)).json();
    expect(reply).toMatchObject({ jsonrpc: '2.0', id: 3, error: { code: -32602 } });
    expect(reply.error.message).toContain(expected);
  });

  it('are 401 without a key that is known', async () => {
    const address = await serve();
    await expect(connect(address, 'wrong')).rejects.toMatchObject({ code: 401 });
    const response = await post(address, LIST, { 'x-api-key': '' });
    expect(response.status).toBe(401);
    expect(await problemOf(response)).toMatchObject({ code: 'key-missing', instance: '/mcp' });
  });

  it('count requests with unknown keys together with those for data', async () => {
    const address = await serve({ unknownKeyLimit: { requests: 1, windowSeconds: 60 } });
    const statuses = [(await post(address, LIST, { 'x-api-key': 'wrong' })).status];
    const wrong = { headers: { 'x-api-key': 'wrong' } };
    statuses.push((await fetch(`${address}/v2/history?${AT}`, wrong)).status);
    expect(statuses).toEqual([401, 429]);
  });

  it('are 405 for other methods, and 404 where the service has no such option', async () => {
    const address = await serve();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${address}/mcp`, { method, headers: { 'x-api-key': KEY } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    const preflight = await fetch(`${address}/mcp`, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type, Mcp-Protocol-Version');
    const without = await post(await serve({ mcp: undefined }), LIST);
    expect(await problemOf(without)).toMatchObject({ status: 404, code: 'path-not-found' });
  });

  it('follow the protocol for what is no message of it', async () => {
    const address = await serve();
    const codeOf = async (response: Response) => [response.status, (await response.json()).error.code];
    expect(await codeOf(await post(address, '{'))).toEqual([400, -32700]);
    expect(await codeOf(await post(address, ''))).toEqual([400, -32700]);
    expect(await codeOf(await post(address, '{"a": 1}'))).toEqual([400, -32700]);
    expect(await codeOf(await post(address, `[${LIST}]`))).toEqual([400, -32600]);
    expect(await codeOf(await post(address, LIST, { accept: 'text/html' }))).toEqual([406, -32000]);
    expect(await codeOf(await post(address, LIST, { 'content-type': 'text/plain' }))).toEqual([415, -32000]);
    expect(await codeOf(await post(address, LIST, { 'mcp-protocol-version': '1999-01-01' }))).toEqual([400, -32000]);
    const long = await post(address, JSON.stringify({ a: 'x'.repeat(70_000) }));
    expect(await problemOf(long)).toMatchObject({ status: 413, code: 'message-too-long' });
    expect((await post(address, LIST)).status).toBe(200);
  });
});

describe('messages to /mcp', () => {
  it('are counted, limited and logged once each, and cost what their data cost', async () => {
    const records: RequestRecord[] = [];
    const metrics: RequestMetric[] = [];
    const used = memoryUsage();
    const usage = createUsageMeter(used, { now: () => NOON });
    const address = await serve({
      ...{ usage, onRequest: (record) => records.push(record), onMetric: (metric) => metrics.push(metric) },
      rateLimit: createRateLimit({ requests: 6, windowSeconds: 3600 }),
    });
    const client = await connect(address);
    const args = { ...POINT, variables: ['precipitation'] };
    await call(client, 'history', args);
    await get(address, `/v2/history?${AT}&var=precipitation&granularity=weekly`);
    const [message, direct] = metrics.slice(-2);
    expect(message).toMatchObject({ endpoint: '/mcp', status: 200, usage: { keyId: 'key-1' } });
    expect(message.usage?.cost).toBe(direct.usage?.cost);
    expect(direct.usage?.cost).toBeGreaterThan(0);
    // The client has sent initialize, initialized, GET (405, no key is looked at) and the call; the rest was ours.
    expect(records.map(({ method, path, status, keyId }) => [method, path, status, keyId]).sort()).toEqual(
      [
        ['POST', '/mcp', 200, 'key-1'],
        ['POST', '/mcp', 202, 'key-1'],
        ['GET', '/mcp', 405, undefined],
        ['POST', '/mcp', 200, 'key-1'],
        ['GET', '/v2/history', 200, 'key-1'],
      ].sort(),
    );
    expect(new Set(records.slice(0, 2).map(({ requestId }) => requestId))).toEqual(new Set([REQUEST_ID]));
    expect((await post(address, LIST)).status).toBe(200);
    expect((await post(address, LIST)).status).toBe(200);
    await expect(call(client, 'history', args)).rejects.toThrow('The key has made too many requests; try again in');
    await usage.close();
    const [row] = await used.read('2026-03-02', '2026-03-02');
    expect(row).toMatchObject({ keyId: 'key-1', requests: 7, cost: 2 * (direct.usage?.cost ?? 0) });
  });

  it('have spans of the parts of what they ask for', async () => {
    const parts: string[] = [];
    const tracing: Tracing = {
      request: (_, work) => work({ end: () => parts.push('end') }),
      part: (name, work) => {
        parts.push(name);
        return work();
      },
    };
    const client = await connect(await serve({ tracing }));
    await call(client, 'history', { ...POINT, variables: ['precipitation'] });
    expect(parts.slice(-5)).toEqual(['key', 'limits', 'store', 'answer', 'end']);
  });

  it('have the path of the service before theirs', async () => {
    const address = await serve({ basePath: '/weather' });
    const client = await connect(address, KEY, '/weather/mcp');
    const result = await call(client, 'history', { ...POINT, variables: ['precipitation'] });
    const path = `/weather/v2/history?${AT}&var=precipitation&granularity=weekly`;
    expect(result.structuredContent).toEqual(await get(address, path));
  });

  it('are answered with the id of an error of which onError is called', async () => {
    const reported: string[] = [];
    const address = await serve({
      source: {
        snapshot() {
          throw new Error('broken');
        },
      },
      onError: (_, { id }) => reported.push(id),
    });
    const client = await connect(address);
    const result = await call(client, 'history', { ...POINT, variables: ['precipitation'] });
    expect(result.structuredContent).toMatchObject({ status: 503, code: 'source-unavailable', id: reported[0] });
    expect(textOf(result)).toContain(`\nid: ${reported[0]}`);
  });
});

it('createMcp names the missing package, and how to install it', async () => {
  vi.resetModules();
  vi.doMock('@modelcontextprotocol/sdk/server/index.js', () => {
    throw new Error('Cannot find package');
  });
  open.push(() => vi.doUnmock('@modelcontextprotocol/sdk/server/index.js'));
  const { createMcp: create } = await import('../../../src/service/handler/mcp/create-mcp.node.js');
  await expect(create()).rejects.toMatchObject({
    tag: 'package',
    message:
      'mcp: needs the package @modelcontextprotocol/sdk, which cannot be loaded; allowed: npm install @modelcontextprotocol/sdk',
  });
});
