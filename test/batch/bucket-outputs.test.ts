import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimPrefix } from '../../src/batch/bucket-claim.js';
import { findInputs } from '../../src/batch/find-inputs.js';
import { mergeShards } from '../../src/batch/shards/merge-shards.js';
import { S3Bucket } from '../../src/files/remote/s3-bucket.node.js';
import { folderWith } from '../cli/run-command.js';
import { ACCOUNT, type S3Server, startS3 } from '../files/remote/s3-server.js';
import { isFullCheck } from '../full-check.js';
import { startRealServers } from '../service/store/real-s3.js';
import { checksums, type Ended, startBatch } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const OUTPUTS = 12;
const { folder, remove } = folderWith({});
afterAll(remove);
const REQUEST = ['--variable', 'precipitation', '--granularity', 'weekly', '--workers', '1'];
let bucket: S3Server;
/** The files of the same batch in a folder, by name. */
let whole: Record<string, string>;

beforeAll(async () => {
  bucket = await startS3();
  for (let seed = 0; seed < OUTPUTS; seed++)
    put(folder, `runs/${seed % 2 === 0 ? 'even/' : ''}${seed}.arrow`, tableToIPC(rain(seed), 'file'));
  expect(await startBatch(['runs', ...REQUEST, '--out', 'whole'], folder).ended).toMatchObject({ code: 0, err: '' });
  whole = checksums(join(folder, 'whole'));
  mkdirSync(join(folder, 'tmp'));
});
afterAll(() => bucket.stop());
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'eu-west-1' }))
    vi.stubEnv(name, value);
  vi.stubEnv('TMPDIR', join(folder, 'tmp'));
  bucket.objects.clear();
  bucket.rejects = undefined;
});
afterEach(() => vi.unstubAllEnvs());

