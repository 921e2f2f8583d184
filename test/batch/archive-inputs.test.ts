import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { computeRequest } from '../../src/worker/compute-request.js';
import { checkWorkerRequest, parseRequest } from '../../src/worker/worker-request.js';
import { plumecastHere } from '../cli/run-here.js';
import { icechunkPythons, jsonOfScript } from '../files/icechunk/icechunk-pythons.js';
import { type ObjectServer, serveObjects } from '../files/remote/object-server.js';
import { isFullCheck } from '../full-check.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { startBatch } from './batch-process.js';

const DAY = 86_400_000;
const POINT = '55,10';
const archives = resolve(import.meta.dirname, '../files/archives');
const [python] = icechunkPythons('pandas').slice(-1);

/** The objects of the files below a folder. */
function objectsOf(folder: string, prefix: string): Map<string, Uint8Array> {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [`${prefix}/${relative(folder, path)}`, readFileSync(path)]));
}

/** Runs a batch with one worker. */
const batch = (...args: readonly string[]) =>
  startBatch([...args, '--point', POINT, '--granularity', 'daily', '--workers', '1'], tmpdir()).ended;

/** How a batch ended. */
const last = ({ out }: { readonly out: string }) => JSON.parse(out.trim().split('\n').at(-1) as string);

const inputsOf = (out: string): { path: string }[] =>
  JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).inputs;

