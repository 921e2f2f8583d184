import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type ForecastMembers,
  type ForecastStatistics,
  type History,
  type ResponseInfo,
} from '../../src/client/index.js';
import { HISTORY_EXAMPLE } from '../../src/respond/v2/history-answer.js';
import { MEMBERS_EXAMPLE } from '../../src/respond/v2/members-answer.js';
import { STATISTICS_EXAMPLE } from '../../src/respond/v2/statistics-answer.js';
import { createRateLimit } from '../../src/service/handler/rate-limit.js';
import { KEY, memoryService, snapshot } from './memory-service.js';

const POINT = { latitude: 37.3, longitude: -79.8 };
const PLACE = 'lat=37.3&lon=-79.8';

/** A client of a service in memory, and the requests that it has sent. */
function clientOf({ handler } = memoryService(), options: Partial<ClientOptions> = {}) {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    apiKey: KEY,
    fetch: (request) => {
      sent.push(request);
      return handler(request);
    },
    ...options,
  });
  const direct = async (path: string) =>
    (await handler(new Request(`http://service.test${path}`, { headers: { 'X-Api-Key': KEY } }))).json();
  return { client, sent, direct };
}

/** The path and query of a request. */
const targetOf = ({ url }: Request) => url.replace('http://service.test', '');

