import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBatch } from 'plumecast/batch';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { icechunkFormats, runScript } from '../files/icechunk/icechunk-pythons.js';
import { ACCOUNT, type S3Server, startS3 } from '../files/remote/s3-server.js';
import { serveFolder } from '../files/zarr/http-server.js';
import { plumecastHere } from './run-here.js';

const WRITER = fileURLToPath(new URL('write-virtual.py', import.meta.url));
const cases = icechunkFormats();
if (cases.length === 0) it.skip('virtual chunks of commands: there is no Python with icechunk', () => {});

describe.each(cases)('virtual chunks of format $format by icechunk $version', ({ program, format }) => {
  let folder: string;
  let bucket: S3Server;
  /** The values that the script writes: (3 day + member) / 2 + 1. */
  const means = [0, 1, 2, 3].map((day) => (3 * day + 1) / 2 + 1);
  const stats = async (input: string, ...more: string[]) => {
    const { code, out, err } = await plumecastHere(
      'stats',
      input,
      '--variable',
      'temp_mean',
      '--format',
      'csv',
      ...more,
    );
    const [head, ...rows] = out.trim().split('\n');
    const mean = head.split(',').indexOf('mean');
    return { code, err, means: code === 0 ? rows.map((row) => Number(row.split(',')[mean])) : [] };
  };
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumecast-virtual-')));
    runScript(program, WRITER, [folder, String(format)]);
    bucket = await startS3();
    const bytes = readFileSync(join(folder, 'beside/values.bin'));
    bucket.objects.set('grib/values.bin', { bytes, tag: '"v"', modified: Date.now(), upload: undefined });
  });
  afterAll(async () => {
    await bucket.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'eu-west-1' }))
      vi.stubEnv(name, value);
  });
  afterEach(() => vi.unstubAllEnvs());

  it('are read below the folders that --virtual-chunks names, and nowhere else', async () => {
    const local = join(folder, 'local');
    const beside = join(folder, 'beside');
    for (const input of [local, `icechunk:${local}`])
      expect(await stats(input, '--virtual-chunks', beside)).toEqual({ code: 0, err: '', means });
    expect(await stats(local, '--virtual-chunks', `/elsewhere,file://${beside}`)).toMatchObject({
      means,
    });
    const outside = `lies in an object outside of what may be read; received "${beside}/values.bin"; allowed: objects below ${local}/`;
    for (const more of [[], ['--virtual-chunks', `${beside}x,${folder}/besid`]]) {
      const { code, err } = await stats(local, ...more);
      expect([code, err]).toEqual([1, expect.stringContaining(outside)]);
      expect(err).toContain('others by --virtual-chunks');
    }
    expect((await stats(local, '--virtual-chunks', 'beside')).err).toMatch(
      /^error: --virtual-chunks: .*"beside"; allowed: an address without a query, or the absolute path of a folder/,
    );
  });

  it('are read in buckets, of a repository at an address, too', async () => {
    const local = join(folder, 'bucket');
    expect(await stats(local, '--virtual-chunks', 's3://bucket/grib')).toEqual({ code: 0, err: '', means });
    await using server = await serveFolder(local);
    expect(await stats(`icechunk:${server.url}`, '--virtual-chunks', 's3://bucket/')).toEqual({
      code: 0,
      err: '',
      means,
    });
    expect((await stats(local, '--virtual-chunks', 's3://bucket/other')).err).toMatch(
      /outside of what may be read; received "s3:\/\/bucket\/grib\/values.bin"; allowed: objects below .*s3:\/\/bucket\/other\/; others by --virtual-chunks/,
    );
    expect((await stats(local, '--virtual-chunks', 's3://bucket/%zz')).err).toMatch(/^error: --virtual-chunks: /);
    // What the reader may not read, he does not get by a reference.
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    expect((await stats(local, '--virtual-chunks', 's3://bucket/grib')).code).toBe(1);
  });

  it('are read by the threads of a batch', async () => {
    const plan = { inputs: [join(folder, 'local')], out: join(folder, 'out'), variables: ['temp_mean'], format: 'csv' };
    const request = { ...plan, name: 'all', workers: 1 } as const;
    const allowed = await runBatch({ ...request, virtualChunks: [join(folder, 'beside')] });
    expect(allowed).toMatchObject({ status: 'done', failed: [] });
    expect(readFileSync(join(folder, 'out/all.csv'), 'utf8').trim().split('\n')).toHaveLength(5);
    const { failed } = await runBatch(request);
    expect(failed).toMatchObject([{ error: expect.stringContaining('outside of what may be read') }]);
  });

  it('are an error of the option for files that refer to nothing', async () => {
    const { err } = await stats(join(folder, 'beside/values.bin'), '--virtual-chunks', '/data');
    expect(err).toMatch(/^error: /);
    const demo = join(folder, 'demo.csv');
    await plumecastHere('demo', 'temp_mean', '--out', demo);
    expect((await stats(demo, '--virtual-chunks', '/data')).err).toContain(
      'is for repositories of Icechunk and references',
    );
  });
});
