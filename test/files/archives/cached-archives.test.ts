import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plumecastHere } from '../../cli/run-here.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { icechunkPythons, runScript } from '../icechunk/icechunk-pythons.js';
import { type ObjectServer, serveObjects } from '../remote/object-server.js';

const HOUR = 3_600_000;
const [python] = icechunkPythons('pandas').slice(-1);
const hasAll = python !== undefined && hasPython('eccodes', 'numpy');

describe.skipIf(!hasAll)('archives with a cache', () => {
  const objects = new Map<string, Uint8Array>();
  const written = new Map<string, Uint8Array>();
  const newest = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR - 24 * HOUR;
  const digits = new Date(newest).toISOString().slice(0, 13).replace(/\D/g, '');
  let folder: string;
  let server: ObjectServer;
  let cache: string;

  const AIFS = () => [
    ...['stats', 'ecmwf:aifs-ens', '--mirror', `${server.url}/mirror`, '--lead-hours', '24', '--variable', 'temp_mean'],
    ...['--point', '55,10', '--cache', cache],
  ];
  const DYNAMICAL = () => [
    ...['stats', 'dynamical:noaa-gefs-forecast-35-day', '--variable', 'precipitation', '--point', '59.5,5.5'],
    ...['--mirror', `icechunk:${server.url}/gefs.icechunk`, '--cache', cache],
  ];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumecast-cached-'));
    pythonFile(resolve(import.meta.dirname, 'write_mirror.py'), [
      join(folder, 'mirror'),
      'ecmwf:aifs-ens',
      digits,
      '24',
    ]);
    const script = resolve(import.meta.dirname, 'write_dynamical.py');
    const format = String(python.formats[python.formats.length - 1]);
    runScript(python.program, script, [join(folder, 'gefs.icechunk'), format, 'noaa-gefs-forecast-35-day', '2']);
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      const path = join(folder, name);
      if (statSync(path).isFile()) written.set(relative(folder, path), readFileSync(path));
    }
    server = await serveObjects(objects);
    server.modified = new Date(newest);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    objects.clear();
    for (const [key, bytes] of written) objects.set(key, bytes);
    cache = mkdtempSync(join(tmpdir(), 'plumecast-cache-'));
    server.reset();
  });
  afterEach(() => {
    delete process.env.PLUMECAST_CACHE;
    delete process.env.PLUMECAST_CACHE_BYTES;
    rmSync(cache, { recursive: true });
  });

  it('of GRIB request nothing a second time but whether there is a newer run', async () => {
    const first = await plumecastHere(...AIFS());
    expect([first.code, server.requests.length]).toEqual([0, expect.any(Number)]);
    expect(server.requests.length).toBeGreaterThan(2 * 2 * 5);
    server.reset();
    const second = await plumecastHere(...AIFS());
    expect([second.code, second.out]).toEqual([0, first.out]);
    const own = `${digits.slice(0, 8)}/${digits.slice(8)}z/`;
    expect(server.requests.filter((request) => request.includes(own))).toEqual([]);
    expect(server.requests.every((request) => request.endsWith('.index all'))).toBe(true);
    expect(server.bytes).toBe(0);
    // A newer run is found.
    const later = newest + 24 * HOUR;
    const text = new Date(later).toISOString().slice(0, 13).replace(/\D/g, '');
    const newer = join(folder, 'newer');
    pythonFile(resolve(import.meta.dirname, 'write_mirror.py'), [newer, 'ecmwf:aifs-ens', text, '24']);
    for (const name of readdirSync(newer, { recursive: true }) as string[]) {
      const path = join(newer, name);
      if (statSync(path).isFile()) objects.set(`mirror/${relative(newer, path)}`, readFileSync(path));
    }
    const third = await plumecastHere(...AIFS());
    expect(third.err).toContain(`run of ${new Date(later).toISOString().slice(0, 10)} 00 UTC`);
    expect(third.out).not.toBe(first.out);
    rmSync(newer, { recursive: true });
  });

  it('of Icechunk request nothing a second time but the branch', async () => {
    const first = await plumecastHere(...DYNAMICAL());
    expect(first.code).toBe(0);
    expect(server.requests.length).toBeGreaterThan(8);
    server.reset();
    expect(await plumecastHere(...DYNAMICAL())).toEqual(first);
    const requested = server.requests.map((request) => request.replace('gefs.icechunk/', '').split(' ')[0]);
    expect(requested.filter((name) => name !== 'repo' && !name.startsWith('refs/'))).toEqual([]);
    expect([requested.length, server.bytes]).toEqual([expect.any(Number), 0]);
    expect(requested.length).toBeLessThanOrEqual(2);
  });

  it('give the same as without it where files are changed while it counts them as unchanged', async () => {
    const first = await plumecastHere(...AIFS());
    const again = join(folder, 'again');
    pythonFile(resolve(import.meta.dirname, 'write_mirror.py'), [again, 'ecmwf:aifs-ens', digits, '48']);
    for (const name of readdirSync(again, { recursive: true }) as string[]) {
      const path = join(again, name);
      if (statSync(path).isFile()) objects.set(`mirror/${relative(again, path)}`, readFileSync(path));
    }
    const old = await plumecastHere(...AIFS());
    expect(old.out).toBe(first.out);
    // Half of the entries are gone: what is left and what comes are of different times.
    const entries = (readdirSync(join(cache, 'v1'), { recursive: true }) as string[])
      .map((name) => join(cache, 'v1', name))
      .filter((path) => statSync(path).isFile());
    for (const path of entries.filter((_, i) => i % 2 === 0)) rmSync(path);
    const mixed = await plumecastHere(...AIFS());
    delete process.env.PLUMECAST_CACHE;
    const plain = await plumecastHere(...AIFS().slice(0, -2));
    expect(plain.out).not.toBe(first.out);
    expect([mixed.code, mixed.out]).toEqual([0, plain.out]);
    rmSync(again, { recursive: true });
  });

  it('are the same in many processes at once, also where little may stay', async () => {
    const cli = resolve(import.meta.dirname, '../../../dist/cli.js');
    const first = await plumecastHere(...DYNAMICAL());
    const run = async (...more: string[]) => {
      const child = spawn(process.execPath, [cli, ...DYNAMICAL(), ...more]);
      let out = '';
      child.stdout.on('data', (piece) => (out += piece));
      const [code] = await once(child, 'close');
      return { code, out };
    };
    const found = await Promise.all([run(), run('--cache-size', '200kB'), run('--cache-size', '20kB'), run()]);
    for (const each of found) expect(each).toEqual({ code: 0, out: first.out });
  });

  it('are read where the folder cannot be made, in words, and its size is checked', async () => {
    const bad = await plumecastHere(...AIFS().slice(0, -1), join(folder, 'mirror', 'none\0'));
    expect(bad.code).not.toBe(0);
    const size = await plumecastHere(...AIFS(), '--cache-size', 'much');
    expect(size.err).toMatch(/--cache-size: is not a number of bytes; received "much"/);
    const address = await plumecastHere(...AIFS().slice(0, -1), 's3://bucket/cache');
    expect(address.err).toMatch(/is an address/);
  });
});
