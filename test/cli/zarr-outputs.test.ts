import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { isFullCheck } from '../full-check.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

/** Three members of two days on a grid; member m has 280 K + m. */
const isoDay = (day: number) => new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10);
const rows = (places: readonly (readonly [number, number])[], from = 0) =>
  places.flatMap(([latitude, longitude], place) =>
    Array.from({ length: 62 }, (_, i) => {
      const values = [0, 1, 2].map((member) => (from + i) * 0.25 + place + member);
      return [isoDay(from + i), latitude, longitude, ...values].join();
    }),
  );
const HEAD = 'date,latitude,longitude,member_00,member_01,member_02';
const PLACES = [
  [50.5, 7.25],
  [48.25, -120.5],
  [10, 20],
] as const;
const history = Array.from({ length: 366 * 4 }, (_, day) => {
  const date = new Date(Date.UTC(2001, 0, 1 + day)).toISOString().slice(0, 10);
  return PLACES.map(([latitude, longitude], place) => [date, latitude, longitude, (day % 37) + place].join()).join(
    '\n',
  );
});
const { folder, remove } = folderWith({
  'temps.csv': [HEAD, ...rows(PLACES)].join('\n'),
  'later.csv': [HEAD, ...rows(PLACES, 30)].join('\n'),
  'history.csv': ['date,latitude,longitude,temp_mean', ...history].join('\n'),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const STEPS = Array.from({ length: 8 }, (_, i) => 6 * i);
mkdirSync(at('runs'));
for (const [name, base] of [
  ['mild', 280],
  ['cool', 270],
] as const) {
  const fields = STEPS.flatMap((step) => [1, 2, 3].map((member) => ({ ...T2M, member, step, value: base + member })));
  writeFileSync(at(`runs/${name}.grib2`), gribFile(fields));
}

const TEMPS = ['--variable', 'temp_mean', '--units', 'degC'];

async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await plumecastHere(...args);
  expect([code, err.match(/^error.*/m)?.[0]]).toEqual([0, undefined]);
  return out;
}

/** The files of a store with their checksums. */
function filesOf(store: string): Record<string, string> {
  const names = readdirSync(store, { recursive: true }).map(String).sort();
  const files = names.filter((name) => statSync(join(store, name)).isFile());
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(store, name)))
      .digest('hex');
  return Object.fromEntries(files.map((name) => [name, hash(name)]));
}

const asCsv = (path: string) => run('convert', path, '-', '--to', 'csv');

it('stats, convert and blend write stores that are read as their NetCDF files are', async () => {
  for (const ending of ['zarr', 'nc']) {
    const weekly = ['--granularity', 'weekly', '--spread', '--threshold', '>10'];
    await run('stats', at('temps.csv'), ...TEMPS, ...weekly, '--out', at(`weekly.${ending}`));
    await run('stats', at('runs/mild.grib2'), '--variable', 'temp_mean', '--out', at(`grid.${ending}`));
    await run('convert', at('temps.csv'), at(`values.${ending}`), ...TEMPS);
    await run('convert', at('runs/mild.grib2'), at(`fields.${ending}`), '--variable', 'temp_mean');
    await run('convert', at(`weekly.${ending}`), at(`again.${ending}`));
    await run('blend', at('temps.csv'), at('later.csv'), ...TEMPS, '--overlaps', '5', '--out', at(`joined.${ending}`));
  }
  for (const name of ['weekly', 'grid', 'values', 'fields', 'again', 'joined']) {
    const csv = await asCsv(at(`${name}.zarr`));
    expect(csv, name).toBe(await asCsv(at(`${name}.nc`)));
    expect(csv.split('\n').length, name).toBeGreaterThan(2);
  }
  expect(filesOf(at('again.zarr'))).toEqual(filesOf(at('weekly.zarr')));
  expect(await run('inspect', at('weekly.zarr'))).toContain('Zarr v3');
  const [svg, other] = [at('weekly.svg'), at('weekly-nc.svg')];
  await run('plot', at('values.zarr'), '--variable', 'temp_mean', '--point', '10,20', '--out', svg);
  await run('plot', at('values.nc'), '--variable', 'temp_mean', '--point', '10,20', '--out', other);
  expect(readFileSync(svg, 'utf8')).toBe(readFileSync(other, 'utf8'));
});

it('stats compares with a climatology in a store as with one in a table', async () => {
  const climatology = ['climatology', at('history.csv'), '--granularity', 'weekly', '--reference', '2001-2004'];
  const years = [...TEMPS, '--quantiles', '0.5,0.9'];
  const compared: string[] = [];
  for (const ending of ['arrow', 'zarr']) {
    await run(...climatology, ...years, '--out', at(`normal.${ending}`));
    const against = ['--climatology', at(`normal.${ending}`), '--exceed', '0.9', '--anomaly'];
    compared.push(await run('stats', at('temps.csv'), ...TEMPS, ...against, '--format', 'csv'));
  }
  expect(compared[0]).toContain('p_above');
  expect(compared[1]).toBe(compared[0]);
});

