import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/serve/endpoints.js';
import { openApiDocument } from '../../src/serve/openapi/document.js';
import { defineVariable } from '../../src/variable/define-variable.js';
import { fakeService, KEY } from './fake-service.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of plain JSON
type Json = any;

const plain = (options = {}): Json => JSON.parse(JSON.stringify(openApiDocument(options)));

describe('the OpenAPI document', () => {
  const document = plain();
  const operations: [string, Json][] = Object.entries<Json>(document.paths).map(([path, { get }]) => [path, get]);

  it('has every endpoint and the paths of the service, each with an operation id of its own', () => {
    const paths = endpoints().map(({ path }) => path);
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

  it('gives examples that are accepted', async () => {
    const { ask } = fakeService();
    for (const [path, { parameters = [] }] of operations) {
      const query = parameters
        .filter((parameter: Json) => parameter.in === 'query')
        .map(({ name, example }: Json) => `${name}=${encodeURIComponent(example)}`);
      expect((await ask(`${path.replace('{id}', 'everybodys')}?${query.join('&')}`)).status).toBe(200);
    }
  });

  it('needs the key of the header for data, and none for the service', () => {
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
