import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ObjectServer, serveObjects } from '../files/remote/object-server.js';
import { isFullCheck } from '../full-check.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { plumecastHere } from './run-here.js';

const DAY = 86_400_000;

describe.skipIf(!hasPython('eccodes', 'numpy'))('names of archives', () => {
  const run = new Date(Math.floor(Date.now() / DAY) * DAY).toISOString().slice(0, 13);
  const objects = new Map<string, Uint8Array>();
  let server: ObjectServer;
  let folder: string;
  const path = (name: string) => join(folder, name);
  const of = () => ['--run', run, '--lead-hours', '72', '--mirror', `${server.url}/mirror`];

  beforeAll(async () => {
    server = await serveObjects(objects);
    folder = mkdtempSync(join(tmpdir(), 'plumecast-everywhere-'));
    const args = [path('mirror'), 'ecmwf:aifs-ens', run.replace(/\D/g, ''), '72'];
    pythonFile(resolve(import.meta.dirname, '../files/archives/write_mirror.py'), args);
    for (const name of readdirSync(path('mirror'), { recursive: true }) as string[]) {
      const file = join(path('mirror'), name);
      if (statSync(file).isFile()) objects.set(`mirror/${relative(path('mirror'), file)}`, readFileSync(file));
    }
    const fetched = ['fetch', 'ecmwf:aifs-ens', ...of(), '--variable', 'temp_mean,precipitation', '--quiet'];
    await plumecastHere(...fetched, '--out', path('aifs.grib2'));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => server.reset());

  it('stand for their run in blend and climatology, each message requested once', async () => {
    for (const args of [
      ['blend', 'INPUT', '--variable', 'temp_mean', '--at', '55,10', '--pair-by', 'temp_mean,precipitation'],
      [
        'climatology',
        'INPUT',
        '--variable',
        'temp_mean',
        '--granularity',
        'daily',
        '--point',
        '55,10',
        '--reference',
        '2026-2026',
      ],
    ]) {
      server.reset();
      const with_ = (input: string) => args.map((each) => (each === 'INPUT' ? input : each));
      const local = await plumecastHere(...with_(path('aifs.grib2')), '--quiet');
      const remote = await plumecastHere(...with_('ecmwf:aifs-ens'), ...of(), '--quiet');
      expect(remote).toEqual({ ...local, err: local.err.replaceAll(path('aifs.grib2'), 'ecmwf:aifs-ens') });
      const ranges = server.requests.filter((request) => !request.endsWith(' all'));
      expect(new Set(ranges).size).toBe(ranges.length);
    }
  });

  if (isFullCheck) {
    it('are put into a store by ingest', async () => {
      const args = ['--variable', 'temp_mean,precipitation', '--quiet'];
      const remote = await plumecastHere(
        'ingest',
        '--store',
        path('store'),
        '--short-term',
        'ecmwf:aifs-ens',
        ...of(),
        ...args,
      );
      expect([remote.code, remote.err]).toEqual([0, '']);
      const local = await plumecastHere(
        'ingest',
        '--store',
        path('other'),
        '--short-term',
        path('aifs.grib2'),
        ...args,
      );
      expect(remote.out.split('\n').slice(2, 6)).toEqual(local.out.split('\n').slice(2, 6));
      const ranges = server.requests.filter((request) => !request.endsWith(' all'));
      expect(new Set(ranges).size).toBe(ranges.length);
    });
  }
});