it('an existing store is replaced as a whole, and other outputs do not replace it', async () => {
  await run('convert', at('temps.csv'), at('one.zarr'), ...TEMPS);
  await run('stats', at('temps.csv'), ...TEMPS, '--out', `${at('one.zarr')}/`);
  expect(existsSync(at('one.zarr/temp_mean'))).toBe(false);
  expect(existsSync(at('one.zarr/temp_mean_mean/zarr.json'))).toBe(true);
  const faults = [
    await plumecastHere('stats', at('temps.csv'), ...TEMPS, '--out', at('one.zarr'), '--format', 'csv'),
    await plumecastHere('stats', at('temps.csv'), ...TEMPS, '--out', at('runs'), '--format', 'zarr'),
    await plumecastHere('stats', at('temps.csv'), ...TEMPS, '--out', '-', '--format', 'zarr'),
    await plumecastHere('convert', at('one.zarr'), at('one.zarr')),
    await plumecastHere('stats', at('temps.csv'), ...TEMPS, '--out', at('x.zarr'), '--compression', 'lz4'),
  ];
  expect(faults.map(({ code, err }) => [code, err.match(/^error: (.*)/m)?.[1].replaceAll(`${folder}/`, '')])).toEqual([
    [1, 'one.zarr: is a folder; allowed: the path of a file, or - for standard output'],
    [1, 'runs: is a folder that is no Zarr store; allowed: the path of a new folder, or of a Zarr store to replace'],
    [1, 'output: zarr is written to folders only; allowed: the path of a folder'],
    [1, 'one.zarr: is also an input; allowed: another path to write to'],
    [1, '--compression: zarr is not written with it; received "lz4"; allowed: zstd or none'],
  ]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('a batch writes the stores that stats writes, and knows them again', async () => {
  const out = at('stores');
  const batch = (...args: string[]) =>
    plumecast(['batch', at('runs/*.grib2'), '--out', out, '--format', 'zarr', ...args]);
  const request = ['--variable', 'temp_mean', '--spread'];
  expect(batch(...request)).toMatchObject({ code: 0 });
  await run('stats', at('runs/mild.grib2'), ...request, '--out', at('mild.zarr'));
  const stores = () => ['mild', 'cool'].map((name) => filesOf(join(out, `${name}.zarr`)));
  const [mild, cool] = stores();
  expect(mild).toEqual(filesOf(at('mild.zarr')));
  const modified = () => statSync(join(out, 'mild.zarr/zarr.json')).mtimeMs;
  const before = modified();
  expect(batch(...request, '--changed-only')).toMatchObject({ code: 0 });
  expect(modified()).toBe(before);
  // A chunk is lost: that store alone is written again.
  rmSync(join(out, 'cool.zarr/temp_mean_mean'), { recursive: true });
  expect(batch(...request, '--changed-only')).toMatchObject({ code: 0 });
  expect([stores(), modified()]).toEqual([[mild, cool], before]);
  // Another request replaces all of them.
  expect(batch('--variable', 'temp_mean')).toMatchObject({ code: 0 });
  expect(Object.keys(stores()[0]).some((name) => name.includes('spread'))).toBe(false);
  expect(readdirSync(out).sort()).toEqual(['cool.zarr', 'manifest.json', 'mild.zarr']);
});

if (isFullCheck) {
  it('shards of stores are merged to those of one batch', async () => {
    const request = ['--variable', 'temp_mean', '--spread', '--format', 'zarr'];
    const batch = (out: string, ...args: string[]) =>
      plumecast(['batch', at('runs/*.grib2'), '--out', at(out), ...request, ...args]);
    expect(batch('whole').code).toBe(0);
    for (const shard of ['1/2', '2/2']) expect(batch('sharded', '--shard', shard).code).toBe(0);
    expect(plumecast(['merge', at('sharded')])).toMatchObject({ code: 0 });
    expect(plumecast(['merge', at('sharded')])).toMatchObject({ code: 0 });
    expect(filesOf(at('sharded'))).toEqual(filesOf(at('whole')));
  });
}

it('a store that no batch made is not replaced', async () => {
  const out = at('foreign');
  mkdirSync(out);
  await run('stats', at('temps.csv'), ...TEMPS, '--out', join(out, 'mild.zarr'));
  const before = filesOf(out);
  const batch = (...args: string[]) =>
    plumecast(['batch', at('runs/mild.grib2'), '--variable', 'temp_mean', '--out', out, '--format', 'zarr', ...args]);
  const rejected = batch();
  expect(rejected.code).toBe(1);
  expect(rejected.err).toContain('exists, and no batch is known to have made it');
  expect(filesOf(out)).toMatchObject(before);
  expect(batch('--overwrite').code).toBe(0);
  expect(filesOf(join(out, 'mild.zarr'))['temp_mean_mean/zarr.json']).toBeDefined();
});
