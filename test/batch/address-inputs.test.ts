import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findInputs } from '../../src/batch/find-inputs.js';
import { readFileState } from '../../src/batch/fingerprint.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTables } from '../../src/files/index.js';
import { parseDate } from '../../src/period/day.js';
import { plumecastHere } from '../cli/run-here.js';
import { type ObjectServer, serveObjects, tagOf } from '../files/remote/object-server.js';
import { ACCOUNT, type S3Server, startS3 } from '../files/remote/s3-server.js';
import { casesOf } from '../full-check.js';
import { startBatch } from './batch-process.js';

const throwing = (error: Error) => {
  throw error;
};

/** A forecast of another date is another one. */
async function forecast(date: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeTables([demoTable('temp_mean', { initDate: parseDate(date), days: 15 })], 'parquet'))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Days of two members at four places, as CSV. */
function gridded(date: string): string {
  const days = Array.from({ length: 14 }, (_, i) => new Date(Date.parse(date) + i * 86_400_000));
  const rows = [50, 51].flatMap((latitude) =>
    [7, 8].flatMap((longitude) =>
      days.map((day, i) =>
        [latitude, longitude, day.toISOString().slice(0, 10), (i + latitude) / 4, (i + longitude) / 4, 'degC'].join(),
      ),
    ),
  );
  return ['latitude,longitude,date,member00,member01,units', ...rows].join('\n');
}

