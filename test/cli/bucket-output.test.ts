import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeToBucket } from '../../src/cli/bucket-output.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTables } from '../../src/files/index.js';
import { ACCOUNT, type S3Server, startS3 } from '../files/remote/s3-server.js';
import { plumecastHere } from './run-here.js';

describe('outputs in a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-outputs-'));
  const path = (name: string) => join(folder, name);
  let bucket: S3Server;
  const object = (key: string) => bucket.objects.get(key)?.bytes;
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));

  beforeAll(async () => {
    bucket = await startS3();
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeTables([demoTable('temp_mean', { days: 20 })], 'parquet')) pieces.push(piece);
    writeFileSync(path('temp.parquet'), Buffer.concat(pieces));
  });
  afterAll(async () => {
    await bucket.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'eu-west-1' }))
      vi.stubEnv(name, value);
  });
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['stats', 'weeks.csv', ['--granularity', 'weekly']],
    ['stats', 'weeks.parquet', ['--granularity', 'weekly']],
    ['stats', 'weeks.json', ['--granularity', 'weekly']],
    ['convert', 'days.nc', ['--variable', 'temp_mean']],
    ['convert', 'days.arrow', []],
    ['climatology', 'normal.arrow', ['--granularity', 'weekly', '--reference', '2026-2026']],
    ['plot', 'plume.svg', ['--granularity', 'daily']],
  ])('of %s have the bytes of a file: %s', async (command, name, more) => {
    const input = path('temp.parquet');
    const write = (out: string) =>
      command === 'convert'
        ? plumecastHere(command, input, out, ...more, '--quiet')
        : plumecastHere(command, input, '--out', out, ...more, '--quiet');
    expect(await write(path(name))).toMatchObject({ code: 0, err: '' });
    // What was there before is replaced.
    bucket.objects.set(`out/${name}`, { bytes: Buffer.from('old'), tag: '"old"', modified: 0, upload: undefined });
    expect(await write(`s3://bucket/out/${name}`)).toMatchObject({ code: 0, err: '' });
    expect(object(`out/${name}`)?.equals(readFileSync(path(name)))).toBe(true);
    expect(left()).toEqual([]);
  });

  it('come in parts where they are large, whole or not at all', async () => {
    async function* pieces(fails: boolean) {
      for (let i = 0; i < 20; i++) yield Buffer.alloc(1_000_000 + i, i);
      if (fails) throw new Error('the source broke');
    }
    await writeToBucket('s3://bucket/large.bin', pieces(false));
    const expected = Buffer.concat(Array.from({ length: 20 }, (_, i) => Buffer.alloc(1_000_000 + i, i)));
    expect(object('large.bin')?.equals(expected)).toBe(true);
    await expect(writeToBucket('s3://bucket/large.bin', pieces(true))).rejects.toThrow('the source broke');
    expect(object('large.bin')?.equals(expected)).toBe(true);
    await expect(writeToBucket('s3://bucket/none.bin', pieces(true))).rejects.toThrow('the source broke');
    expect(object('none.bin')).toBeUndefined();
    // An answer that is lost is looked up.
    bucket.losesAnswer = true;
    await writeToBucket('s3://bucket/lost.bin', [Buffer.from('here')]);
    expect(object('lost.bin')?.toString()).toBe('here');
  });

  it('are rejected in words before anything is read', async () => {
    const failed = async (out: string, ...more: string[]) => {
      const { code, err } = await plumecastHere('convert', path('none.parquet'), out, ...more);
      expect(code).toBe(1);
      return err;
    };
    const ofFolder = /^error: s3:\/\/bucket\/a\.zarr: is an address, and a Zarr store is written to a folder/;
    expect(await failed('s3://bucket/a.zarr')).toMatch(ofFolder);
    expect(await failed('s3://bucket/{variable}.parquet')).toMatch(
      /output that becomes several files is written to a folder/,
    );
    expect(await failed('s3://bucket/out/', '--to', 'csv')).toMatch(
      /outputs are not written to; allowed: .*s3:\/\/BUCKET\/KEY/,
    );
    expect(await failed('gs://bucket/a.csv')).toMatch(/outputs are not written to/);
    expect(await failed('https://me:secret@example.org/a.csv?token=1')).toMatch(
      /^error: https:\/\/example.org\/a.csv: is an address/,
    );
    bucket.objects.set('in.parquet', {
      ...{ bytes: readFileSync(path('temp.parquet')), tag: '"in"', modified: 0, upload: undefined },
    });
    const own = await plumecastHere('convert', 's3://bucket/in.parquet', 's3://bucket/in.parquet');
    expect([own.code, own.err]).toEqual([1, expect.stringContaining('is also an input')]);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    expect(await failed('s3://bucket/a.csv')).toMatch(/s3:\/\/bucket\/a.csv: cannot be read: the server answers 403/);
    expect(existsSync(path('a.csv'))).toBe(false);
  });
});