const OUT = 's3://bucket/some/weeks';
const batch = (...more: string[]) => startBatch(['runs', ...REQUEST, '--out', OUT, ...more], folder).ended;
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const written = () =>
  Object.fromEntries(
    [...bucket.objects]
      .map(([key, { bytes }]) => [key.replace('some/weeks/', ''), hash(bytes)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
const outputs = () => Object.fromEntries(Object.entries(written()).filter(([name]) => !name.startsWith('.')));
const events = ({ out }: Ended) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const planned = (ended: Ended) => events(ended).find(({ event }) => event === 'planned');
const messages = (ended: Ended) => events(ended).flatMap(({ event, message }) => (event === 'failed' ? [message] : []));
const leftBehind = () => readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('plumecast'));

/** Kills a batch after some outputs. */
function killed(after: number, ...more: string[]): Promise<Ended> {
  let finished = 0;
  const running = startBatch(['runs', ...REQUEST, '--out', OUT, ...more], folder, ({ event }) => {
    if (event === 'finished' && ++finished === after) running.kill('SIGKILL');
  });
  return running.ended;
}

describe('a batch to a bucket', () => {
  it('has the bytes of one to a folder, and leaves nothing else there or here', async () => {
    expect(await batch()).toMatchObject({ code: 0, err: '' });
    expect(written()).toEqual(whole);
    expect(leftBehind()).toEqual([]);
    // What is complete stays, as its checksum is beside it.
    const again = await batch('--resume');
    expect(planned(again)).toMatchObject({ kept: OUTPUTS });
    expect(written()).toEqual(whole);
  });

  it('that is killed leaves nothing half-written, and continues on another machine, too', async () => {
    await killed(5);
    for (const [name, checksum] of Object.entries(outputs())) expect([name, checksum]).toEqual([name, whole[name]]);
    // Nothing that is on the disk is needed.
    rmSync(join(folder, 'tmp'), { recursive: true });
    mkdirSync(join(folder, 'tmp'));
    const resumed = await batch('--resume');
    expect(resumed).toMatchObject({ code: 0, err: '' });
    expect(planned(resumed).kept).toBeGreaterThanOrEqual(5);
    expect(written()).toEqual(whole);
  });

  it.runIf(isFullCheck)('removes on the disk what a killed one left there', async () => {
    await killed(3);
    expect(leftBehind().length).toBe(1);
    expect(await batch('--resume')).toMatchObject({ code: 0, err: '' });
    expect(leftBehind()).toEqual([]);
  });

  it.runIf(isFullCheck)(
    'makes outputs again that others replaced, and replaces no object that no batch made',
    async () => {
      expect(await batch()).toMatchObject({ code: 0 });
      const known = bucket.objects.get('some/weeks/1.arrow') as { bytes: Buffer };
      bucket.objects.set('some/weeks/1.arrow', { bytes: known.bytes, tag: '"x"', modified: 0, upload: undefined });
      expect(planned(await batch('--resume'))).toMatchObject({ kept: OUTPUTS - 1 });
      expect(written()).toEqual(whole);
      bucket.objects.clear();
      bucket.objects.set('some/weeks/1.arrow', {
        bytes: Buffer.from('mine'),
        tag: '"x"',
        modified: 0,
        upload: undefined,
      });
      const { code, err } = await batch();
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('s3://bucket/some/weeks/1.arrow: exists, and no batch is known to have made it'),
      ]);
      expect([...bucket.objects.keys()]).toEqual(['some/weeks/1.arrow']);
      expect(await batch('--overwrite')).toMatchObject({ code: 0, err: '' });
      expect(written()).toEqual(whole);
    },
  );

  it.runIf(isFullCheck)('prunes, and takes changed inputs only', async () => {
    put(folder, 'own/a.arrow', tableToIPC(rain(1), 'file'));
    put(folder, 'own/b.arrow', tableToIPC(rain(2), 'file'));
    const own = (...more: string[]) => startBatch(['own', ...REQUEST, '--out', OUT, ...more], folder).ended;
    expect(await own('--changed-only')).toMatchObject({
      code: 1,
      err: expect.stringContaining('s3://bucket/some/weeks: has no manifest.json'),
    });
    expect(await own()).toMatchObject({ code: 0 });
    rmSync(join(folder, 'own/b.arrow'));
    put(folder, 'own/c.arrow', tableToIPC(rain(3), 'file'));
    const listed = await own('--prune', '--dry-run');
    expect(listed.out).toContain('"pruned":"b.arrow"');
    const ended = await own('--changed-only', '--prune');
    expect(events(ended).at(-1)).toMatchObject({ status: 'done', finished: 1, kept: 1, pruned: 1 });
    expect(Object.keys(written())).toEqual(['a.arrow', 'c.arrow', 'manifest.json']);
  });

  it('is the only one that works there', async () => {
    const first = await new Promise<ReturnType<typeof startBatch>>((begun) => {
      const running = startBatch(['runs', ...REQUEST, '--out', OUT], folder, ({ event }) => {
        if (event !== 'planned') return;
        running.kill('SIGSTOP');
        begun(running);
      });
    });
    // As on another machine: nothing of the first one is on this disk.
    mkdirSync(join(folder, 'other'), { recursive: true });
    vi.stubEnv('TMPDIR', join(folder, 'other'));
    const { code, err } = await batch();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: s3:\/\/bucket\/some\/weeks: another batch is running there, process \d+ on /),
    ]);
    first.kill('SIGCONT');
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(written()).toEqual(whole);
  });

  it('says so where the bucket denies it or fails, keeps what is complete, and continues', async () => {
    bucket.rejects = () => [403, 'AccessDenied'];
    const denied = await batch();
    expect([denied.code, denied.err]).toEqual([1, expect.stringMatching(/^error: s3:\/\/bucket\/some\/weeks.*403/)]);
    let arrows = 0;
    bucket.rejects = (key) => {
      if (key.endsWith('.arrow')) arrows++;
      return arrows > 4 ? [403, 'AccessDenied'] : undefined;
    };
    const stopped = await batch('--on-error', 'continue');
    expect(stopped.code).toBe(1);
    expect(messages(stopped)).toEqual([
      expect.stringMatching(
        /^s3:\/\/bucket\/some\/weeks: the folder of the results cannot be written to any more: .*403 AccessDenied/,
      ),
    ]);
    expect(Object.keys(outputs())).toHaveLength(4);
    bucket.rejects = (key) => (key.endsWith('7.arrow') ? [400, 'EntityTooLarge'] : undefined);
    const failed = await batch('--resume', '--on-error', 'continue');
    expect([failed.code, planned(failed).kept]).toEqual([3, 4]);
    expect(messages(failed)).toEqual([
      expect.stringContaining('7.arrow: cannot be written: the server answers 400 EntityTooLarge'),
    ]);
    bucket.rejects = undefined;
    expect(await batch('--resume')).toMatchObject({ code: 0, err: '' });
    expect(written()).toEqual(whole);
  });

  it.runIf(isFullCheck)(
    'ends with one message where the server is gone, and continues when it is there again',
    async () => {
      let stopping: Promise<void> | undefined;
      const running = startBatch(['runs', ...REQUEST, '--out', OUT], folder, ({ event }) => {
        if (event === 'finished') stopping ??= bucket.stop();
      });
      const ended = await running.ended;
      await stopping;
      expect([ended.code, messages(ended)]).toEqual([
        1,
        [
          expect.stringMatching(
            /cannot be written to any more: s3:.* cannot be read: ECONNREFUSED; allowed: a server that answers$/,
          ),
        ],
      ]);
      await bucket.start();
      expect(await batch('--resume')).toMatchObject({ code: 0, err: '' });
      expect(written()).toEqual(whole);
    },
    60_000,
  );

  it.runIf(isFullCheck)('is no input of another one', async () => {
    expect(await batch()).toMatchObject({ code: 0 });
    const bytes = readFileSync(join(folder, 'runs/1.arrow'));
    bucket.objects.set('some/in.arrow', { bytes, tag: '"in"', modified: 0, upload: undefined });
    const throwing = (error: Error) => {
      throw error;
    };
    expect(await findInputs(['s3://bucket/some/'], throwing)).toEqual([
      { path: 's3://bucket/some/in.arrow', name: 'in', ending: 'arrow' },
    ]);
  });

  it.each([
    [
      ['--out', 'gs://bucket/weeks'],
      /gs:\/\/bucket\/weeks: is an address that outputs are not written to; allowed: the path of a folder, or s3:\/\/BUCKET\/PREFIX/,
    ],
    [['--format', 'zarr'], /--out: is an address, and a Zarr store is written to a folder/],
    [
      ['--name', '{input}/year={year}/part'],
      /--out: is an address, and a folder with a file for each year is written to a folder/,
    ],
    [['--shard', '1/2'], /--out: is an address, and shards share a folder/],
  ])('is rejected in words where it cannot be: %s', async (more, message) => {
    const own = more[0] === '--out' ? more : ['--out', OUT, ...more];
    const { code, err } = await startBatch(['runs', ...REQUEST, ...own], folder).ended;
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
    expect(bucket.objects.size).toBe(0);
    await expect(mergeShards(OUT)).rejects.toThrow('out: is an address, and shards share a folder');
    expect(existsSync(join(folder, 's3:'))).toBe(false);
  });
});