describe('inputs of batches at addresses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-addresses-'));
  const path = (name: string) => join(folder, name);
  let bucket: S3Server;
  const put = (key: string, bytes: Buffer) =>
    bucket.objects.set(key, {
      bytes,
      tag: tagOf(bytes),
      modified: Date.now(),
      upload: undefined,
    });
  const batch = (inputs: readonly string[], out: string, ...more: string[]) => {
    const request = ['--variable', 'temp_mean', '--granularity', 'weekly', '--out', path(out)];
    return startBatch([...inputs, ...request, '--workers', '1', ...more], folder).ended;
  };
  const results = (out: string) =>
    readdirSync(path(out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.arrow'))
      .map((entry) => join(entry.parentPath, entry.name).slice(path(out).length + 1))
      .sort();

  beforeAll(async () => {
    bucket = await startS3();
    mkdirSync(path('local/runs/old'), { recursive: true });
    for (const [name, date] of [
      ['a', '2026-03-02'],
      ['b', '2026-03-03'],
      ['old/c', '2026-03-04'],
    ]) {
      const bytes = await forecast(date);
      put(`gefs/runs/${name}.parquet`, bytes);
      writeFileSync(path(`local/runs/${name}.parquet`), bytes);
    }
    put('gefs/runs/readme.txt', Buffer.from('no data'));
  });
  afterAll(async () => {
    await bucket.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'eu-west-1' }))
      vi.stubEnv(name, value);
    bucket.requests.length = 0;
  });
  afterEach(() => vi.unstubAllEnvs());

  it('are files, what a glob matches in a bucket, and the data files below a prefix', async () => {
    const named = async (...given: string[]) =>
      (await findInputs(given, throwing)).map(({ path: address, name, ending }) => [address, name, ending]);
    const file = (name: string) => [`s3://bucket/gefs/runs/${name}.parquet`, name, 'parquet'];
    expect(await named('s3://bucket/gefs/runs/')).toEqual([file('a'), file('b'), file('old/c')]);
    expect(await named('s3://bucket/gefs/runs/*.parquet')).toEqual([file('a'), file('b')]);
    expect(await named('s3://bucket/gefs/*/a.*', 's3://bucket/gefs/runs/a.parquet')).toEqual([
      ['s3://bucket/gefs/runs/a.parquet', 'runs/a', 'parquet'],
    ]);
    expect(await named('https://example.org/gefs/run.nc')).toEqual([['https://example.org/gefs/run.nc', 'run', 'nc']]);
  });

  it('have the results of the same files on the disk, to the last bit', async () => {
    const remote = await batch(['s3://bucket/gefs/runs/'], 'remote', '--quiet');
    expect([remote.code, remote.err]).toEqual([0, '']);
    const local = await batch([path('local/runs')], 'local-results', '--quiet');
    expect(local.code).toBe(0);
    expect(results('remote')).toEqual(results('local-results'));
    expect(results('remote')).toHaveLength(3);
    for (const name of results('remote'))
      expect(readFileSync(join(path('remote'), name)).equals(readFileSync(join(path('local-results'), name)))).toBe(
        true,
      );
    const manifest = JSON.parse(readFileSync(join(path('remote'), 'manifest.json'), 'utf8'));
    expect(manifest.inputs.map((input: { path: string }) => input.path)).toContain('s3://bucket/gefs/runs/a.parquet');
  });

  it('are read again only where their version is another one', async () => {
    const given = ['s3://bucket/gefs/runs/*.parquet'];
    expect((await batch(given, 'changed', '--quiet')).code).toBe(0);
    bucket.requests.length = 0;
    const again = await batch(given, 'changed', '--changed-only');
    expect(again.code).toBe(0);
    // Two bytes of each, and the listing: no values.
    expect(
      bucket.requests.filter((request) => !request.includes('bytes=0-0') && !request.includes('list-type')),
    ).toEqual([]);
    put('gefs/runs/b.parquet', await forecast('2026-04-06'));
    bucket.requests.length = 0;
    const changed = await batch(given, 'changed', '--changed-only');
    expect(changed.code).toBe(0);
    const read = bucket.requests.filter((request) => request.includes('.parquet') && !request.includes('bytes=0-0'));
    expect(read.length).toBeGreaterThan(0);
    expect(read.every((request) => request.includes('b.parquet'))).toBe(true);
    const fresh = await batch(given, 'fresh', '--quiet');
    expect(fresh.code).toBe(0);
    for (const name of results('fresh'))
      expect(readFileSync(join(path('changed'), name)).equals(readFileSync(join(path('fresh'), name)))).toBe(true);
    put('gefs/runs/b.parquet', readFileSync(path('local/runs/b.parquet')));
  });

  it('are Zarr stores, of which metadata and coordinates tell whether they changed, in a bucket all objects', async () => {
    mkdirSync(path('stores'));
    for (const [name, date] of [
      ['one', '2026-03-02'],
      ['two', '2026-03-03'],
    ]) {
      writeFileSync(path(`${name}.csv`), gridded(date));
      const to = ['--variable', 'temp_mean', '--quiet'];
      const converted = await plumecastHere('convert', path(`${name}.csv`), path(`stores/${name}.zarr`), ...to);
      expect(converted).toMatchObject({ code: 0, err: '' });
    }
    const objects = new Map<string, Buffer>();
    for (const entry of readdirSync(path('stores'), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) objects.set(relative(path('.'), file), readFileSync(file));
    }
    for (const [key, bytes] of objects) put(key, bytes);
    await using server = await serveObjects(objects);
    const local = await batch([path('stores')], 'of-folders', '--quiet');
    expect([local.code, results('of-folders')]).toEqual([0, ['one.arrow', 'two.arrow']]);
    const given = {
      'of-servers': ['one', 'two'].map((name) => `${server.url}/stores/${name}.zarr`),
      'of-buckets': ['s3://bucket/stores/'],
      'of-globs': ['s3://bucket/stores/*.zarr'],
    };
    const ended = async (inputs: readonly string[], out: string) => {
      const { code, out: events } = await batch(inputs, out, '--changed-only', '--quiet');
      return [code, JSON.parse(events.trim().split('\n').at(-1) as string).kept];
    };
    for (const [out, inputs] of casesOf(Object.entries(given), [0, 1])) {
      const { code, err } = await batch(inputs, out, '--quiet');
      expect([out, code, err]).toEqual([out, 0, '']);
      expect(results(out)).toEqual(results('of-folders'));
      for (const name of results(out))
        expect(readFileSync(join(path(out), name)).equals(readFileSync(join(path('of-folders'), name)))).toBe(true);
      expect(await ended(inputs, out)).toEqual([0, 2]);
    }
    // Of a day later: another coordinate.
    for (const key of [...objects.keys()].filter((name) => name.includes('one.zarr')))
      objects.set(key, objects.get(key.replace('one', 'two')) as Buffer);
    expect(await ended(given['of-servers'], 'of-servers')).toEqual([0, 1]);
    const chunk = [...objects.keys()].find((name) => /two\.zarr\/.*\/c\//.test(name)) as string;
    put(chunk, Buffer.concat([objects.get(chunk) as Buffer]));
    expect(await ended(given['of-buckets'], 'of-buckets')).toEqual([0, 2]);
    put('stores/one.zarr/extra', Buffer.from('more'));
    expect(await ended(given['of-buckets'], 'of-buckets')).toEqual([0, 1]);
  });

  it('do not lose their results where a server does not answer', async () => {
    const given = ['s3://bucket/gefs/runs/*.parquet'];
    expect((await batch(given, 'kept', '--quiet')).code).toBe(0);
    const before = results('kept');
    const pruned = await batch(['s3://bucket/gefs/runs/a.parquet'], 'kept', '--changed-only', '--prune', '--quiet');
    expect(pruned.code).toBe(0);
    expect(results('kept')).toEqual(before);
  });

  it('have a size and a version of servers that state no time, and are read where these state neither', async () => {
    const objects = new Map([['a.parquet', new Uint8Array(readFileSync(path('local/runs/a.parquet')))]]);
    await using server: ObjectServer = await serveObjects(objects);
    const address = `${server.url}/a.parquet`;
    const bytes = objects.get('a.parquet')?.length;
    const state = await readFileState(address);
    expect(state).toMatchObject({ bytes, modified: expect.stringMatching(/^"[0-9a-f]{40}"$/) });
    server.modified = new Date('2026-03-02T12:00:00Z');
    expect(await readFileState(address)).toMatchObject({
      bytes,
      modified: expect.stringMatching(/^2026-03-02T12:00:00.000Z "/),
    });
    const { code, err } = await batch([address], 'by-address', '--quiet');
    expect([code, err]).toEqual([0, '']);
    server.fault = (request, response) => {
      if (request.headers.range !== undefined) return false;
      response.writeHead(200, { 'content-length': String(bytes) }).end(objects.get('a.parquet'));
      return true;
    };
    const plain = await batch([address], 'by-address-again', '--quiet');
    expect([plain.code, plain.err]).toEqual([0, '']);
  });

  it('are rejected in words where they cannot be read, or would stand with a secret in the manifest', async () => {
    const failed = async (...given: string[]) => {
      const request = ['--variable', 'temp_mean', '--granularity', 'weekly', '--out', path('failed')];
      const { code, err, out } = await plumecastHere('batch', ...given, ...request, '--json');
      expect(code).toBe(1);
      return err + out;
    };
    expect(await failed('s3://bucket/none/')).toMatch(
      /s3:\/\/bucket\/none\/: holds no object with the ending of a data file/,
    );
    expect(await failed('s3://bucket/gefs/*.nc')).toMatch(/no object matches this pattern/);
    expect(await failed('s3://other/gefs/')).toMatch(/s3:\/\/other.*cannot be listed: the server answers 404/);
    expect(await failed('https://example.org/runs/*.nc')).toMatch(
      /cannot be listed; allowed: the addresses of files; or a pattern in a bucket/,
    );
    expect(await failed('https://example.org/a.nc?token=secret')).toMatch(
      /^error: https:\/\/example.org\/a.nc: has a query, which would/,
    );
    expect(await failed('https://me:secret@example.org/a.nc')).toMatch(
      /^error: https:\/\/example.org\/a.nc: has a password/,
    );
    expect(await failed('s3://bucket/gefs/none.parquet')).toMatch(/the server does not give it; received \\?"404/);
    const joined = await batch(['s3://bucket/gefs/runs/*.parquet'], 'failed', '--join', '{member}.parquet');
    expect([joined.code, joined.err + joined.out]).toEqual([
      1,
      expect.stringMatching(/tables at web addresses are not joined/),
    ]);
    for (const address of ['https://[bad', 'http://', 'ftp://example.org/a.nc'])
      await expect(findInputs([address], throwing)).rejects.toMatchObject({ tag: 'file' });
    await expect(findInputs(['https://me:secret@[bad?key=secret'], throwing)).rejects.toMatchObject({
      received: 'https://[bad',
    });
  });
});
