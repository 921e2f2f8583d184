import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { icechunkPythons, jsonOfScript } from '../../files/icechunk/icechunk-pythons.js';
import { serveFolder, serveValues, type TestServer } from '../../files/zarr/http-server.js';
import { plumecastHere } from '../run-here.js';

const [python] = icechunkPythons('pandas').slice(-1);
const script = resolve(import.meta.dirname, '../../files/archives/write_dynamical.py');
const CLI = resolve(import.meta.dirname, '../../../dist/cli.js');
const BOX = '59.4,5.4,59.6,5.6';

describe.skipIf(python === undefined)('plumecast fetch of an archive that is a store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-fetch-store-'));
  const path = (name: string) => join(folder, name);
  let server: TestServer;

  beforeAll(async () => {
    const write = (name: string, dataset: string, runs: number, ...incomplete: string[]) =>
      jsonOfScript(python.program, script, [
        ...[join(folder, `mirror/${name}`), String(python.formats[0]), dataset, String(runs), ...incomplete],
      ]);
    // Precipitation has one more run than temperature.
    write('aifs', 'ecmwf-aifs-ens-forecast', 4, 'temperature_2m:3');
    write('one', 'ecmwf-aifs-ens-forecast', 1);
    write('analysis', 'noaa-gefs-analysis', 41);
    server = await serveFolder(path('mirror'));
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.mischief = undefined;
  });

  const AIFS = () => ['dynamical:ecmwf-aifs-ens-forecast', '--mirror', `icechunk:${server.url}/aifs`];
  const BOTH = ['--variable', 'temp_mean,precipitation'];

  it('writes a file that has the values of the archive in the box', async () => {
    const variable = ['--variable', 'precipitation'];
    for (const name of ['aifs.nc', 'aifs.parquet']) {
      const { code, err } = await plumecastHere('fetch', ...AIFS(), ...variable, '--bbox', BOX, '--out', path(name));
      expect([code, err]).toEqual([0, expect.stringContaining(`run of 2026-11-20 18 UTC is in ${path(name)}\n`)]);
      expect(existsSync(`${path(name)}.parts`)).toBe(false);
      const stats = async (...input: string[]) =>
        (await plumecastHere('stats', ...input, ...variable, '--bbox', BOX, '--quiet')).out;
      // A file has daily values of 32 bits.
      const [copy, direct] = [await stats(path(name)), await stats(...AIFS())];
      expect(copy.split('\n')).toHaveLength(direct.split('\n').length);
      expect(copy.split('\n')[1].split(',').slice(0, 6)).toEqual(direct.split('\n')[1].split(',').slice(0, 6));
    }
  });

  it('puts the newest run that all variables have into a store, and says so', async () => {
    const store = path('store');
    const { code, err, out } = await plumecastHere('fetch', ...AIFS(), ...BOTH, '--bbox', BOX, '--store', store);
    expect(code).toBe(0);
    expect(err).toMatch(
      /run 2026-11-20T12:00:00Z, the newest of 4 runs that is complete: in 2026-11-20T18:00:00Z member 1/,
    );
    expect(err).toContain(`run of 2026-11-20 12 UTC is in ${store}`);
    expect(out).toMatch(/^Forecast of 2026-11-20T12:00:00Z/m);
    expect(out).toMatch(/^short-term +2 +1 +3 +2026-11-21 to 2026-12-04$/m);
    expect(existsSync(`${store}.parts`)).toBe(false);
    // The same by ingest itself.
    const args = ['--short-term', AIFS()[0], ...AIFS().slice(1), ...BOTH, '--bbox', BOX, '--store', path('other')];
    const ingested = await plumecastHere('ingest', ...args);
    expect([ingested.code, ingested.err]).toEqual([0, expect.stringContaining('run 2026-11-20T12:00:00Z')]);
    const rows = (text: string) => text.split('\n').filter((line) => line.startsWith('short-term'));
    expect(rows(ingested.out)).toEqual(rows(out));
  });

  it('goes on where it was stopped, from what is kept beside the output', async () => {
    const store = path('stopped');
    const args = ['fetch', ...AIFS(), ...BOTH, '--bbox', BOX, '--store', store, '--run', '2026-11-20T06', '--quiet'];
    const chunks = () => server.requests.filter((request) => request.includes('/chunks/')).length;
    // A chunk of precipitation fails: temperature has come.
    await plumecastHere(...args.map((each) => (each === store ? path('whole') : each)));
    const all = chunks();
    server.requests.length = 0;
    server.mischief = (request, response) => {
      if (!request.url?.includes('/chunks/') || chunks() < all) return false;
      response.writeHead(403).end();
      return true;
    };
    const stopped = await plumecastHere(...args);
    server.mischief = undefined;
    expect([stopped.code, existsSync(store)]).toEqual([1, false]);
    expect(readdirSync(`${store}.parts`)).toHaveLength(1);
    server.requests.length = 0;
    const { code, err } = await plumecastHere(...args);
    expect([code, err]).toEqual([0, '']);
    expect(chunks()).toBeLessThan(all);
    expect(existsSync(`${store}.parts`)).toBe(false);
  });

  it('takes each new run with --watch, and the complete ones that came meanwhile, until a signal', async () => {
    const values = new Map<string, Uint8Array>();
    const publish = (name: string) => {
      values.clear();
      for (const entry of readdirSync(path(`mirror/${name}`), { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile()) values.set(relative(path(`mirror/${name}`), file), readFileSync(file));
      }
    };
    publish('one');
    await using remote = await serveValues(values);
    const out = path('aifs-{run}.nc');
    const args = ['fetch', AIFS()[0], '--mirror', `icechunk:${remote.url}`, '--variable', 'temp_mean', '--bbox', BOX];
    const child = spawn(process.execPath, [CLI, ...args, '--out', out, '--watch', '--every', '0.01']);
    let err = '';
    child.stderr.on('data', (piece) => (err += piece));
    const isWritten = (run: string) => err.includes(`is in ${path(`aifs-${run}.nc`)}\n`);
    try {
      await vi.waitUntil(() => isWritten('2026-11-20T00'), { timeout: 60_000 });
      publish('aifs');
      await vi.waitUntil(() => isWritten('2026-11-20T12'), { timeout: 60_000 });
      expect(isWritten('2026-11-20T06')).toBe(true);
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
    expect(err).not.toContain('error');
    expect(err).toMatch(/stopped\n$/);
    const written = readdirSync(folder).filter((name) => name.startsWith('aifs-'));
    expect(written.sort()).toEqual(['aifs-2026-11-20T00.nc', 'aifs-2026-11-20T06.nc', 'aifs-2026-11-20T12.nc']);
  });

  it('is rejected in words where it cannot be', async () => {
    const fetch = async (...args: string[]) => (await plumecastHere('fetch', ...args)).err;
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--out', path('a.grib2'))).toMatch(
      /has no messages of GRIB: give an --out of another format/,
    );
    const analysis = ['dynamical:noaa-gefs-analysis', '--mirror', `icechunk:${server.url}/analysis`];
    expect(await fetch(...analysis, '--variable', 'temp_mean', '--out', path('a.nc'))).toMatch(
      /dynamical:noaa-gefs-analysis: has no runs: it is one series of times/,
    );
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--run', '2026-11-21', '--out', path('a.nc'))).toMatch(
      /run: is not there; received "2026-11-21T00:00:00Z"; allowed: 2026-11-20T00:00:00Z/,
    );
    expect(await fetch(...AIFS(), '--variable', 'temp_mean', '--run', '2026-11-20T18', '--out', path('a.nc'))).toMatch(
      /no run is complete; received "in 2026-11-20T18:00:00Z member 1 has no value/,
    );
    expect(await fetch('noaa:gefs', '--variable', 'temp_mean', '--bbox', BOX, '--out', path('a.grib2'))).toMatch(
      /messages of GRIB are whole/,
    );
    expect(existsSync(path('a.nc'))).toBe(false);
  });
});