describe('the claim of a batch in a bucket', () => {
  const KEY = '.plumecast-batch/claim';
  const put = (text: string, ageSeconds: number) =>
    bucket.objects.set(KEY, {
      ...{ bytes: Buffer.from(text), tag: `"${hash(Buffer.from(text))}"`, upload: undefined },
      modified: Date.now() - ageSeconds * 1000,
    });
  const elsewhere = (count: number) => `12 other-machine 5 boot namespace token ${count}`;
  const claim = () => claimPrefix(new S3Bucket('bucket', ''), KEY, { subject: 'weeks', problem: 'is used by' });

  it('of another machine is valid while it is renewed, and over when it is not', async () => {
    put(elsewhere(1), 0);
    const taking = claim();
    setTimeout(() => put(elsewhere(2), 0), 500);
    await expect(taking).rejects.toThrow('weeks: is used by process 12 on other-machine');
    put(elsewhere(3), 60);
    const held = await claim();
    await held.assertHeld();
    await held.renew();
    await expect(claim()).rejects.toThrow(`weeks: is used by process ${process.pid}`);
    put(elsewhere(4), 0);
    await expect(held.renew()).rejects.toThrow('was taken over by another process');
    await held.release();
    expect(bucket.objects.get(KEY)?.bytes.toString()).toBe(elsewhere(4));
  });
});

const servers = await startRealServers();
afterAll(() => Promise.all(servers.map((server) => server.end())));

describe.each(servers)('a batch to a bucket of $name', ({ url }) => {
  it('that is killed continues with the same bytes', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', url);
    await killed(4);
    const resumed = await batch('--resume');
    expect(resumed).toMatchObject({ code: 0, err: '' });
    expect(planned(resumed).kept).toBeGreaterThanOrEqual(4);
    const own = new S3Bucket('bucket', 'some/weeks/');
    const listed = (await own.list('')).map(({ key }) => key);
    expect(listed).toEqual(Object.keys(whole).sort());
    for (const key of listed) {
      const answer = await own.stateOf(key);
      if (key !== 'manifest.json') expect(answer?.sha256).toBe(whole[key]);
    }
    expect((await own.read('manifest.json'))?.text).toBe(readFileSync(join(folder, 'whole/manifest.json'), 'utf8'));
  });
});
