import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { openInputFile } from '../../src/input/input-file.js';
import { openAddress } from '../../src/input/remote-input.js';
import { KEY, memoryService } from '../client/memory-service.js';
import { serveValues, type TestServer } from '../files/zarr/http-server.js';
import { plumecastHere } from './run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-addresses-'));
const path = (name: string) => join(folder, name);
const values = new Map<string, Uint8Array>();
let server: TestServer;
const at = (name: string) => `${server.url}/${name}`;
const RAIN = ['--variable', 'precipitation', '--units', 'mm'];
const SVG = [...RAIN, '--format', 'svg', '--theme', 'light'];
const WEEKLY = [...RAIN, '--granularity', 'weekly', '--quiet'];
/** The folders of temporary copies of this process. */
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));

beforeAll(async () => {
  server = await serveValues(values);
  const rain = demoTable('precipitation', { days: 21, members: 5 });
  for (const format of ['arrow', 'arrow-stream', 'csv', 'parquet'] as const) {
    const bytes = await encodeTable(rain, format);
    values.set(`data/rain.${format}`, bytes);
    writeFileSync(path(`rain.${format}`), bytes);
  }
  const zipped = gzipSync(values.get('data/rain.csv') as Uint8Array);
  values.set('data/rain.csv.gz', zipped);
  writeFileSync(path('rain.csv.gz'), zipped);
  await plumecastHere('convert', path('rain.arrow'), path('rain.nc'));
  values.set('data/rain.nc', readFileSync(path('rain.nc')));
  values.set('page', Buffer.from('<!doctype html><title>Log in</title>'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterEach(() => {
  server.mischief = undefined;
  expect(copies()).toEqual([]);
});

it('reads a file of each format at an address as the same file on disk', async () => {
  for (const name of ['rain.arrow', 'rain.arrow-stream', 'rain.csv', 'rain.csv.gz', 'rain.parquet', 'rain.nc']) {
    const local = await plumecastHere('stats', path(name), ...WEEKLY);
    expect(local.out).toContain('2026-W10');
    expect([name, await plumecastHere('stats', at(`data/${name}`), ...WEEKLY)]).toEqual([name, local]);
  }
});

it('draws a file at an address, for several variables from one request', async () => {
  const local = await plumecastHere('plot', path('rain.csv'), ...SVG);
  const address = `${at('data/rain.csv')}?token=secret`;
  expect(await plumecastHere('plot', address, ...SVG)).toEqual(local);
  server.requests.length = 0;
  expect((await plumecastHere('plot', address, ...RAIN, ...SVG)).out).toContain('<svg');
  expect(server.requests).toEqual(['GET data/rain.csv bytes=0-65536']);
});

it('puts a file at an address into a store from one request for its two variables and its elevation', async () => {
  const columns = 'latitude,longitude,date,member,temp_mean (degC),precipitation (mm),elevation\n';
  const rows = [0, 1].flatMap((member) =>
    Array.from(
      { length: 20 },
      (_, day) => `37.3,-79.84,2026-03-${day < 9 ? '0' : ''}${day + 1},${member},${day},${member},410`,
    ),
  );
  values.set('data/both.csv', Buffer.from(columns + rows.join('\n')));
  const store = ['--store', path('store'), '--quiet'];
  const file = at('data/both.csv');
  const args = ['--seasonal', file, '--variable', 'temp_mean,precipitation', '--elevation', file];
  const run = await plumecastHere('ingest', ...store, ...args, '--init-time', '2026-03-01');
  expect(run).toMatchObject({ code: 0, err: '' });
  expect(run.out).toMatch(/^seasonal +2 /m);
  expect(run.out).toContain('Besides: elevation');
  expect(server.requests).toEqual(['GET data/both.csv bytes=0-65536']);
});

it('names a file by its address, without what may be secret, in notes, errors and inspections', async () => {
  const secret = at('data/rain.nc').replace('//', '//user:pass@');
  const failed = await plumecastHere('stats', `${secret}?token=secret`, '--variable', 'wind_speed');
  expect(failed.err).toBe(
    `error: ${at('data/rain.nc')}: does not hold wind_speed; received "precipitation"; allowed: one of its arrays, by --array\n`,
  );
  const { out } = await plumecastHere('inspect', `${secret}?token=secret`, '--json');
  expect(JSON.parse(out)[0].source).toBe(at('data/rain.nc'));
});

it('sends user and password as a header, and asks for formats that keep numbers', async () => {
  const sent: unknown[] = [];
  server.mischief = ({ headers }) => {
    sent.push([headers.authorization, headers.accept]);
    return false;
  };
  await plumecastHere('inspect', at('data/rain.csv').replace('//', '//us%C3%A9r:p%40ss@'));
  const basic = `Basic ${Buffer.from('us\u00e9r:p@ss').toString('base64')}`;
  expect(sent).toEqual([[basic, 'application/vnd.apache.arrow.stream, text/csv;q=0.9, */*;q=0.8']]);
});

it('says why an address cannot be read', async () => {
  const errors: Record<string, string> = {
    [at('data/none.csv')]:
      `error: ${at('data/none.csv')}: the server does not give it; received "404 Not Found"; allowed: an address that a server answers with 200 and a file, or that of a Zarr store\n`,
    [at('page')]:
      `error: ${at('page')}: gives a page (HTML or XML), not data; allowed: the address of the data themselves, not of a page about them or to log in\n`,
    'ftp://host/rain.zarr':
      'error: ftp://: addresses of this kind are not read; received "ftp://host/rain.zarr"; allowed: https://, http://, s3://BUCKET/KEY, gs://BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY, of a file or of a Zarr store; or a file that was downloaded first\n',
    's3:/bucket/rain.csv':
      'error: address: is not an address; received "s3:/bucket/rain.csv"; allowed: https://, http://, s3://BUCKET/KEY, gs://BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY, of a file or of a Zarr store; or a file that was downloaded first\n',
    'https://a b/':
      'error: address: is not an address; received "https://a b/"; allowed: https://, http://, s3://BUCKET/KEY, gs://BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY, of a file or of a Zarr store; or a file that was downloaded first\n',
    'http://127.0.0.1:65534/rain.csv':
      'error: http://127.0.0.1:65534/rain.csv: cannot be read: ECONNREFUSED; allowed: a server that answers\n',
  };
  for (const [address, err] of Object.entries(errors)) {
    expect(await plumecastHere('plot', address)).toEqual({ code: 1, out: '', err });
  }
});

it('says what to do where a server wants a key', async () => {
  server.mischief = (_, response) => {
    response.writeHead(401).end();
    return true;
  };
  const { code, err } = await plumecastHere('plot', at('v2/forecast?lat=1'));
  expect([code, err]).toEqual([
    1,
    `error: ${at('v2/forecast')}: the server does not give it; received "401 Unauthorized"; allowed: an address that needs no key; or what curl gets with one, on standard input: curl -H "X-Api-Key: ..." ADDRESS | plumecast ... -\n`,
  ]);
});

it('takes an address for a store by its end, or by the metadata below it', async () => {
  values.set('store/.zgroup', Buffer.from('{"zarr_format":2}'));
  const kinds: string[] = [];
  for (const name of ['any.zarr', 'any/', 'store', 'data/rain.csv']) kinds.push((await openAddress(at(name))).kind);
  expect(kinds).toEqual(['store', 'store', 'store', 'file']);
});

it('repeats a request that fails for the moment', async () => {
  let failures = 2;
  server.mischief = (_, response) => {
    if (failures-- === 0) return false;
    response.writeHead(503).end();
    return true;
  };
  expect((await plumecastHere('stats', at('data/rain.csv'), ...WEEKLY)).code).toBe(0);
});

it('rejects a body that is cut, stands still, or is larger than what is free', async () => {
  const whole = values.get('data/rain.csv') as Uint8Array;
  server.mischief = (_, response) => {
    response.writeHead(200, { 'content-length': whole.length });
    response.write(whole.subarray(0, 100), () => setTimeout(() => response.destroy(), 50));
    return true;
  };
  const source = at('data/rain.csv');
  // fetch drops what has come and is not read yet when the connection ends.
  const early = { subject: source, problem: expect.stringMatching(/^ends early, after (0|100) bytes$/) };
  await expect(openInputFile(source)).rejects.toMatchObject(early);

  server.mischief = (_, response) => {
    response.writeHead(200).write(whole.subarray(0, 100));
    return true;
  };
  await expect(collect(await openAddress(source, { pauseMs: 1000 }))).rejects.toMatchObject({
    problem: 'ends early, after 100 bytes: nothing came for too long',
  });
  server.mischief = () => true;
  await expect(openAddress(source, { pauseMs: 50 })).rejects.toMatchObject({
    problem: 'cannot be read: no answer in time',
  });

  server.mischief = undefined;
  const tooLarge = { problem: 'is larger than what is free for temporary files' };
  await expect(collect(await openAddress(source, { maxBytes: 500 }))).rejects.toMatchObject(tooLarge);
  server.mischief = (_, response) => {
    response.writeHead(200, { 'content-length': 1e15 }).write('a');
    return true;
  };
  await expect(openInputFile(source)).rejects.toMatchObject({ ...tooLarge, received: '1000000000000000 bytes' });
});

async function collect(input: Awaited<ReturnType<typeof openAddress>>): Promise<number> {
  let bytes = 0;
  if (input.kind === 'file') for await (const piece of input.pieces()) bytes += piece.length;
  return bytes;
}

it('draws what a service answers with several variables, a panel for each', async () => {
  const { handler } = memoryService();
  for (const [name, query] of [
    ['forecast', ''],
    ['forecast/statistics', '&granularity=weekly'],
  ]) {
    for (const accept of ['text/csv', 'application/vnd.apache.arrow.stream']) {
      const url = `http://service/v2/${name}?lat=37.25&lon=-79.75&var=temp_mean,precipitation${query}`;
      const response = await handler(new Request(url, { headers: { accept, 'x-api-key': KEY } }));
      expect(response.status).toBe(200);
      values.set('answer', new Uint8Array(await response.arrayBuffer()));
      const weekly = query === '' ? ['--granularity', 'weekly'] : [];
      const drawn = await plumecastHere('plot', at('answer'), '--variable', 'temp_mean,precipitation', ...weekly);
      expect([drawn.code, drawn.err]).toEqual([0, '']);
      expect(drawn.out).toMatch(/^temp mean \(.C\), weekly means\n(.*\n)*precipitation \(mm\), weekly sums\n/);
    }
  }
});