describe('a client', () => {
  it('tells of each response which request it was, and what the key has left', async () => {
    const seen: ResponseInfo[] = [];
    const service = memoryService({ rateLimit: createRateLimit({ requests: 2, windowSeconds: 60 }) });
    const { client, sent } = clientOf(service, { onResponse: (info) => seen.push(info), headers: { 'X-A': 'all' } });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers = { 'x-request-id': 'mine-1', traceparent, 'x-a': 'one', 'x-api-key': 'another' };
    const answer = await client.forecastStatistics(POINT, { headers });
    await client.forecastStatistics(POINT, { previous: answer });
    const failure = await client.forecastStatistics(POINT, { headers }).catch((error: unknown) => error);
    const limit = { requests: 2, windowSeconds: 60 };
    expect(seen).toEqual([
      { status: 200, requestId: 'mine-1', rateLimit: { ...limit, remaining: 1, resetSeconds: 30 } },
      { status: 304, requestId: expect.any(String), rateLimit: { ...limit, remaining: 0, resetSeconds: 60 } },
      { status: 429, requestId: 'mine-1', rateLimit: { ...limit, remaining: 0, resetSeconds: 60 } },
    ]);
    expect(failure).toMatchObject({ ...seen[2], code: 'rate-limited', retryAfterSeconds: 30 });
    expect(sent.map(({ headers: all }) => [all.get('x-a'), all.get('traceparent')])).toEqual([
      ['one', traceparent],
      ['all', null],
      ['one', traceparent],
    ]);
  });

  it('leaves out what a response does not say, and limits of another form; an error of onResponse is ignored', async () => {
    const answer = (headers: Record<string, string>) =>
      clientOf(undefined, {
        fetch: async () => new Response('{}', { headers: { 'content-type': 'application/json', ...headers } }),
        onResponse: (info) => {
          seen = info;
          throw new Error('not ours');
        },
      }).client.history(POINT);
    let seen: ResponseInfo | undefined;
    for (const ratelimit of ['', 'r=1', '"a";r=x', '"a";t=5', 'limit=5, remaining=3']) {
      await answer({ ratelimit });
      expect(seen).toEqual({ status: 200 });
    }
    await answer({ ratelimit: '"a";r=5, "b";r=1;t=9', 'ratelimit-policy': '"a" ;w=7' });
    expect(seen?.rateLimit).toEqual({ remaining: 5, windowSeconds: 7 });
  });

  it('gives statistics as the service does', async () => {
    const { client, direct } = clientOf();
    const statistics = await client.forecastStatistics({
      ...POINT,
      variables: ['precipitation'],
      granularity: 'weekly',
      quantiles: [0.5, 0.025],
    });
    const expected = await direct(
      `/v2/forecast/statistics?${PLACE}&var=precipitation&granularity=weekly&statistics=0.5,0.025`,
    );
    expect(statistics).toEqual(expected);
    const { units, statistics: weeks } = statistics.variables.precipitation;
    expect(units).toBe('mm');
    expect(Object.keys(weeks)).toEqual(['2026-W10', '2026-W11', '2026-W12', '2026-W13', '2026-W14']);
    expect(Object.keys(weeks['2026-W10'])).toEqual(['mean', 'q50', 'q025']);
    expect(weeks['2026-W10'].q50).toBeGreaterThanOrEqual(weeks['2026-W10'].q025 as number);
  });

  it('gives members as the service does', async () => {
    const { client, direct } = clientOf();
    const members = await client.forecast({ ...POINT, startDate: '2026-03-10', endDate: '2026-03-11' });
    expect(members).toEqual(await direct(`/v2/forecast?${PLACE}&start_date=2026-03-10&end_date=2026-03-11`));
    expect(Object.keys(members.variables)).toEqual(['temp_mean', 'precipitation']);
    expect(members.variables.temp_mean.members['2026-03-11']).toHaveLength(5);
  });

  it('gives history as the service does', async () => {
    const { client, direct } = clientOf();
    const { meta, data } = await client.history({ ...POINT, variables: ['temp_mean'], granularity: 'monthly' });
    expect({ meta, data }).toEqual(await direct(`/v2/history?${PLACE}&var=temp_mean&granularity=monthly`));
    expect(Object.keys(data.temp_mean.values)).toEqual(['2025-12', '2026-01', '2026-02']);
    expect(meta.attribution).toBe('Made up');
  });

  it("sends only what is requested, under the service's parameter names", async () => {
    const { client, sent } = clientOf();
    await client.forecast(POINT);
    await client.forecastStatistics({
      ...POINT,
      variables: ['temp_mean', 'precipitation'],
      startDate: '2026-03-10',
      endDate: '2026-03-20',
      quantiles: [0, 0.000001, 1],
      granularity: 'weekly',
      useDownscaling: false,
    });
    expect(sent.map(targetOf).map(decodeURIComponent)).toEqual([
      `/v2/forecast?${PLACE}`,
      `/v2/forecast/statistics?${PLACE}&var=temp_mean,precipitation&start_date=2026-03-10&end_date=2026-03-20` +
        '&statistics=0,0.000001,1&granularity=weekly&use_downscaling=false',
    ]);
  });

  it('gives the shares of thresholds, by variable', async () => {
    const { client, sent, direct } = clientOf();
    const statistics = await client.forecastStatistics({
      ...POINT,
      variables: ['temp_mean', 'precipitation'],
      thresholds: { precipitation: ['>20', '<=0.1'], temp_mean: ['>= 5'] },
      terciles: false,
    });
    expect(statistics).toEqual(await direct(targetOf(sent[0])));
    const query = new URL(sent[0].url).searchParams;
    expect([query.get('threshold'), query.get('terciles')]).toEqual([
      'precipitation >20,precipitation <=0.1,temp_mean >= 5',
      'false',
    ]);
    const entry = statistics.variables.precipitation.statistics['2026-03-10'];
    expect([entry.p_gt_20, entry['p_le_0.1']]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Object.keys(statistics.variables.temp_mean.statistics['2026-03-10']).at(-1)).toBe('p_ge_5');
  });

  it('gives the shares of ranges, and of conditions that name their variables', async () => {
    const { client } = clientOf();
    const both = { ...POINT, variables: ['temp_mean', 'precipitation'] };
    const ranges = await client.forecastStatistics({ ...both, thresholds: { precipitation: ['5..20'] } });
    expect(ranges.variables.precipitation.statistics['2026-03-10'].p_5_to_20).toEqual(expect.any(Number));
    const thresholds = ['precipitation>5 and temp_mean<0', 'temp_mean>5'];
    const joint = await client.forecastStatistics({ ...both, thresholds });
    const { p_precipitation_gt_5_and_temp_mean_lt_0: share, p_gt_5 } =
      joint.variables.temp_mean.statistics['2026-03-10'];
    expect([share, p_gt_5]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it('leaves out lists of thresholds that are empty', async () => {
    const { client, sent } = clientOf();
    await client.forecastStatistics({ ...POINT, thresholds: {} });
    await client.forecastStatistics({ ...POINT, thresholds: { precipitation: [] } });
    expect(sent.map(targetOf)).toEqual([1, 2].map(() => `/v2/forecast/statistics?${PLACE}`));
  });

  it('asks for terciles, and rejects with the problem of a service without a history', async () => {
    const { client, sent } = clientOf();
    const asking = client.forecastStatistics({ ...POINT, granularity: 'weekly', terciles: true });
    await expect(asking).rejects.toMatchObject({ status: 503, code: 'climatology-unavailable' });
    expect(targetOf(sent[0])).toContain('terciles=true');
  });

  it('gives the days of each horizon where they are requested', async () => {
    const { client, sent } = clientOf();
    const query = { ...POINT, variables: ['temp_mean'] as const };
    const expected = [
      { horizon: 'short-term', start_date: '2026-03-02', end_date: '2026-03-16' },
      { horizon: 'seasonal', start_date: '2026-03-14', end_date: '2026-04-10' },
    ];
    const members = await client.forecast({ ...query, horizons: true });
    const statistics = await client.forecastStatistics({ ...query, horizons: true });
    const without = await client.forecast({ ...query, horizons: false });
    expect(members.variables.temp_mean.horizons).toEqual(expected);
    expect(statistics.variables.temp_mean.horizons).toEqual(expected);
    expect(without.variables.temp_mean.horizons).toBeUndefined();
    expect(sent.map((request) => new URL(request.url).searchParams.get('horizons'))).toEqual(['true', 'true', 'false']);
  });

  it('gives the answers about several points, or their problems, in every form', async () => {
    const { client, sent, direct } = clientOf();
    const points = [POINT, { latitude: 0, longitude: 1e-7 }, POINT];
    const query = { points, variables: ['temp_mean'] as const };
    const answers = await Promise.all([
      client.forecast(query),
      client.forecastStatistics({ ...query, granularity: 'weekly' }),
      client.history({ ...query, granularity: 'monthly' }),
    ]);
    for (const [i, request] of sent.entries()) {
      expect(decodeURIComponent(targetOf(request))).toContain('points=37.3,-79.8;0,1e-7;37.3,-79.8&');
      expect(answers[i]).toEqual(await direct(targetOf(request)));
      expect(answers[i].points).toHaveLength(3);
      expect(answers[i].points[1]).toMatchObject({ status: 404, code: 'location-not-covered' });
    }
    const [first, second] = answers[1].points;
    const codes = [first, second].map((one) => ('code' in one ? one.code : one.variables.temp_mean.units));
    expect(codes).toEqual(['°C', 'location-not-covered']);
    const csv = await client.forecast(query, { as: 'csv' });
    expect(csv.split('\n')[0]).toContain(',requested_latitude,requested_longitude,');
    const table = tableFromIPC(await client.forecast(query, { as: 'arrow' }));
    expect(table.numRows).toBe(80);
  });

  it('leaves it to the service to reject a point besides several', async () => {
    const { client } = clientOf();
    const query = { ...POINT, points: [POINT] };
    const asking = client.forecast(query);
    await expect(asking).rejects.toMatchObject({ status: 400, faults: [{ parameter: 'lat' }, { parameter: 'lon' }] });
  });

  it('writes coordinates near zero exactly, and the service reads them', async () => {
    const service = clientOf();
    const rejected = await service.client.forecast({ latitude: 1e-7, longitude: -2e-9 }).catch((error) => error);
    expect(targetOf(service.sent[0])).toBe('/v2/forecast?lat=1e-7&lon=-2e-9');
    expect(rejected.code).toBe('location-not-covered');
  });

  it.each<[what: string, headers: unknown]>([
    ['a million items', Array(1e6).fill('a')],
    ['a million pairs', Array(1e6).fill(['a', 'b'])],
    ['a million numbers', new Float64Array(1e6)],
    ['a value of ten million characters', { a: 'x'.repeat(1e7) }],
    ['a thousand long values', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x${i}`, 'y'.repeat(9999)]))],
    ['a nested value', { a: { b: Array(1e6).fill(1) } }],
    ['a name of a million characters', { ['x'.repeat(1e6)]: '' }],
    ['a value that no header has', { a: 'x\ny' }],
    ['null', null],
  ])('rejects headers with %s within milliseconds, by the client and by a request', async (_, headers) => {
    const expected = {
      name: 'OptionError',
      message: /^headers: cannot be used; .*allowed: texts by name, up to 1 MB$/,
    };
    const { client } = clientOf(undefined);
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const begun = performance.now();
      expect(() => createClient({ baseUrl: 'https://x.org', apiKey: 'k', headers: headers as never })).toThrow(
        expect.objectContaining({ name: expected.name, message: expect.stringMatching(expected.message) }),
      );
      const error = await client.forecast(POINT, { headers: headers as never }).catch((failure) => failure);
      times.push(performance.now() - begun);
      expect(error).toMatchObject({ name: expected.name, message: expect.stringMatching(expected.message) });
    }
    expect(Math.min(...times)).toBeLessThan(10);
  });

  it('sends its key and headers of the caller with each request', async () => {
    const { client, sent } = clientOf(undefined, { headers: { 'User-Agent': 'field-app/1.0' } });
    await client.forecast(POINT);
    const headers: string[][] = [];
    sent[0].headers.forEach((value, name) => {
      headers.push([name, value]);
    });
    expect(headers.sort()).toEqual([
      ['accept', 'application/json'],
      ['user-agent', 'field-app/1.0'],
      ['x-api-key', KEY],
    ]);
  });

  it('sends requests to the mounted path, with and without a slash at the end of the address', async () => {
    const service = memoryService({ basePath: '/weather' });
    for (const baseUrl of ['http://service.test/weather', 'http://service.test/weather/']) {
      const { client, sent } = clientOf(service, { baseUrl });
      expect((await client.forecast(POINT)).version).toBe('demo-1');
      expect(targetOf(sent[0])).toBe(`/weather/v2/forecast?${PLACE}`);
    }
  });

  it('gives CSV as text', async () => {
    const { client } = clientOf();
    const text = await client.history(
      { ...POINT, variables: ['precipitation'], granularity: 'monthly' },
      { as: 'csv' },
    );
    const [header, ...rows] = text.trimEnd().split('\n');
    expect(header).toMatch(/^variable,units,latitude,longitude,period,/);
    expect(rows.map((row) => row.split(',')[4])).toEqual(['2025-12', '2026-01', '2026-02']);
  });

  it('gives an Arrow stream as bytes', async () => {
    const { client } = clientOf();
    const bytes = await client.forecast({ ...POINT, variables: ['temp_mean'] }, { as: 'arrow' });
    const table = tableFromIPC(bytes);
    expect([table.numRows, table.schema.fields.at(-1)?.name]).toEqual([40, 'member_04']);
  });

  it('has types that fit the examples of the service', () => {
    const members: ForecastMembers = MEMBERS_EXAMPLE;
    const statistics: ForecastStatistics = { ...STATISTICS_EXAMPLE, granularity: 'weekly' };
    const meta = { ...HISTORY_EXAMPLE.meta, granularity: 'monthly' } as const;
    const history: History = { ...HISTORY_EXAMPLE, meta };
    expect(members.variables.precipitation.members['2026-11-21'][1]).toBeNull();
    expect(statistics.variables.temp_mean.statistics['2026-W48'].q05).toBe(4.2);
    expect(history.data.precipitation.values['2026-10']).toBeNull();
  });

  it('takes at most 4.7 kB in a page, with v1 0.3 kB more, and bundles neither the service nor Arrow', async () => {
    const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
    const bundle = async (names: string) => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: `export { ${names} } from ${JSON.stringify(entry)}`, resolveDir: '.' },
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
        metafile: true,
      });
      const inputs = Object.entries(metafile.outputs)[0][1].inputs;
      const used = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
      return { bytes: gzipSync(outputFiles[0].contents).length, used };
    };
    const [usual, withV1] = [
      await bundle('createClient, ServiceError'),
      await bundle('createClient, ServiceError, v1Endpoints'),
    ];
    expect(usual.bytes).toBeLessThanOrEqual(4700);
    expect(usual.used.filter((path) => path.includes('/v1'))).toEqual([]);
    expect(withV1.bytes - usual.bytes).toBeLessThanOrEqual(300);
    const others = withV1.used.filter((path) => !path.startsWith('src/client/') && path !== '<stdin>');
    expect(others.sort()).toEqual([
      'src/check/option-checks.ts',
      'src/check/same-origin.ts',
      'src/check/within-time.ts',
      'src/errors.ts',
      'src/variable/nearest-name.ts',
    ]);
  });
});

describe('a previous answer', () => {
  const query = { ...POINT, variables: ['temp_mean'] as const };

  it('is returned as the same object while it is still valid', async () => {
    const { client, sent } = clientOf();
    const statistics = await client.forecastStatistics(query);
    expect(await client.forecastStatistics(query, { previous: statistics })).toBe(statistics);
    expect(sent.map(({ headers }) => headers.has('if-none-match'))).toEqual([false, true]);
    const bytes = await client.forecast(query, { as: 'arrow' });
    expect(await client.forecast(query, { as: 'arrow', previous: bytes })).toBe(bytes);
  });

  it('is replaced when there is a new run', async () => {
    const service = memoryService();
    const { client } = clientOf(service);
    const before = await client.forecastStatistics(query);
    service.source.replace(snapshot(2));
    const after = await client.forecastStatistics(query, { previous: before });
    expect([before.generation, after.generation]).toEqual(['run-1', 'run-2']);
    expect(await client.forecastStatistics(query, { previous: after })).toBe(after);
  });

  it('of another query, another client or unknown origin is ignored', async () => {
    const { client, sent } = clientOf();
    const weekly = await client.forecastStatistics({ ...query, granularity: 'weekly' });
    const daily = await client.forecastStatistics(query, { previous: weekly });
    expect(daily.granularity).toBe('daily');
    const another = clientOf().client;
    expect(await another.forecastStatistics(query, { previous: daily })).not.toBe(daily);
    await client.forecastStatistics(query, { previous: structuredClone(daily) });
    expect(sent.at(-1)?.headers.has('if-none-match')).toBe(false);
  });
});
