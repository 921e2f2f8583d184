import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient, ServiceError } from '../../src/client/index.js';
import { Listened } from './listened-server.js';
import { KEY } from './memory-service.js';

const POINT = { latitude: 37.3, longitude: -79.8 };

const service = new Listened();
const other = new Listened();
beforeAll(() => Promise.all([service.open(), other.open()]));
afterAll(() => [service, other].map((server) => server.close()));
beforeEach(() => {
  for (const server of [service, other]) server.requests.length = 0;
  other.answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"other":1}');
});

const ask = () =>
  createClient({ baseUrl: service.origin, apiKey: KEY, headers: { 'X-Own': 'mine' } }).forecast(
    POINT,
  ) as Promise<unknown>;
const failed = async () => {
  const error = await ask().catch((reason: unknown) => reason);
  if (!(error instanceof ServiceError)) throw new Error(`not a ServiceError: ${error}`);
  return error;
};

describe('a redirect', () => {
  it('within the origin is followed, with the key: absolute, relative, of every status, one after the other', async () => {
    const steps = [
      '/moved/forecast',
      '../v2/./here',
      '?a=1',
      `${service.origin}/end#top`,
      `//${new URL(service.origin).host}/done`,
    ];
    const statuses = [301, 302, 303, 307, 308];
    service.answer = (_, response) => {
      const step = service.requests.length - 1;
      if (step < steps.length) response.writeHead(statuses[step], { location: steps[step] }).end('elsewhere');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"here":1}');
    };
    expect(await ask()).toEqual({ here: 1 });
    expect(service.requests.map(({ url }) => url.replace(/\?lat.*/, ''))).toEqual([
      '/v2/forecast',
      '/moved/forecast',
      '/v2/here',
      '/v2/here?a=1',
      '/end',
      '/done',
    ]);
    expect(service.requests.every(({ key, own }) => key === KEY && own === 'mine')).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])(
    'of status %d to another origin is an error, and the key is not sent there',
    async (status) => {
      const host = new URL(other.origin).host;
      for (const location of [
        `${other.origin}/v2/forecast?lat=1`,
        `//${host}/v2/forecast`,
        // The same host: another scheme, or another name.
        `${service.origin.replace('http:', 'https:')}/v2/forecast`,
        `${service.origin.replace('127.0.0.1', 'localhost')}/v2/forecast`,
        `http://name:password@${host}/v2/forecast`,
        'data:application/json,{}',
      ]) {
        service.answer = (_, response) => response.writeHead(status, { location }).end();
        const error = await failed();
        expect([error.code, error.status]).toEqual(['redirected', undefined]);
        expect(error.detail).toContain(`${service.origin} redirects requests to another origin, `);
        expect(error.detail).not.toMatch(/lat=|password@/);
        expect(error.message).not.toContain(KEY);
      }
      expect(other.requests).toEqual([]);
    },
  );

  it('to another origin after one within is an error', async () => {
    service.answer = ({ url }, response) =>
      response.writeHead(302, { location: url === '/again' ? other.origin : '/again' }).end();
    expect((await failed()).detail).toBe(
      `${service.origin} redirects requests to another origin, ${other.origin}/. The key is sent to the origin of ` +
        'baseUrl alone: where the service has moved, give its new address.',
    );
    expect(other.requests).toEqual([]);
  });

  it('that leads back to itself ends', async () => {
    service.answer = (_, response) => response.writeHead(302, { location: '/v2/forecast' }).end();
    expect((await failed()).detail).toContain('redirects requests more than 20 times');
    expect(service.requests).toHaveLength(21);
  });

  it.each([
    ['http://', 'redirects requests to no address'],
    ['http://a:b@', 'redirects requests to no address'],
    ['file:///etc/hostname', 'redirects requests to another origin, file:///etc/hostname. The key'],
  ])('to %j is an error', async (location, words) => {
    service.answer = (_, response) => response.writeHead(302, { location }).end();
    expect((await failed()).detail).toContain(words);
  });

  it('to the same origin with a name and a password is an error that does not repeat them', async () => {
    const location = service.origin.replace('//', '//name:secret@');
    service.answer = (_, response) => response.writeHead(302, { location }).end();
    const { code, detail } = await failed();
    expect([code, detail.includes('secret')]).toEqual(['redirected', false]);
    expect(service.requests).toHaveLength(1);
  });

  it('without an address is an answer without a problem document', async () => {
    service.answer = (_, response) => response.writeHead(302).end();
    expect(await failed()).toMatchObject({ status: 302, code: 'no-problem' });
  });

  it('that a browser hides is an error that says what to do', async () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const client = createClient({ baseUrl: service.origin, apiKey: KEY, fetch: async () => hidden });
    await expect(client.forecast(POINT)).rejects.toMatchObject({
      code: 'redirected',
      detail: expect.stringContaining('redirects requests, and a browser does not say where to. The key'),
    });
  });
});
