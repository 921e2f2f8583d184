import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ObjectServer, serveObjects } from '../../files/remote/object-server.js';
import { ACCOUNT, startS3 } from '../../files/remote/s3-server.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { plumecastHere } from '../run-here.js';

const DAY = 86_400_000;

describe.skipIf(!hasPython('eccodes', 'numpy'))('plumecast fetch', () => {
  let mirror: string;
  let folder: string;
  let server: ObjectServer;
  const objects = new Map<string, Uint8Array>();
  const run = new Date(Math.floor(Date.now() / DAY) * DAY).toISOString().slice(0, 13);
  const digits = run.replace(/\D/g, '');
  const AIFS = () => ['ecmwf:aifs-ens', '--run', run, '--lead-hours', '48', '--mirror', `${server.url}/mirror`];
  const path = (name: string) => join(folder, name);

  beforeAll(async () => {
    server = await serveObjects(objects);
    mirror = mkdtempSync(join(tmpdir(), 'plumecast-mirror-'));
    folder = mkdtempSync(join(tmpdir(), 'plumecast-fetch-'));
    pythonFile(resolve(import.meta.dirname, '../../files/archives/write_mirror.py'), [
      mirror,
      'ecmwf:aifs-ens',
      digits,
      '48',
    ]);
    for (const name of readdirSync(mirror, { recursive: true }) as string[]) {
      const file = join(mirror, name);
      if (statSync(file).isFile()) objects.set(`mirror/${relative(mirror, file)}`, readFileSync(file));
    }
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    for (const each of [mirror, folder]) rmSync(each, { recursive: true });
  });
  beforeEach(() => {
    server.fault = undefined;
    server.reset();
  });

  it('writes a file that is read as the archive is', async () => {
    const variable = ['--variable', 'temp_mean'];
    const point = ['--point', '55,10', '--quiet'];
    const direct = await plumecastHere('stats', ...AIFS(), ...variable, ...point);
    expect(direct.out).toContain('temp_mean,degC,55,10,');
    for (const name of ['aifs.nc', 'aifs.grib2', 'aifs.parquet']) {
      const { code, err } = await plumecastHere('fetch', ...AIFS(), ...variable, '--out', path(name));
      expect([code, err]).toEqual([0, expect.stringContaining(`is in ${path(name)}\n`)]);
      const copy = await plumecastHere('stats', path(name), ...variable, ...point);
      // A file of NetCDF or Parquet has 32 bits of the days; the messages are the same.
      if (name === 'aifs.grib2') expect(copy.out).toBe(direct.out);
      else expect(copy.out.split('\n')).toHaveLength(direct.out.split('\n').length);
      expect(existsSync(`${path(name)}.parts`)).toBe(false);
    }
  });

  it('goes on where it was stopped', async () => {
    const args = ['fetch', ...AIFS(), '--variable', 'temp_mean,precipitation', '--out', path('both.grib2')];
    let left = 6;
    server.fault = ({ headers }, response) => {
      if (headers.range === undefined || left-- > 0) return false;
      response.writeHead(403).end();
      return true;
    };
    const stopped = await plumecastHere(...args);
    expect([stopped.code, existsSync(path('both.grib2'))]).toEqual([1, false]);
    expect(stopped.err).toMatch(/the server does not give a part of it; received "403/);
    const [kept] = readdirSync(`${path('both.grib2')}.parts`);
    const before = readdirSync(join(`${path('both.grib2')}.parts`, kept));
    expect(before.length).toBeGreaterThan(0);
    // What was damaged meanwhile is requested again.
    writeFileSync(join(`${path('both.grib2')}.parts`, kept, before[0]), 'GRIB');
    server.fault = undefined;
    server.reset();
    const { code, err } = await plumecastHere(...args);
    expect(code).toBe(0);
    const [, known, all] = /(\d+) of (\d+) requests were made before/.exec(err) ?? [];
    expect(Number(known)).toBe(before.length - 1);
    expect(server.requests.filter((request) => !request.endsWith(' all'))).toHaveLength(Number(all) - Number(known));
    expect(existsSync(`${path('both.grib2')}.parts`)).toBe(false);
    const whole = await plumecastHere('inspect', path('both.grib2'), '--json');
    expect(
      JSON.parse(whole.out)[0]
        .variables.map(({ variable }: { variable: string }) => variable)
        .sort(),
    ).toEqual(['precipitation', 'temp_mean']);
  });

  it('puts a run into a horizon of a store', async () => {
    const store = path('store');
    const args = ['--variable', 'temp_mean,precipitation', '--store', store, '--horizon', 'short-term', '--quiet'];
    const { code, err, out } = await plumecastHere('fetch', ...AIFS(), ...args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^short-term +2 /m);
    expect(existsSync(`${store}.parts`)).toBe(false);
  });

  it('puts a run into a bucket: as a file, and into a store', async () => {
    const bucket = await startS3();
    for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: bucket.url, AWS_REGION: 'eu-west-1' }))
      vi.stubEnv(name, value);
    try {
      const args = ['fetch', ...AIFS(), '--variable', 'temp_mean', '--quiet'];
      expect(await plumecastHere(...args, '--out', path('here.nc'))).toMatchObject({ code: 0 });
      expect(await plumecastHere(...args, '--out', 's3://bucket/there.nc')).toMatchObject({ code: 0, err: '' });
      expect(bucket.objects.get('there.nc')?.bytes.equals(readFileSync(path('here.nc')))).toBe(true);
      const { code, out, err } = await plumecastHere(...args, '--store', 's3://bucket/weather');
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(/^short-term +1 /m);
    } finally {
      vi.unstubAllEnvs();
      await bucket.stop();
    }
  });

  it('is rejected in words where a request cannot be met', async () => {
    const fetch = async (...args: string[]) => (await plumecastHere('fetch', ...args)).err;
    expect(await fetch(...AIFS(), '--variable', 'temp_mean')).toMatch(/give --out FILE or --store DIR/);
    expect(await fetch(...AIFS(), '--variable', 'temp_mean,precipitation', '--out', path('a.nc'))).toMatch(
      /a file of this format has one variable/,
    );
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--out', path('a.nc'), '--horizon', 'seasonal')).toMatch(
      /needs --store/,
    );
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--out', path('none/a.nc'))).toMatch(
      /no such file or folder/,
    );
    expect(await fetch(...AIFS(), '--variable', 'temp_men', '--out', path('a.nc'))).toMatch(/nearest is temp_mean/);
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--store', 'gs://bucket/a')).toMatch(/is an address/);
    expect(await fetch('nasa:power', '--variable', 'temp_mean', '--out', path('a.nc'))).toMatch(
      /archive: is not known/,
    );
  });

  it('inspect shows runs, members, steps, and what fields cost, without a message', async () => {
    const { code, out } = await plumecastHere('inspect', ...AIFS(), '--json');
    expect(code).toBe(0);
    const [found] = JSON.parse(out);
    expect(found).toMatchObject({
      ...{ source: 'ecmwf:aifs-ens', members: 51, runs: [{ run: `${run.replace('T', ' ')} UTC`, isComplete: true }] },
      indexes: { requests: 18 },
    });
    const messages = (name: string) => found.fields.find(({ field }: { field: string }) => field === name).messages;
    expect([messages('2t'), messages('tp')]).toEqual([9 * 51, 8 * 51]);
    expect(server.requests.every((request) => request.includes('.index '))).toBe(true);
    const text = await plumecastHere('inspect', ...AIFS());
    expect(text.out).toMatch(/^ecmwf:aifs-ens: ECMWF ensemble.*\n {2}mirror +http.*\n/);
    expect(text.out).toMatch(/2t \(temp_mean\): 459 messages/);
  });
});
