import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HandlerOptions, RequestRecord } from '../../../../src/service/handler/handler-options.js';
import { clientAddress, type ProxyOptions } from '../../../../src/service/handler/listener/client-address.node.js';
import { createListener } from '../../../../src/service/handler/listener/create-listener.node.js';
import { fakeService, KEY } from '../fake-service.js';

const incoming = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, rawHeaders: Object.entries(headers).flat() }) as unknown as IncomingMessage;

const PROXIES: ProxyOptions = { trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] };
const STANDARD: ProxyOptions = { ...PROXIES, forwardedHeader: 'forwarded' };

describe('the address of the client', () => {
  it.each<[string, string | undefined, Record<string, string>, string | undefined, ProxyOptions]>([
    ['who has connected, without trusted proxies', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '127.0.0.1', {}],
    [
      'who has connected, where it is no trusted proxy',
      '9.9.9.9',
      { 'x-forwarded-for': '1.2.3.4' },
      '9.9.9.9',
      PROXIES,
    ],
    ['what a trusted proxy says', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4', PROXIES],
    ['an address of version 4 in one of 6', '::ffff:127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4', PROXIES],
    ['not what the client forged', '10.1.1.1', { 'x-forwarded-for': '8.8.8.8, 1.2.3.4' }, '1.2.3.4', PROXIES],
    [
      'before all trusted ones',
      '10.1.1.1',
      { 'x-forwarded-for': '6.6.6.6,1.2.3.4, 10.2.2.2,fd00::5' },
      '1.2.3.4',
      PROXIES,
    ],
    ['with a port', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4:5678' }, '1.2.3.4', PROXIES],
    ['of version 6', 'fd00::1', { 'x-forwarded-for': '[2001:db8::7]:99' }, '2001:db8::7', PROXIES],
    ['not what is no address', '127.0.0.1', { 'x-forwarded-for': '1.2.3.4, evil' }, '127.0.0.1', PROXIES],
    ['the proxy without the header', '127.0.0.1', {}, '127.0.0.1', PROXIES],
    ['not of the other header', '127.0.0.1', { forwarded: 'for=6.6.6.6' }, '127.0.0.1', PROXIES],
    ['of Forwarded', '127.0.0.1', { forwarded: 'for=6.6.6.6, for=1.2.3.4;proto=https' }, '1.2.3.4', STANDARD],
    [
      'of Forwarded, quoted',
      '127.0.0.1',
      { forwarded: 'proto=http;For="[2001:db8::7]:4711"' },
      '2001:db8::7',
      STANDARD,
    ],
    ['not hidden', '127.0.0.1', { forwarded: 'for=1.2.3.4, for=_hidden' }, '127.0.0.1', STANDARD],
    ['unknown where the connection has gone', undefined, {}, undefined, PROXIES],
  ])('is %s', (_, peer, headers, expected, options) => {
    expect(clientAddress(options)(incoming(peer, headers))).toBe(expected);
  });

  it('is found again for each of more addresses than are remembered', () => {
    const ofProxies = clientAddress(PROXIES);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 12_000; i++) {
        const client = `1.2.${i >> 8}.${i & 255}`;
        expect(ofProxies(incoming(`10.3.${i >> 8}.${i & 255}`, { 'x-forwarded-for': client }))).toBe(client);
        expect(ofProxies(incoming(client, { 'x-forwarded-for': '8.8.8.8' }))).toBe(client);
      }
    }
  });

  it('never comes from before the last one that is no trusted proxy, whatever a client writes', () => {
    const ofProxies = clientAddress(PROXIES);
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (forged, client) => {
        fc.pre(!client.startsWith('10.') && client !== '127.0.0.1');
        expect(ofProxies(incoming('10.0.0.9', { 'x-forwarded-for': `${forged}, ${client}` }))).toBe(client);
      }),
    );
  });

  it.each([['x'], ['10.0.0.0/33'], ['fd00::/129'], ['10.0.0.0/8/8'], [7 as never]])(
    'cannot be found by a proxy at %j',
    (address) => {
      expect(() => clientAddress({ trustedProxies: [address] })).toThrow('trustedProxies');
    },
  );
});

/** Answers requests of a listener with these options, and closes. */
async function served(
  options: Partial<HandlerOptions>,
  proxies: ProxyOptions,
  ask: (send: (headers: Record<string, string>) => Promise<number>) => Promise<void>,
): Promise<void> {
  const { handler } = fakeService(options);
  const server = createServer(createListener(handler, proxies)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const send = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const path = '/v2/forecast?lat=37.3&lon=-79.84';
      request({ port, host: '127.0.0.1', path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  try {
    await ask(send);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

it('the log has the address and the user agent of the client', async () => {
  const records: RequestRecord[] = [];
  await served({ onRequest: (record) => void records.push(record) }, PROXIES, async (send) => {
    await send({ 'x-api-key': KEY, 'x-forwarded-for': '1.2.3.4', 'user-agent': 'curl/8' });
    await send({ 'x-api-key': KEY });
  });
  expect(records.map(({ client, userAgent }) => [client, userAgent])).toEqual([
    ['1.2.3.4', 'curl/8'],
    ['127.0.0.1', undefined],
  ]);
});

it('an address that asks with unknown keys has to wait; others, and known keys, need not', async () => {
  const options = { unknownKeyLimit: { requests: 2, windowSeconds: 3600 } };
  await served(options, PROXIES, async (send) => {
    const unknown = (from: string) => send({ 'x-api-key': 'no such key', 'x-forwarded-for': from });
    expect([await unknown('1.2.3.4'), await unknown('1.2.3.4'), await unknown('1.2.3.4')]).toEqual([401, 401, 429]);
    expect(await unknown('1.2.3.5')).toBe(401);
    expect(await send({ 'x-api-key': KEY, 'x-forwarded-for': '1.2.3.4' })).toBe(200);
    // One network of version 6 is one client.
    const many = [await unknown('2001:db8::1'), await unknown('2001:db8:0:0:5::2'), await unknown('2001:db8::7:1')];
    expect(many).toEqual([401, 401, 429]);
    expect(await unknown('2001:db8:0:1::1')).toBe(401);
  });
});
