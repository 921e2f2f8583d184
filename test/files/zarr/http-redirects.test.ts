import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpStore, type HttpStoreOptions } from '../../../src/files/zarr/http-store.js';
import { openAddress } from '../../../src/input/remote-input.js';
import { Listened } from '../../client/listened-server.js';

const BASIC = `Basic ${btoa('user:pass')}`;
const service = new Listened();
const other = new Listened();
beforeAll(() => Promise.all([service.open(), other.open()]));
afterAll(() => [service, other].map((server) => server.close()));
beforeEach(() => {
  for (const server of [service, other]) server.requests.length = 0;
  service.answer = ({ url }, response) => {
    if (url === '/store/far') response.writeHead(302, { location: `${other.origin}/value?secret=1` }).end();
    else if (url === '/store/near') response.writeHead(302, { location: 'value' }).end();
    else if (url === '/store/loop') response.writeHead(302, { location: 'loop' }).end();
    else response.end('near');
  };
  other.answer = (_, response) => response.end('far');
});

const withUser = (address: string) => address.replace('//', '//user:pass@');
const get = async (key: `/${string}`, options: HttpStoreOptions = {}, address = service.origin) =>
  new TextDecoder().decode(await new HttpStore(new URL(`${address}/store`), { retries: 3, ...options }).get(key));

describe('a store whose server redirects', () => {
  it('is read wherever it leads, where no request has anything secret', async () => {
    expect([await get('/near'), await get('/far')]).toEqual(['near', 'far']);
  });

  it('gets the headers of the caller, which no other origin gets: that is an error, at once', async () => {
    const options = { headers: { 'X-Own': 'mine' } };
    expect(await get('/near', options)).toBe('near');
    expect(service.requests.map(({ url, own }) => [url, own])).toEqual([
      ['/store/near', 'mine'],
      ['/store/value', 'mine'],
    ]);
    await expect(get('/far', options)).rejects.toThrow(
      `${service.origin}/store/far: redirects requests to another origin; received "${other.origin}/value"; ` +
        'allowed: redirects to the same origin: headers and passwords are sent to no other one',
    );
    await expect(get('/loop', options)).rejects.toThrow('redirects requests more than 20 times');
    expect(other.requests).toEqual([]);
    expect(service.requests).toHaveLength(2 + 1 + 21);
  });

  it('leaves redirects of a function of the caller to the store, unless the function follows them', async () => {
    const signing = (request: Request) => fetch(new Request(request, { headers: { 'x-own': 'signed' } }));
    expect(await get('/near', { fetch: signing })).toBe('near');
    await expect(get('/far', { fetch: signing })).rejects.toThrow('redirects requests to another origin');
    expect([other.requests, service.requests.every(({ own }) => own === 'signed')]).toEqual([[], true]);
    expect(await get('/far', { fetch: (request) => fetch(request, { redirect: 'follow' }) })).toBe('far');
  });

  it('gets the name and password of its address, which no other origin gets', async () => {
    expect([await get('/near', {}, withUser(service.origin)), await get('/far', {}, withUser(service.origin))]).toEqual(
      ['near', 'far'],
    );
    expect(service.requests.map(({ authorization }) => authorization)).toEqual([BASIC, BASIC, BASIC]);
    expect(other.requests).toMatchObject([{ url: '/value?secret=1', authorization: undefined }]);
  });

  it('says which headers cannot be sent without repeating them', () => {
    expect(() => new HttpStore(new URL(service.origin), { headers: { 'x-own': 'se\ncret' } })).toThrow(
      /^headers: cannot be sent; allowed: texts on one line by the names of headers$/,
    );
  });
});

describe('a file at an address with a name and password', () => {
  const textAt = async (address: string) => {
    const input = await openAddress(address);
    if (input.kind !== 'file') throw new Error('a store');
    const pieces = [];
    for await (const piece of input.pieces()) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  };

  it('is read where a redirect leads, which gets the password within its origin only', async () => {
    const store = `${withUser(service.origin)}/store`;
    expect([await textAt(`${store}/near`), await textAt(`${store}/far`)]).toEqual(['near', 'far']);
    expect(service.requests.map(({ authorization }) => authorization)).toEqual([BASIC, BASIC, BASIC]);
    expect(other.requests).toMatchObject([{ authorization: undefined }]);
    await expect(textAt(`${store}/loop`)).rejects.toThrow('redirects requests more than 20 times');
  });

  it('may have a percent sign that stands for itself', async () => {
    expect(await textAt(`${service.origin.replace('//', '//us%er:100%@')}/store/value`)).toBe('near');
    expect(service.requests).toMatchObject([{ authorization: `Basic ${btoa('us%er:100%')}` }]);
  });
});
