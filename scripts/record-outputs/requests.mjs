/** Requests to a service that are recorded: status, headers and body; of problems their codes. */
import { readFile } from 'node:fs/promises';
import { digestOf, errorFacts, sha256 } from './digest.mjs';
import { FIRST_DAY, PLACES } from './made-data.mjs';
import { withoutWords } from './run-command.mjs';

const HOST = 'http://localhost';
const NOON = new Date('2026-03-02T12:00:00Z');
const KEY = { 'X-Api-Key': 'demo' };
const FINE_KEY = { 'X-Api-Key': 'demo-1km' };
/** Fields of the OpenAPI document and of problems that are sentences. */
const SENTENCES = [
  'description',
  'summary',
  'title',
  'detail',
  'allowed',
  'received',
  'instance',
  'id',
  'version',
  'x-summary',
];

/** All cases of requests: `{ name, run }`. */
export async function requestCases({ api }) {
  const services = await openServices(api);
  return [
    ...Object.entries(services).flatMap(([name, handler]) =>
      requestsOf(name).map((request) => ({
        name: `request ${name} ${request.name}`,
        run: () => responseFacts(handler, request),
      })),
    ),
    ...conditionalCases(services.demo),
    ...limitCases(api),
    ...clientCases(api, services.demo),
  ];
}

/** Services of two stores, both of an earlier build, of data in memory, of an archive, and of nothing. */
async function openServices(api) {
  const { createHandler, openKeys, openLocations, openStore, memoryKeys, memorySource } = api;
  const now = () => NOON;
  const keys = memoryKeys([{ id: 'key-1', owner: 'me', downscaling: true, key: 'demo' }]);
  const stored = async (folder, more) => ({
    ...{ source: await openStore(folder), locations: await openLocations(folder), now },
    ...more,
  });
  return {
    demo: createHandler(await stored('demo', { keys: await openKeys('demo') })),
    store: createHandler(await stored('store', { keys, basePath: '/weather' })),
    memory: createHandler({ source: memorySource(memorySnapshot(api)), keys, now }),
    archive: createHandler({ source: await openArchive(api), keys, now }),
    nothing: createHandler({ source: memorySource({}), keys, now }),
  };
}

/** The rain of two stores of Zarr, which are read by key: the versions of folders are those of this file system. */
async function openArchive({ zarrSource }) {
  const store = (folder) => ({ get: (key) => readFile(`${folder}${key}`).catch(() => undefined) });
  const forecast = { 'short-term': store('zarr/v2-gzip'), subseasonal: store('zarr/v3-gzip') };
  return zarrSource({ forecast }, { pairBy: 'precipitation', version: 'model-1' });
}

/** A forecast of two horizons and a history at three places, with an elevation. */
function memorySnapshot(api) {
  const dataset = (revision, axis, slugs) => {
    const ensembles = PLACES.map((place) => api.generateEnsemble({ ...place, ...axis, initDate: axis.firstDay }));
    const { firstDay, days, members } = axis;
    const variables = slugs.map((slug) => {
      const values = Float32Array.from(
        ensembles.flatMap((ensemble) => ensemble[slug].flatMap((member) => [...member])),
      );
      return [slug, { firstDay, days, members, values }];
    });
    const latitude = Float64Array.from(PLACES, (place) => place.latitude);
    const longitude = Float64Array.from(PLACES, (place) => place.longitude);
    return api.memoryDataset({ revision, latitude, longitude, variables: Object.fromEntries(variables) });
  };
  const all = [...api.DEMO_VARIABLES];
  const run = {
    initTime: '2026-03-02T00:00:00Z',
    data: dataset('short-1', { firstDay: FIRST_DAY, days: 15, members: 5, seed: 3 }, all),
  };
  const timeline = dataset('timeline-1', { firstDay: FIRST_DAY, days: 60, members: 5, seed: 1 }, all);
  return {
    forecast: {
      initTime: '2026-03-02T00:00:00Z',
      version: 'model-1',
      generation: 'run-1',
      timeline,
      horizons: { 'short-term': run },
    },
    history: {
      data: dataset('history-1', { firstDay: FIRST_DAY - 800, days: 790, members: 1, seed: 9 }, all.slice(0, 4)),
      isPreloaded: (latitude) => latitude < 37.4,
    },
    elevation: () => 300,
    attribution: 'Made up',
    revision: 'r-1',
  };
}

const POINT = 'lat=37.27&lon=-79.94';
const ALL = 'temp_mean,precipitation,wind_gust_max,evapotranspiration,dew_point';
const ACCEPT = { JSON: 'application/json', CSV: 'text/csv', Arrow: 'application/vnd.apache.arrow.stream' };

