import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import { anyCharacter } from '../../property/any-character.js';
import { FINE_KEY, fakeService, KEY } from './fake-service.js';

const RUNS = 500 * Number(process.env.PLUMECAST_FUZZ_RUNS ?? 1);
const PATHS = createEndpoints().map(({ path }) => path.replace('{id}', 'everybodys'));

/** Texts that are nearly values: good ones, and good ones that were tampered with. */
const good = fc.constantFrom(
  ...[
    '37.3',
    '-79.84',
    '-0',
    '90',
    'temp_mean',
    'temp_mean,precipitation',
    '2026-03-02',
    '2024-02-29',
    '0.05,0.5',
    '37.3,-79.84',
    '37.3,-79.84;-1e-7,+5',
    'precipitation>20',
    'temp_mean<-5,temp_mean>=1.5',
    '1',
  ],
  ...[
    'weekly',
    'daily',
    'monthly',
    'true',
    'FALSE',
    'NaN',
    'Infinity',
    '1e400',
    '',
    ',',
    '%',
    '%ff',
    '%00',
    '+',
    '2023-02-29',
    '\ud800',
  ],
);
const text = fc.oneof(
  { weight: 4, arbitrary: good },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }).map((value) => value.replace(/[#&]/g, '')) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }).map((value) => encodeURIComponent(value)),
  },
  { weight: 1, arbitrary: fc.tuple(good, fc.string({ maxLength: 3 })).map((parts) => parts.join('')) },
);
const name = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'lat',
      'lon',
      'var',
      'start_date',
      'end_date',
      'use_downscaling',
      'statistics',
      'granularity',
      'points',
      'threshold',
      'terciles',
      'skill',
    ),
  },
  { weight: 1, arbitrary: text },
);
const pair = fc.tuple(name, text).map(([key, value]) => `${key}=${value}`);
const query = fc
  .tuple(fc.boolean(), fc.array(pair, { maxLength: 8 }))
  .map(([located, pairs]) => [...(located ? ['lat=37.3', 'lon=-79.84'] : []), ...pairs].join('&'));

/** A request as its URL is written, without the repairs that `Request` makes. */
function request(url: string, headers: Record<string, string>, method = 'GET'): Request {
  return { url, method, headers: new Headers(headers) } as Request;
}

describe('any request', () => {
  it('is answered with 200 or a 4xx problem, completely and without an internal error', async () => {
    const failures: unknown[] = [];
    const { handler } = fakeService({ onError: (error) => failures.push(error) });
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), query, fc.constantFrom(KEY, FINE_KEY), async (path, search, key) => {
        const response = await handler(request(`http://x${path}?${search}`, { 'x-api-key': key }));
        const body = await response.arrayBuffer();
        expect(failures).toEqual([]);
        expect(`${body.byteLength}`).toBe(response.headers.get('content-length'));
        seen.add(response.status);
        const { status, errors } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
        if (response.status === 200) return;
        expect(response.status).toBe(400);
        expect(response.headers.get('content-type')).toBe('application/problem+json');
        expect(status).toBe(response.status);
        expect(errors.length).toBeGreaterThan(0);
      }),
      { numRuns: RUNS, seed: 20_221_002 },
    );
    expect([...seen].sort()).toEqual([200, 400]);
  });

  it('gets a response for any path, method and headers, never 5xx', async () => {
    const { handler } = fakeService();
    const path = fc.oneof(fc.constantFrom(...PATHS, '/openapi.json', '/ready'), fc.string({ unit: anyCharacter }));
    const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE', '', 'get');
    const value = fc.oneof(
      fc.constantFrom(KEY, '*', '"a"', 'text/csv', '*/*;q=0.5', '', 'W/"', 'https://x.test', ';q=', 'a/b;q=1;q=0'),
      fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)) }),
    );
    const headers = fc.record({ 'x-api-key': value, accept: value, 'if-none-match': value, origin: value });
    await fc.assert(
      fc.asyncProperty(path, query, method, headers, async (where, search, how, given) => {
        const response = await handler(request(`http://x/${where}?${search}`, given, how));
        expect(response.status).toBeLessThan(500);
        expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding, X-Api-Key, Origin');
      }),
      { numRuns: RUNS, seed: 20_221_002 },
    );
  });
});
