import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import { openApiDocument } from '../../../src/service/handler/openapi/document.js';
import { defineVariable } from '../../../src/variable/define-variable.js';
import { fakeService, KEY } from './fake-service.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of plain JSON
type Json = any;

const plain = (options = {}): Json => JSON.parse(JSON.stringify(openApiDocument(options)));

describe('the OpenAPI document', () => {
  const document = plain();
  const operations: [string, Json][] = Object.entries<Json>(document.paths).map(([path, { get }]) => [path, get]);

  it('has every endpoint and the paths of the service, each with a unique operation id', () => {
    const paths = createEndpoints().map(({ path }) => path);
    expect(Object.keys(document.paths)).toEqual([...paths, '/health', '/ready', '/openapi.json']);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  it('lists the parameters that are accepted: each is one that the endpoint knows', async () => {
    const { ask } = fakeService();
    for (const [path, { parameters = [] }] of operations) {
      for (const { name } of parameters.filter((parameter: Json) => parameter.in === 'query')) {
        const response = await ask(`${path.replace('{id}', 'everybodys')}?${name}=`);
        const { errors } = await response.json();
        expect(errors).toContainEqual(expect.objectContaining({ parameter: name, detail: 'is empty' }));
      }
    }
  });

  it('has examples that the service accepts', async () => {
    const { ask } = fakeService();
    for (const [path, { parameters = [] }] of operations) {
      const query = parameters
        .filter((parameter: Json) => parameter.in === 'query' && parameter.example !== undefined)
        .map(({ name, example }: Json) => `${name}=${encodeURIComponent(example)}`);
      expect((await ask(`${path.replace('{id}', 'everybodys')}?${query.join('&')}`)).status).toBe(200);
    }
  });

  it('has patterns that the texts of parameters fit just where they are accepted', async () => {
    const { ask } = fakeService();
    const path = '/v2/forecast/statistics';
    const patternOf = (name: string) => {
      const { parameters } = document.paths[name === 'points' ? `${path}/points` : path].get;
      return new RegExp(parameters.find((one: Json) => one.name === name).schema.pattern, 'u');
    };
    const texts = [
      '0.5',
      '0.5,',
      '.5,1.0,0',
      '0.1234567',
      '1.5',
      '-0',
      '1e-2',
      '0.5 ',
      'NaN',
      '2026-03-02',
      '2026-3-2',
      '20260302',
      ...['1,2', '1,2;', ';1,2', '1,2;;1,2', '-1.5e0,+2.;.5,2', '1;2', '1,2,3', '1 ,2', '1,2;1,2'],
      ...['temp_mean 5..q90 or (temp_max>2)', 'precipitation GIVEN temp_mean<0'],
      ...['temp_mean>20', 'temp_mean >= 20,temp_mean<-5.', 'temp_mean=20', 'temp_mean>1e3', 'temp_mean>', '>5'],
      Array(100).fill('1,2').join(';'),
      Array(101).fill('1,2').join(';'),
    ];
    for (const name of ['statistics', 'start_date', 'points', 'threshold']) {
      for (const text of [
        ...texts,
        Array(99).fill('0.5').join(),
        Array.from({ length: 100 }, (_, i) => `0.${i + 100}`).join(),
      ]) {
        const point = name === 'points' ? '' : 'lat=37.3&lon=-79.84&';
        const { status } = await ask(`${path}?${point}${name}=${encodeURIComponent(text)}`);
        const isMatch = patternOf(name).test(text);
        // The grammar of conditions is not regular: what does not match is rejected, what matches may be.
        if (name === 'threshold' && isMatch) expect([200, 400]).toContain(status);
        else expect([name, text, status]).toEqual([name, text, isMatch ? 200 : 400]);
      }
    }
  });

  it('marks what goes beyond the specification, and nothing else', () => {
    const marked = operations.flatMap(([path, { parameters = [], 'x-extension': isExtension }]) =>
      isExtension
        ? path
        : parameters.flatMap((one: Json) => (one['x-extension'] === undefined ? [] : `${path} ${one.name}`)),
    );
    expect(marked).toEqual([
      '/v2/forecast horizons',
      '/v2/forecast members',
      '/v2/forecast/points',
      '/v2/forecast/statistics horizons',
      '/v2/forecast/statistics members',
      '/v2/forecast/statistics threshold',
      '/v2/forecast/statistics terciles',
      '/v2/forecast/statistics skill',
      '/v2/forecast/statistics/points',
      '/v2/history/points',
    ]);
  });

  it('requires lat and lon, points or an id: no path has two ways to say where', () => {
    const places = ['lat', 'lon', 'points', 'id'];
    for (const [path, { parameters, tags }] of operations) {
      if (tags[0] === 'service') continue;
      const where = parameters.filter(({ name }: Json) => places.includes(name));
      const expected = path.endsWith('{id}') ? ['id'] : path.endsWith('/points') ? ['points'] : ['lat', 'lon'];
      expect([path, where.map(({ name }: Json) => name)]).toEqual([path, expected]);
      expect(where.every(({ required }: Json) => required === true)).toBe(true);
    }
  });

  it('has a path for several points of each current endpoint, which otherwise has its parameters, and another answer', () => {
    const withoutPlace = ({ parameters }: Json) =>
      parameters.filter(({ name }: Json) => !['lat', 'lon', 'points'].includes(name));
    const schemaOf = ({ responses }: Json) => responses[200].content['application/json'].schema.$ref;
    const current = operations.filter(([path]) => /^\/v2\/(?!.*\/points$)/.test(path));
    expect(current).toHaveLength(3);
    for (const [path, one] of current) {
      const several = document.paths[`${path}/points`].get;
      expect(withoutPlace(several)).toEqual(withoutPlace(one));
      expect(schemaOf(several)).toBe(`${schemaOf(one)}OfPoints`);
      expect(one.description).toContain(`\`${path}/points\``);
    }
  });

  it('lists the variables that a horizon has', () => {
    const slugsOf = (path: string) =>
      document.paths[path].get.parameters.find(({ name }: Json) => name === 'var').schema.items.enum;
    expect(slugsOf('/v1/forecast/short-term')).toContain('wind_gust_max');
    for (const path of ['/v1/forecast/subseasonal', '/forecast/seasonal/location/{id}']) {
      expect(slugsOf(path)).toContain('precipitation');
      expect(slugsOf(path)).not.toContain('wind_gust_max');
    }
  });

  it('requires the key header for data, and no key for the service paths', () => {
    const [scheme] = Object.values<Json>(document.components.securitySchemes);
    expect(scheme).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-Api-Key' });
    expect(document.security).toEqual([{ key: [] }]);
    for (const [path, { security, tags }] of operations) {
      expect([path, security]).toEqual([path, tags[0] === 'service' ? [] : undefined]);
    }
  });

  it('has nothing behind no reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path);
    expect(references.length).toBeGreaterThan(20);
    for (const path of references) {
      const target = path.split('/').reduce((node: Json, key) => node?.[key], document);
      expect([path, target]).toEqual([path, expect.any(Object)]);
    }
  });

  it('has no two names that generators take for one: they join names of operations and parameters, of schemas and fields, and change the case', () => {
    const names = new Map<string, string>();
    const add = (owner: string, part = '') => {
      const name = `${owner}${part.replaceAll('_', '')}`.toLowerCase();
      const known = names.get(name) ?? `${owner} ${part}`;
      expect(known, name).toBe(`${owner} ${part}`);
      names.set(name, known);
    };
    for (const [, { operationId, parameters = [] }] of operations) {
      add(operationId);
      for (const { name } of parameters) add(operationId, name);
    }
    for (const [schema, { properties = {} }] of Object.entries<Json>(document.components.schemas)) {
      add(schema);
      for (const field of Object.keys(properties)) add(schema, field);
    }
    expect(names.size).toBeGreaterThan(100);
  });

  it('describes every property that problems have', async () => {
    const { ask } = fakeService();
    const { properties } = document.components.schemas.Problem;
    const problem = await (await ask('/v2/forecast?lat=x')).json();
    for (const [name, { items }] of Object.entries<Json>(properties)) {
      if (items !== undefined)
        expect(Object.keys(items.properties)).toEqual(expect.arrayContaining(Object.keys(problem[name][0])));
    }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(problem)));
  });

  it('has the path that it is mounted at, and the variables of the caller', async () => {
    const snow = defineVariable({ slug: 'snow_depth', units: 'cm', window: 'mean' });
    const options = { basePath: '/weather', variables: [snow] };
    expect(plain(options).servers).toEqual([{ url: '/weather' }]);
    expect(JSON.stringify(plain(options))).toContain('"snow_depth"');
    const { handler } = fakeService(options);
    const response = await handler(new Request('http://x/weather/openapi.json', { headers: { 'x-api-key': KEY } }));
    expect(await response.json()).toEqual(plain(options));
  });
});