describe.skipIf(!hasPython('eccodes', 'numpy'))('archives of GRIB as inputs of batches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-batch-archives-'));
  const path = (name: string) => join(folder, name);
  const objects = new Map<string, Uint8Array>();
  const written = new Map<string, Uint8Array>();
  const today = Math.floor(Date.now() / DAY) * DAY;
  const [newest, older] = [today, today - DAY].map((time) => new Date(time).toISOString().slice(0, 13));
  let server: ObjectServer;
  const of = () => ['--lead-hours', '24', '--mirror', `${server.url}/mirror`];
  const day = (run: string) => run.slice(0, 10).replaceAll('-', '');
  const name = (run: string, variable: string) => `noaa-gefs_${run}_${variable}.arrow`;
  const both = ['--variable', 'temp_mean,precipitation'];

  beforeAll(async () => {
    server = await serveObjects(objects);
    for (const run of [newest, older])
      pythonFile(join(archives, 'write_mirror.py'), [path('mirror'), 'noaa:gefs', run.replace(/\D/g, ''), '24']);
    for (const [key, bytes] of objectsOf(path('mirror'), 'mirror')) written.set(key, bytes);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    objects.clear();
    for (const [key, bytes] of written) objects.set(key, bytes);
    server.reset();
  });

  it('are the run that was found, of which all outputs are and which is in their names', async () => {
    const { code, out } = await batch('noaa:gefs', ...of(), ...both, '--out', path('newest'));
    expect([code, out]).toEqual([0, expect.stringContaining(`run of ${newest.replace('T', ' ')} UTC`)]);
    const [first, ...others] = inputsOf(path('newest'));
    expect(others).toEqual([]);
    expect(first.path).toContain(`archive://noaa:gefs?run=${encodeURIComponent(newest)}`);
    for (const variable of ['temp_mean', 'precipitation']) {
      const single = path(`${variable}.arrow`);
      const args = ['--variable', variable, '--point', POINT, '--granularity', 'daily', '--out', single];
      expect(await plumecastHere('stats', 'noaa:gefs', ...of(), ...args)).toMatchObject({ code: 0, out: '' });
      expect(readFileSync(join(path('newest'), name(newest, variable))).equals(readFileSync(single))).toBe(true);
    }
  });

  it.runIf(isFullCheck)('leave a newer run that lacks a message of one variable, for all variables', async () => {
    const [key, bytes] = [...written].find(
      ([name]) => name.includes(day(newest)) && name.endsWith('gep17.t00z.pgrb2s.0p25.f012.idx'),
    ) as [string, Uint8Array];
    const lines = Buffer.from(bytes).toString().split('\n');
    objects.set(key, Buffer.from(lines.filter((line) => !line.includes(':APCP:')).join('\n')));
    const { code, out } = await batch('noaa:gefs', ...of(), ...both, '--out', path('older'));
    expect([code, out]).toEqual([0, expect.stringContaining(`is not complete, as are 3 newer ones`)]);
    expect(readdirSync(path('older')).sort()).toEqual([
      'manifest.json',
      name(older, 'precipitation'),
      name(older, 'temp_mean'),
    ]);
  });

  it('are kept by --changed-only and --resume where the run is the same, and made again where its files are not', async () => {
    const args = ['noaa:gefs', ...of(), '--variable', 'temp_mean', '--out', path('kept')];
    expect(last(await batch(...args))).toMatchObject({ status: 'done', finished: 1, kept: 0 });
    server.reset();
    for (const flag of ['--changed-only', '--resume'])
      expect(last(await batch(...args, flag))).toMatchObject({ finished: 0, kept: 1 });
    // Index files alone.
    expect(server.requests.filter((request) => !request.includes('.idx'))).toEqual([]);
    for (const [key, bytes] of written) {
      if (!key.endsWith('.idx')) continue;
      const moved = Buffer.from(bytes)
        .toString()
        .replace(/^(\d+):(\d+):/gm, (_, n, at) => `${n}:${Number(at) + 1}:`);
      objects.set(key, Buffer.from(moved));
      objects.set(key.slice(0, -4), Buffer.concat([Buffer.from('x'), written.get(key.slice(0, -4)) as Uint8Array]));
    }
    expect(last(await batch(...args, '--changed-only'))).toMatchObject({ finished: 1, kept: 0 });
  });

  it.runIf(isFullCheck)('of several runs are named in lists and plans, each with its own', async () => {
    const mirror = encodeURIComponent(`${server.url}/mirror`);
    const of = (run: string) => `noaa:gefs?run=${run}&leadHours=24&mirror=${mirror}`;
    writeFileSync(path('list.txt'), `${of(newest)}\n${of(older)}\n`);
    const plan = { inputs: [of(newest), of(older)], out: path('planned'), variables: ['temp_mean'] };
    writeFileSync(path('plan.json'), JSON.stringify(plan));
    const listed = await batch('--inputs-from', path('list.txt'), '--variable', 'temp_mean', '--out', path('listed'));
    expect([listed.code, (await batch('--plan', path('plan.json'))).code]).toEqual([0, 0]);
    const names = [`noaa-gefs_${newest}.arrow`, `noaa-gefs_${older}.arrow`].sort();
    for (const out of ['listed', 'planned']) expect(readdirSync(path(out)).sort()).toEqual(['manifest.json', ...names]);
  });

  it('are rejected in words where nothing can be read of them', async () => {
    const failed = async (...args: string[]) =>
      (await plumecastHere('batch', ...args, '--granularity', 'daily', '--out', path('failed'))).err;
    expect(await failed('noaa:gefs', ...of())).toMatch(/noaa:gefs: holds more than is read at once; .*--variable/);
    expect(await failed('noaa:gefz', ...both)).toMatch(/archive: is not known; received "noaa:gefz"/);
    expect(await failed('noaa:gefs?step=3', ...both)).toMatch(/noaa:gefs: has an unknown option; received "step"/);
    expect(await failed('noaa:gefs?leadHours=x', ...both)).toMatch(
      /noaa:gefs, --lead-hours: cannot be used; received "x"/,
    );
    expect(await failed('noaa:gefs', ...of(), ...both, '--run', '2026-01-01')).toMatch(/run of 2026-01-01 00 UTC/);
    expect(await failed(path('mirror'), ...both, '--run', newest)).toMatch(/--run: is for archives/);
  });

  it('are files of requests to the worker, all parts of one run', async () => {
    const file = `noaa:gefs?leadHours=24&mirror=${encodeURIComponent(`${server.url}/mirror`)}`;
    const plan = {
      variables: ['temp_mean', 'precipitation'],
      granularities: ['daily'],
      point: { latitude: 55, longitude: 10 },
      partial: true,
    };
    const text = new TextEncoder().encode(JSON.stringify({ version: 1, file, plan }));
    const request = await checkWorkerRequest(parseRequest(text));
    const none = { data: async function* () {}, end: async () => 0 };
    const { rows, bytes } = await computeRequest(await loadCore(), request, none as never);
    bytes.close();
    expect(rows).toBe(2);
  });
});