/** Each request of a service: what it is called, its path, headers and method. */
function requestsOf(service) {
  const base = service === 'store' ? '/weather' : '';
  const get = (path, headers = KEY, method = 'GET') => {
    const { 'X-Api-Key': key, ...others } = headers;
    const said = [
      method,
      path,
      key === 'demo' ? '' : `key ${key}`,
      Object.keys(others).length > 0 ? JSON.stringify(others) : '',
    ];
    return { name: said.filter((word) => word !== '').join(' '), url: `${HOST}${base}${path}`, headers, method };
  };
  const basic = [
    ...dataRequests(get),
    ...legacyRequests(get),
    get('/health', {}),
    get('/ready', {}),
    get('/openapi.json', {}),
  ];
  return service === 'demo' ? [...basic, ...wrongRequests(get), ...otherRequests(get)] : basic;
}

function dataRequests(get) {
  const paths = [
    ...['var=precipitation', `var=${ALL}`, 'start_date=2026-03-10&end_date=2026-04-20', 'use_downscaling=false'].map(
      (query) => `/v2/forecast?${POINT}&${query}`,
    ),
    ...['daily', 'weekly', 'monthly'].flatMap((granularity) => [
      `/v2/forecast/statistics?${POINT}&granularity=${granularity}&var=precipitation,temp_max`,
      `/v2/forecast/statistics?${POINT}&granularity=${granularity}&statistics=0.1,0.5,0.999&end_date=2026-06-30`,
      `/v2/history?${POINT}&granularity=${granularity}&var=temp_mean,precipitation&start_date=2025-01-01`,
    ]),
  ];
  return paths.flatMap((path) => Object.values(ACCEPT).map((accept) => get(path, { ...KEY, Accept: accept })));
}

function legacyRequests(get) {
  const paths = ['short-term', 'subseasonal', 'seasonal'].map((horizon) => `/forecast/${horizon}`);
  return [...paths, '/history', '/climatology'].flatMap((path) => [
    ...['daily', 'weekly', 'monthly'].map((granularity) =>
      get(`/v1${path}?${POINT}&granularity=${granularity}&var=precipitation,temp_mean`),
    ),
    get(`/v1${path}?${POINT}`),
    get(`${path}?lat=37.3&lon=-79.84&nothing=1`),
    ...['demo-field', 'demo-remote', 'field', 'nothing'].map((id) => get(`/v1${path}/location/${id}?var=temp_mean`)),
  ]);
}

function wrongRequests(get) {
  const statistics = '/v2/forecast/statistics';
  const queries = [
    ...[
      '',
      'lat=37.3',
      'lat=x&lon=1',
      'lat=91&lon=1',
      'lat=1&lon=181',
      'lat=0&lon=0',
      'lat=37.3&lon=-79.84&lat=1',
      'lat=&lon=',
    ],
    ...[
      'var=nothing',
      'var=',
      'var=temp_mean,temp_mean',
      'granularity=yearly',
      'statistics=2',
      'statistics=x',
      'statistics=0.1234567',
    ].map((wrong) => `${POINT}&${wrong}`),
    ...[
      'start_date=2026-02-30',
      'start_date=2026-05-01&end_date=2026-04-01',
      'end_date=1990-01-01',
      'use_downscaling=maybe',
      'nothing=1',
    ].map((wrong) => `${POINT}&${wrong}`),
    ...[`lat=x&lon=y&var=nothing&granularity=yearly&more=1`, `${POINT}&var=%zz`, `${POINT}&var=${'x'.repeat(17_000)}`],
  ];
  return [
    ...queries.map((query) => ({ ...get(`${statistics}?${query}`), name: `GET ${statistics}?${query.slice(0, 100)}` })),
    ...['/v2/history', '/v1/climatology', '/v1/forecast/seasonal'].map((path) =>
      get(`${path}?lat=x&lon=1&granularity=yearly`),
    ),
    ...[
      '/nothing',
      '/v2',
      '/v2/forecast/',
      '/V2/forecast',
      '/v3/forecast',
      '/v1/forecast/nothing',
      '//v2/forecast',
      '/v1/history/location/',
    ].map((path) => get(path)),
    get(`${statistics}?${POINT}`, {}),
    ...['nothing', 'x'.repeat(300)].map((key) => ({
      ...get(`${statistics}?${POINT}`, { 'X-Api-Key': key }),
      name: `GET ${statistics} with the key ${key.slice(0, 20)}`,
    })),
    ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => get(`${statistics}?${POINT}`, KEY, method)),
    ...[
      'text/html',
      'application/json;q=0',
      'text/csv;q=0.5, application/json;q=0.4',
      '*/*',
      'text/*',
      'x',
      'application/xml, */*;q=0.1',
    ].map((accept) => get(`${statistics}?${POINT}`, { ...KEY, Accept: accept })),
    get(`/v1/history?${POINT}`, { ...KEY, Accept: 'text/csv' }),
    get(`/v1/history?lat=36.6&lon=-80.4`),
    get(`/v1/history?lat=10&lon=10`),
  ];
}

