import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type V1Client,
  type V1Climatology,
  type V1Forecast,
  type V1History,
  v1Endpoints,
} from '../../src/client/index.js';
import { responseSchemas } from '../../src/respond/response-schemas.js';
import { AT, type Body, conformanceService, KEY, type Service } from '../conformance/service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const [latitude, longitude] = AT.match(/-?[\d.]+/g)?.map(Number) ?? [];
const POINT = { latitude, longitude };
const ORIGIN = 'http://service.test';

/** A client of both versions, and the paths and queries of the requests that it has sent. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const sent: Request[] = [];
  const client = createClient({
    ...{ baseUrl: ORIGIN, apiKey: KEY, v1: v1Endpoints },
    fetch: (request) => {
      sent.push(request);
      return service.handler(request);
    },
    ...options,
  });
  return { client, v1: client.v1, sent, targets: () => sent.map(({ url }) => url.replace(ORIGIN, '')) };
}

/** The body of the service to a request without the client. */
async function direct(target: string): Promise<unknown> {
  const response = await service.handler(new Request(ORIGIN + target, { headers: { 'X-Api-Key': KEY } }));
  expect([target, response.status]).toEqual([target, 200]);
  return response.json();
}

describe('the v1 endpoints of a client', () => {
  it('answer as the service does, at a point and at a stored location', async () => {
    const { v1, targets } = clientOf();
    const variables = ['temp_mean', 'precipitation'] as const;
    for (const place of [POINT, { locationId: 'field' }]) {
      const before = targets().length;
      const answers = [
        await v1.forecast('short-term', place),
        await v1.forecast('subseasonal', { ...place, variables, granularity: 'weekly' }),
        await v1.forecast('seasonal', { ...place, variables, granularity: 'monthly' }),
        await v1.history({ ...place, variables: ['temp_mean'] }),
        await v1.climatology({ ...place, variables, granularity: 'weekly' }),
      ];
      const [at, where] = 'latitude' in place ? ['', AT] : ['/location/field', ''];
      const withPlace = (query: string) => [where, query].filter(Boolean).join('&');
      const list = 'var=temp_mean%2Cprecipitation';
      const expected = [
        `/v1/forecast/short-term${at}?${withPlace('')}`,
        `/v1/forecast/subseasonal${at}?${withPlace(`${list}&granularity=weekly`)}`,
        `/v1/forecast/seasonal${at}?${withPlace(`${list}&granularity=monthly`)}`,
        `/v1/history${at}?${withPlace('var=temp_mean')}`,
        `/v1/climatology${at}?${withPlace(`${list}&granularity=weekly`)}`,
      ];
      expect(targets().slice(before)).toEqual(expected);
      expect(answers).toEqual(await Promise.all(expected.map(direct)));
      expect(answers.map(({ data }) => data.length > 0)).toEqual(Array(5).fill(true));
    }
  });

  it('have answers by name and variable', async () => {
    const { v1 } = clientOf();
    const { meta, data } = await v1.forecast('seasonal', {
      ...POINT,
      variables: ['temp_mean'],
      granularity: 'monthly',
    });
    expect([meta.units.temp_mean, meta.granularity, meta.reference_period]).toEqual(['°C', 'monthly', '1993-2022']);
    const { quantile, probability } = data[0].attributes.temp_mean ?? {};
    expect(quantile?.['quantile_0.50']).toEqual(expect.any(Number));
    expect(probability?.['clim_prob_0.67-1.00']).toEqual(expect.any(Number));
  });

  it('return the same object while it is valid, send headers, and report responses, as with v2', async () => {
    const ids: unknown[] = [];
    const { v1, sent } = clientOf({ onResponse: ({ requestId, status }) => ids.push([requestId, status]) });
    const query = { ...POINT, variables: ['temp_mean'] } as const;
    const before = await v1.climatology(query, { headers: { 'x-request-id': 'mine-1' } });
    expect(await v1.climatology(query, { previous: before, headers: { 'x-request-id': 'mine-2' } })).toBe(before);
    expect(ids).toEqual([
      ['mine-1', 200],
      ['mine-2', 304],
    ]);
    const failed = { status: 503, headers: { 'retry-after': '0' } };
    let fails = 2;
    const again = clientOf({
      retries: 2,
      fetch: (request) => (fails-- > 0 ? Promise.resolve(new Response('', failed)) : service.handler(request)),
    });
    expect(await again.v1.climatology(query)).toEqual(before);
    const { signal } = sent[0];
    expect(signal.aborted).toBe(false);
    await expect(v1.history(POINT, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });

  it('reject what the service would ignore, and what leads elsewhere, and send nothing', async () => {
    const { v1, sent } = clientOf();
    const untyped = v1 as unknown as Record<keyof V1Client, (...values: unknown[]) => Promise<unknown>>;
    const cases: readonly [Promise<unknown>, object][] = [
      [untyped.history({ ...POINT, granularity: 'daily' }), { subject: 'query', received: 'granularity' }],
      [untyped.climatology({ ...POINT, startDate: '2026-03-02' }), { subject: 'query', received: 'startDate' }],
      [untyped.forecast('seasonal', { points: [POINT] }), { subject: 'query', received: 'points' }],
      [untyped.forecast('seasonal', { ...POINT, thresholds: [] }), { subject: 'query', received: 'thresholds' }],
      [untyped.forecast('seasonal'), { subject: 'query' }],
      [untyped.forecast('../history', POINT), { subject: 'horizon', received: '../history' }],
      [untyped.forecast(POINT), { subject: 'horizon', allowed: 'short-term, subseasonal, seasonal' }],
      [untyped.history({ ...POINT, locationId: 'field' }), { subject: 'query' }],
      [untyped.history({ locationId: '..' }), { subject: 'locationId', received: '..' }],
      [untyped.history({ locationId: 'a/b' }), { subject: 'locationId' }],
      [untyped.history({ locationId: '' }), { subject: 'locationId' }],
      [untyped.history({ ...POINT, variables: { temp_mean: true } }), { subject: 'query' }],
      [untyped.history(POINT, { form: 'csv' }), { received: 'form' }],
    ];
    for (const [call, error] of cases) await expect(call).rejects.toMatchObject({ name: 'OptionError', ...error });
    expect(sent).toEqual([]);
  });

  it('reject with the problems of the service', async () => {
    const { v1 } = clientOf();
    const untyped = v1 as unknown as Record<keyof V1Client, (...values: unknown[]) => Promise<unknown>>;
    await expect(v1.forecast('seasonal', { ...POINT, granularity: 'weekly' })).rejects.toMatchObject({
      ...{ name: 'ServiceError', status: 400, code: 'bad-parameters' },
      faults: [{ parameter: 'granularity', received: 'weekly' }],
    });
    await expect(v1.history({ locationId: 'nowhere' })).rejects.toMatchObject({ status: 404 });
    await expect(untyped.history({})).rejects.toMatchObject({ faults: [{ parameter: 'lat' }, { parameter: 'lon' }] });
    await expect(untyped.history(POINT, { as: 'csv' })).rejects.toMatchObject({ status: 406 });
  });

  it('are there where they are asked for only', async () => {
    expect(createClient({ baseUrl: ORIGIN, apiKey: KEY })).not.toHaveProperty('v1');
    const wrong = { baseUrl: ORIGIN, apiKey: KEY, v1: true } as unknown as ClientOptions;
    expect(() => createClient(wrong)).toThrow(/v1/);
  });

  it('have types with the fields of the schemas of the service, and no others', () => {
    const entry = { date: '2026-11-30', attributes: {} };
    const location = { latitude: 1, longitude: 2 };
    const meta = { variables: [], dropped_variables: [], granularity: 'daily', units: {}, location } as const;
    const optional = { location_id: 'a', attribution: 'b' };
    const quantile = {
      ...{ 'quantile_0.05': 1, 'quantile_0.25': 2, 'quantile_0.50': 3 },
      ...{ 'quantile_0.75': 4, 'quantile_0.95': null },
    };
    const probability = { 'clim_prob_0.00-0.33': 0, 'clim_prob_0.33-0.67': 1, 'clim_prob_0.67-1.00': null };
    const run = { init_time: '2026-11-30T00:00:00Z', reference_period: '1993-2022', tercile_reference: 'observations' };
    const forecast: Required<V1Forecast['data'][0]['attributes'][string]> = { ensemble_mean: 1, quantile, probability };
    const forecastMeta: Required<V1Forecast['meta']> = { ...meta, ...optional, ...run };
    const historyMeta: Required<V1History['meta']> = { ...meta, ...optional };
    const climateMeta: Required<V1Climatology['meta']> = { ...meta, ...optional, reference_period: '1993-2022' };
    const bodies = {
      LegacyForecastAnswer: { meta: forecastMeta, data: [{ ...entry, attributes: { a: forecast } }] },
      LegacyHistoryAnswer: { meta: historyMeta, data: [{ ...entry, attributes: { a: { values: 1 } } }] },
      LegacyClimatologyAnswer: { meta: climateMeta, data: [{ ...entry, attributes: { a: { quantile } } }] },
    };
    for (const [name, body] of Object.entries(bodies)) {
      const { properties } = responseSchemas[name as keyof typeof bodies] as Body;
      const fields = (value: object) => Object.keys(value).sort();
      expect(fields(body.meta)).toEqual(fields(properties.meta.properties));
      const { attributes } = properties.data.items.properties;
      const values = attributes.additionalProperties.properties;
      expect(fields(body.data[0].attributes.a)).toEqual(fields(values));
      for (const [field, value] of Object.entries(body.data[0].attributes.a)) {
        if (value instanceof Object) expect(fields(value)).toEqual(fields(values[field].properties));
      }
    }
  });
});