describe.skipIf(python === undefined)('archives of Icechunk as inputs of batches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-batch-icechunk-'));
  const path = (name: string) => join(folder, name);
  const objects = new Map<string, Uint8Array>();
  const dataset = 'ecmwf-aifs-ens-forecast';
  let server: ObjectServer;
  const write = (runs: number) => {
    rmSync(path('store'), { recursive: true, force: true });
    const script = fileURLToPath(new URL('../files/archives/write_dynamical.py', import.meta.url));
    jsonOfScript(python.program, script, [path('store'), String(python.formats[0]), dataset, String(runs)]);
    objects.clear();
    for (const [key, bytes] of objectsOf(path('store'), 'aifs.icechunk')) objects.set(key, bytes);
  };

  beforeAll(async () => {
    server = await serveObjects(objects);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('are the snapshot and the run that were found: a later run is another input', async () => {
    write(2);
    const mirror = ['--mirror', `icechunk:${server.url}/aifs.icechunk`, '--variable', 'temp_mean,precipitation'];
    const args = [`dynamical:${dataset}`, ...mirror, '--out', path('out')];
    const run = (...more: string[]) =>
      startBatch([...args, ...more, '--point', '59.5,5.5', '--granularity', 'daily', '--workers', '1'], folder).ended;
    const first = await run();
    expect(last(first)).toMatchObject({ status: 'done', finished: 2 });
    const [input] = inputsOf(path('out'));
    expect(decodeURIComponent(input.path)).toMatch(/aifs\.icechunk@[0-9A-Z]{20}$/);
    server.reset();
    expect(last(await run('--changed-only'))).toMatchObject({ finished: 0, kept: 2 });
    write(3);
    expect(last(await run('--changed-only'))).toMatchObject({ finished: 2, kept: 0 });
    const outputs = readdirSync(path('out')).filter((name) => name.endsWith('.arrow'));
    expect(new Set(outputs.map((name) => name.split('_')[1])).size).toBe(2);
    expect(outputs).toHaveLength(4);
  });

  it.runIf(isFullCheck)('are repositories at addresses, too, which the manifest has with their snapshot', async () => {
    write(1);
    const args = ['--variable', 'temp_mean', '--point', '59.5,5.5', '--granularity', 'daily', '--workers', '1'];
    const results: Buffer[] = [];
    for (const [given, name] of [
      [`icechunk:${server.url}/aifs.icechunk@main`, 'aifs_main.arrow'],
      [`${server.url}/aifs.icechunk`, 'aifs.arrow'],
    ]) {
      const out = path(`of-${name}`);
      expect(await startBatch([given, ...args, '--out', out], folder).ended).toMatchObject({ code: 0 });
      results.push(readFileSync(join(out, name)));
      expect(inputsOf(out)[0].path).toMatch(/^icechunk:http:.*aifs\.icechunk@[0-9A-Z]{20}$/);
    }
    expect(results[0].equals(results[1])).toBe(true);
    const none = await startBatch([`icechunk:${server.url}/none`, ...args, '--out', path('none')], folder).ended;
    expect([none.code, none.err + none.out]).toEqual([
      1,
      expect.stringContaining('there is no repository of Icechunk'),
    ]);
  });
});
