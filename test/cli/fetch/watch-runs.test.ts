import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ObjectServer, serveObjects } from '../../files/remote/object-server.js';
import { isFullCheck } from '../../full-check.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { plumecastHere } from '../run-here.js';

const HOUR = 3_600_000;
const CLI = resolve(import.meta.dirname, '../../../dist/cli.js');

describe.skipIf(!hasPython('eccodes', 'numpy'))('plumecast fetch --watch', () => {
  const newest = Math.floor(Date.now() / (6 * HOUR)) * 6 * HOUR;
  const runs = [newest - 12 * HOUR, newest - 6 * HOUR, newest];
  const digits = (run: number) => new Date(run).toISOString().slice(0, 13).replace(/\D/g, '');
  const text = (run: number) => new Date(run).toISOString().slice(0, 13);
  const written = new Map<string, Uint8Array>();
  const objects = new Map<string, Uint8Array>();
  let server: ObjectServer;
  let folder: string;
  let child: ChildProcess | undefined;
  let err = '';

  const filesOf = (run: number) =>
    [...written].filter(([key]) => key.includes(`${digits(run).slice(0, 8)}/${digits(run).slice(8)}z/`));
  const publish = (run: number, isWanted = (_key: string) => true) => {
    for (const [key, bytes] of filesOf(run)) if (isWanted(key)) objects.set(key, bytes);
  };
  const isLast = (key: string) => key.includes('-48h-') && key.endsWith('.index');

  function watch(...more: string[]): void {
    const args = ['fetch', 'ecmwf:aifs-ens', '--lead-hours', '48', '--mirror', `${server.url}/mirror`, '--watch'];
    child = spawn(process.execPath, [CLI, ...args, '--every', '0.01', ...more]);
    err = '';
    child.stderr?.on('data', (piece) => (err += piece));
  }
  async function until(isMet: () => boolean, ms = 60_000): Promise<void> {
    const end = Date.now() + ms;
    while (!isMet()) {
      if (Date.now() > end || child?.exitCode !== null) throw new Error(`not met: ${err}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    const ended = once(child as ChildProcess, 'close');
    child?.kill(signal);
    return (await ended)[0];
  }

  beforeAll(async () => {
    server = await serveObjects(objects);
    const mirror = mkdtempSync(join(tmpdir(), 'plumecast-mirror-'));
    for (const run of runs)
      pythonFile(resolve(import.meta.dirname, '../../files/archives/write_mirror.py'), [
        ...[mirror, 'ecmwf:aifs-ens', digits(run), '48'],
      ]);
    for (const name of readdirSync(mirror, { recursive: true }) as string[]) {
      const path = join(mirror, name);
      if (statSync(path).isFile()) written.set(`mirror/${relative(mirror, path)}`, readFileSync(path));
    }
    rmSync(mirror, { recursive: true });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  beforeEach(() => {
    objects.clear();
    server.fault = undefined;
    folder = mkdtempSync(join(tmpdir(), 'plumecast-watch-'));
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it.runIf(isFullCheck)('writes a file for each complete run, survives failures, and stops at a signal', async () => {
    const out = join(folder, 'aifs-{run}.grib2');
    const fileOf = (run: number) => out.replace('{run}', text(run));
    publish(runs[0]);
    watch('--variable', 'temp_mean', '--out', out);
    await until(() => err.includes(`is in ${fileOf(runs[0])}`));
    // The server fails for a while.
    server.fault = (_, response) => {
      response.writeHead(403).end();
      return true;
    };
    await until(() => /error: .*has no complete run/.test(err) && /looks again in/.test(err));
    // Two runs come, the second one without its last step at first.
    publish(runs[1]);
    publish(runs[2], (key) => !isLast(key));
    server.fault = undefined;
    await until(() => existsSync(fileOf(runs[1])));
    await new Promise((done) => setTimeout(done, 1500));
    expect(existsSync(fileOf(runs[2]))).toBe(false);
    publish(runs[2], isLast);
    await until(() => err.includes(`is in ${fileOf(runs[2])}`));
    expect(await stop('SIGTERM')).toBe(0);
    expect(err).toMatch(/note: ecmwf:aifs-ens: stopped\n$/);
    expect(readdirSync(folder).sort()).toEqual(runs.map((run) => fileOf(run).slice(folder.length + 1)).sort());
    const stats = (file: string) =>
      plumecastHere('stats', file, '--variable', 'temp_mean', '--point', '55,10', '--quiet');
    const args = ['--mirror', `${server.url}/mirror`, '--lead-hours', '48', '--variable', 'temp_mean', '--quiet'];
    for (const run of runs) {
      const direct = await plumecastHere('stats', 'ecmwf:aifs-ens', '--run', text(run), ...args, '--point', '55,10');
      expect((await stats(fileOf(run))).out).toBe(direct.out);
    }
  });

  it('takes runs that were missed meanwhile, and none that is there', async () => {
    const out = join(folder, 'aifs-{run}.parquet');
    publish(runs[0]);
    watch('--variable', 'temp_mean', '--out', out);
    await until(() => err.includes('is in'));
    publish(runs[1]);
    publish(runs[2]);
    await until(() => readdirSync(folder).length === 3);
    await until(() => (err.match(/is in/g) ?? []).length === 3);
    expect(await stop('SIGINT')).toBe(0);
    watch('--variable', 'temp_mean', '--out', out);
    server.reset();
    await until(() => server.requests.length > 0);
    await new Promise((done) => setTimeout(done, 3000));
    expect(await stop('SIGINT')).toBe(0);
    expect(server.requests.filter((request) => !request.endsWith(' all'))).toEqual([]);
  });

  it.runIf(isFullCheck)('puts runs into a horizon of a store, and goes on with it', async () => {
    const store = join(folder, 'store');
    publish(runs[0]);
    const args = ['--variable', 'temp_mean,precipitation', '--store', store];
    watch(...args);
    await until(() => err.includes(`is in ${store}`));
    publish(runs[1]);
    await until(() => (err.match(/is in/g) ?? []).length === 2);
    expect(await stop('SIGTERM')).toBe(0);
    server.reset();
    watch(...args);
    await until(() => server.requests.length > 20);
    publish(runs[2]);
    await until(() => err.includes(`run of ${text(runs[2]).replace('T', ' ')} UTC`) && err.includes('is in'));
    expect(await stop('SIGTERM')).toBe(0);
    const { out } = await plumecastHere('store', 'list', '--store', store);
    // A generation for each run, of which the last is served.
    const served = out.match(/^[ *] +\S+Z-/gm)?.map((line) => line.slice(0, 16));
    expect(served).toEqual(runs.map((run, r) => `${r === 2 ? '*' : ' '}  ${text(run)}`));
    expect(existsSync(`${store}.parts`)).toBe(false);
  });

  it('stops at a signal while it requests messages, and goes on where it was', async () => {
    const out = join(folder, 'aifs-{run}.grib2');
    publish(runs[0]);
    let left = 4;
    server.fault = async ({ headers }) => {
      if (headers.range !== undefined && left-- <= 0) await new Promise((done) => setTimeout(done, 20_000));
      return false;
    };
    watch('--variable', 'temp_mean', '--out', out);
    await until(() => left < 0);
    const from = Date.now();
    expect(await stop('SIGTERM')).toBe(0);
    expect(Date.now() - from).toBeLessThan(5000);
    expect(readdirSync(folder)).toEqual([`aifs-${text(runs[0])}.grib2.parts`]);
    server.fault = undefined;
    watch('--variable', 'temp_mean', '--out', out);
    await until(() => err.includes('requests were made before') && err.includes('is in'));
    expect(await stop('SIGTERM')).toBe(0);
  });

  it('is rejected in words where it cannot go on', async () => {
    const fetch = async (...more: string[]) =>
      (await plumecastHere('fetch', 'ecmwf:aifs-ens', '--variable', 'temp_mean', '--watch', ...more)).err;
    expect(await fetch('--out', join(folder, 'a.nc'))).toMatch(/give --out with \{run\}/);
    expect(await fetch('--out', join(folder, 'a-{run}.nc'), '--run', '2026-03-01')).toMatch(/give one of them/);
    expect(await fetch('--out', join(folder, 'a-{run}.nc'), '--every', '0')).toMatch(/Expected minutes/);
  });
});