function otherRequests(get) {
  const path = `/v2/forecast/statistics?${POINT}&granularity=weekly`;
  const origin = { Origin: 'https://example.org' };
  return [
    ...[path, '/health', '/nothing', `/v1/climatology?${POINT}`].map((one) => get(one, KEY, 'HEAD')),
    ...[path, '/health', '/nothing'].map((one) =>
      get(one, { ...origin, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS'),
    ),
    get(path, { ...KEY, ...origin }),
    get(path, { ...FINE_KEY }),
    get(`/v2/forecast?lat=37.30&lon=-79.84&var=temp_mean`, FINE_KEY),
    get(`/v2/history?lat=37.30&lon=-79.84&var=temp_mean&start_date=2026-01-01`, FINE_KEY),
    get(`/v2/history?${POINT}&var=temp_mean&start_date=1995-01-01`),
  ];
}

/** Headers that differ from request to request. */
const CHANCE = ['x-request-id'];

/** Whatever of a response is not of the clock or of chance. */
async function responseFacts(handler, { url, method, headers }) {
  const response = await handler(new Request(url, { method, headers }));
  return factsOf(response);
}

async function factsOf(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const facts = { status: response.status };
  const type = response.headers.get('content-type') ?? '';
  const isJson = /json/.test(type) && bytes.length > 0;
  const isWordy =
    isJson &&
    (type.includes('problem') ||
      bytes.length < 200 ||
      new TextDecoder().decode(bytes.subarray(0, 40)).includes('openapi'));
  const left = isWordy ? [...CHANCE, 'content-length', 'etag'] : CHANCE;
  for (const [name, value] of response.headers) {
    if (!left.includes(name)) facts[`header ${name}`] = value;
  }
  if (!isWordy) return { ...facts, body: `${sha256(bytes)}, ${bytes.length} bytes` };
  const text = new TextDecoder().decode(bytes);
  const words = [];
  const kept = JSON.stringify(withoutWords(JSON.parse(text), words, SENTENCES));
  const spoken = words.filter((line) => !line.startsWith('id:')).join('\n');
  return { ...facts, body: kept.length < 400 ? kept : sha256(kept), ...(spoken !== '' && { words: spoken }) };
}

/** Requests that say what they have already. */
function conditionalCases(handler) {
  const url = `${HOST}/v2/forecast/statistics?${POINT}&granularity=weekly&var=precipitation`;
  const ask = (headers) => handler(new Request(url, { headers: { ...KEY, ...headers } }));
  const tags = {
    'the same ETag': (tag) => tag,
    'a list with it': (tag) => `"other", ${tag}`,
    'a weak one': (tag) => `W/${tag}`,
    'another one': () => '"other"',
    any: () => '*',
  };
  return [
    ...Object.entries(tags).map(([name, value]) => ({
      name: `request demo with If-None-Match, ${name}`,
      run: async () => factsOf(await ask({ 'If-None-Match': value((await ask()).headers.get('etag')) })),
    })),
    {
      name: 'request demo with the ETag of another type',
      run: async () => factsOf(await ask({ 'If-None-Match': (await ask()).headers.get('etag'), Accept: 'text/csv' })),
    },
  ];
}

/** Services that may not, cannot or are about to end. */
function limitCases(api) {
  const keys = api.memoryKeys([{ id: 'key-1', owner: 'me', downscaling: false, key: 'demo' }]);
  const make = (more) =>
    api.createHandler({ source: api.memorySource(memorySnapshot(api)), keys, now: () => NOON, ...more });
  const path = `/v2/forecast/statistics?${POINT}&granularity=weekly`;
  const ask = (handler, target = path) => handler(new Request(`${HOST}${target}`, { headers: KEY }));
  const broken = (error) => ({
    snapshot: () => ({
      forecast: {
        ...memorySnapshot(api).forecast,
        timeline: { ...brokenDataset(api), read: () => Promise.reject(error) },
      },
    }),
  });
  const cases = {
    'with a rate limit': () => ask(make({ rateLimit: () => ({ retryAfterSeconds: 7 }) })),
    'with a rate limit that throws': () =>
      ask(
        make({
          rateLimit: () => {
            throw new Error('x');
          },
          onError: () => {},
        }),
      ),
    'while it drains': () => ask(make({ isDraining: () => true }), '/ready'),
    'while it drains, data': () => ask(make({ isDraining: () => true })),
    'of a source that throws': () =>
      ask(
        make({
          source: {
            snapshot: () => {
              throw new Error('x');
            },
          },
          onError: () => {},
        }),
      ),
    'of a source that has a FileError': () =>
      ask(make({ source: broken(new api.FileError({ subject: 'x', problem: 'y' })), onError: () => {} })),
    'of a source whose reads fail': () => ask(make({ source: broken(new Error('x')), onError: () => {} })),
    'of keys that fail': () =>
      ask(
        make({
          keys: {
            find: () => {
              throw new api.FileError({ subject: 'x', problem: 'y' });
            },
          },
          onError: () => {},
        }),
      ),
    'with allowed origins': () =>
      make({ cors: { origins: ['https://example.org'] } })(
        new Request(`${HOST}${path}`, { headers: { ...KEY, Origin: 'https://example.org' } }),
      ),
    'with other origins': () =>
      make({ cors: { origins: ['https://example.org'] } })(
        new Request(`${HOST}${path}`, { headers: { ...KEY, Origin: 'https://x.org' } }),
      ),
    'from the cache of responses': async () => {
      const handler = make({ responseCacheBytes: 1e6 });
      await (await ask(handler)).arrayBuffer();
      return ask(handler);
    },
    'beyond its limits': async () => {
      const handler = make({ limits: { answering: 1, waiting: 1, sending: 1 } });
      const responses = await Promise.all(Array.from({ length: 12 }, () => ask(handler)));
      return responses.at(-1);
    },
  };
  return Object.entries(cases).map(([name, run]) => ({
    name: `request to a service ${name}`,
    run: async () => factsOf(await run()),
  }));
}

function brokenDataset(api) {
  const { revision, places, variables } = memorySnapshot(api).forecast.timeline;
  return { revision, places, variables };
}

/** Calls of the client, whose requests go to the handler. */
function clientCases(api, handler) {
  const make = (more) =>
    api.createClient({ baseUrl: HOST, apiKey: 'demo', fetch: (url, init) => handler(new Request(url, init)), ...more });
  const query = { latitude: 37.3, longitude: -79.84, variables: ['precipitation'] };
  const dated = { ...query, startDate: '2026-03-05', endDate: '2026-03-20' };
  const cases = {
    ...Object.fromEntries(
      ['json', 'csv', 'arrow'].flatMap((as) => [
        [`forecast as ${as}`, () => make().forecast(dated, { as })],
        [
          `forecastStatistics as ${as}`,
          () => make().forecastStatistics({ ...query, granularity: 'weekly', quantiles: [0.1, 0.9] }, { as }),
        ],
        [
          `history as ${as}`,
          () =>
            make().history(
              { ...query, startDate: '2025-01-01', endDate: '2025-12-31', granularity: 'monthly' },
              { as },
            ),
        ],
      ]),
    ),
    'what is had already': async () => {
      const client = make();
      const previous = await client.forecast(dated);
      return previous === (await client.forecast(dated, { previous }));
    },
    'a wrong key': () => make({ apiKey: 'nothing' }).forecast(query),
    'a wrong variable': () => make().forecast({ ...query, variables: ['nothing'] }),
    'a place that is not covered': () => make().forecast({ ...query, latitude: 0 }),
    'a wrong address': () => make({ baseUrl: 'nothing' }).forecast(query),
    'an answer that is no JSON': () => make({ fetch: async () => new Response('x') }).forecast(query),
    'an answer that is an error of a proxy': () =>
      make({ fetch: async () => new Response('x', { status: 502 }) }).forecast(query),
    'a connection that breaks': () =>
      make({ fetch: async () => Promise.reject(new TypeError('fetch failed')) }).forecast(query),
    'a call that is given up': () =>
      make({ fetch: () => new Promise(() => {}) }).forecast(query, { signal: AbortSignal.abort() }),
    'a call that takes too long': () =>
      make({
        timeoutMs: 20,
        fetch: (_, { signal }) =>
          new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
      }).forecast(query),
  };
  return Object.entries(cases).map(([name, call]) => ({
    name: `client, ${name}`,
    run: () => Promise.resolve().then(call).then(digestOf).catch(clientError),
  }));
}

/** The class and the fields of an error of the client; of its faults the parameters. */
function clientError(error) {
  const { faults, retryAfterSeconds } = error;
  return { ...errorFacts(error), parameters: faults?.map(({ parameter }) => parameter).join(), retryAfterSeconds };
}
