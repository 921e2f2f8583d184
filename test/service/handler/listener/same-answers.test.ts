import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../../src/service/endpoints/all-endpoints.js';
import type { Handler } from '../../../../src/service/handler/index.js';
import { createListener } from '../../../../src/service/handler/listener/create-listener.node.js';
import { AT, AT_FINE, conformanceService, createService, FINE_KEY, KEY } from '../../../conformance/service.js';
import { isFullCheck } from '../../../full-check.js';
import { callListener, type SentRequest } from './call-listener.js';

const RUNS = isFullCheck ? 100_000 : 250;

const pick = (...texts: string[]) => fc.constantFrom(...texts);
const PATHS = createEndpoints().map(({ path }) => path.replace('{id}', 'field'));

const path = fc.oneof(
  { weight: 12, arbitrary: pick(...PATHS, '/v2/forecast/statistics', '/v2/forecast/statistics') },
  { weight: 1, arbitrary: pick('/health', '/ready', '/openapi.json', '/', '/v2', '/v1/history/location/%ff', '//') },
  { weight: 1, arbitrary: pick('/v2/./forecast', '/v2/x/../forecast', '/v2/%2e%2e/health', '/v2/forecast/', '/é') },
);
const POINTS = 'points=37.3,-80.05;37.5,-80';
const pair = fc.oneof(
  { weight: 6, arbitrary: pick('granularity=weekly', 'granularity=monthly', 'var=temp_mean', 'var=precipitation') },
  { weight: 3, arbitrary: pick('statistics=0.1,0.9', 'use_downscaling=FALSE', 'start_date=2026-03-10', 'var=et0') },
  { weight: 2, arbitrary: pick('end_date=2026-04-01', 'var=temp_mean%2Cprecipitation', 'l%61t=1', 'lon=%zz', 'x', '') },
  { weight: 3, arbitrary: pick('threshold=temp_mean>5', 'threshold=precipitation%3E=1,temp_mean<-1', 'terciles=true') },
  { weight: 1, arbitrary: pick('threshold=temp_mean', 'terciles=1', 'points=', `points=37.3,-80.05;0,0`) },
  { weight: 1, arbitrary: pick('a b', 'q="<>"', 'é=ü', 'x=\\', '#lat', '[]={}|^`', 'lat=+37,3', "'=%zz'", '??') },
  { weight: 1, arbitrary: fc.string({ unit: fc.integer({ min: 33, max: 255 }).map((c) => String.fromCharCode(c)) }) },
);
const url = fc
  .tuple(
    path,
    fc.constantFrom(AT, AT_FINE, 'lat=37.5&lon=-80', '', POINTS, `${POINTS};0,0;37.5,-80`, 'points=0,0'),
    fc.array(pair, { maxLength: 5 }),
  )
  .map(([target, place, pairs]) => `${target}?${[place, ...pairs].join('&')}`);

const word = fc.oneof(
  pick('gzip', 'gzip;q=0.5, identity;q=0.1', '*'),
  pick('*/*', 'text/csv', 'application/json', 'text/csv;q=0.5, */*;q=0.1', 'image/png', 'https://a.test', '*', '"a"'),
  fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 9 }),
);
const name = pick(
  ...['Accept', 'ACCEPT', 'If-None-Match', 'origin', 'Origin', 'X-Api-Key', 'Accept-Encoding', 'accept-encoding'],
  ...['Cookie', 'traceparent'],
);
const headers = fc
  .tuple(
    fc.oneof({ weight: 20, arbitrary: pick(KEY, FINE_KEY) }, { weight: 1, arbitrary: word }),
    fc.oneof(fc.array(fc.tuple(name, word), { maxLength: 3 }), fc.constant([['If-None-Match', '*']])),
  )
  .map(([key, others]) => ['Host', 'service.test', 'X-Request-Id', 'request-1', 'x-api-key', key, ...others.flat()]);
const method = fc.oneof({ weight: 9, arbitrary: pick('GET') }, pick('HEAD', 'OPTIONS', 'POST', 'DELETE'));

describe('the listener of node:http', () => {
  it(`answers ${RUNS} generated requests as the handler does through the Fetch API, byte for byte`, async () => {
    const { data } = await conformanceService();
    // Each with its own cache, so that both find kept responses, too.
    const services = [0, 1].map(() =>
      createService({
        source: { snapshot: () => data },
        responseCacheBytes: 2_000_000,
        cors: { origins: ['https://a.test'] },
      }),
    );
    const listener = createListener(services[1].handler);
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(method, url, headers, async (how, where, rawHeaders) => {
        const request = { method: how, url: where, rawHeaders };
        const [expected, answered] = await Promise.all([
          throughFetch(services[0].handler, request),
          callListener(listener, request),
        ]);
        expect(answered.status).toBe(expected.status);
        expect(headersOf(answered)).toEqual(headersOf(expected));
        expect(await bytesOf(answered)).toEqual(await bytesOf(expected));
        seen.set(answered.status, (seen.get(answered.status) ?? 0) + 1);
      }),
      { numRuns: RUNS, seed: 20_261_123 },
    );
    for (const status of [200, 204, 304, 400, 401, 404, 405, 406]) expect([...seen.keys()]).toContain(status);
  }, 3_600_000);
});

function throughFetch(handler: Handler, { method: how, url: where, rawHeaders }: SentRequest): Promise<Response> {
  const sent = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) sent.append(rawHeaders[i], rawHeaders[i + 1]);
  return handler(new Request(`http://service.test${where}`, { method: how, headers: sent }));
}

function headersOf({ headers: found }: Response): Record<string, string> {
  const all: Record<string, string> = {};
  found.forEach((value, each) => {
    all[each] = value;
  });
  return all;
}

/** As a text, which is compared faster. */
async function bytesOf(response: Response): Promise<string> {
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}
