import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

/** Three members of two days on a grid whose rows go south; member m has 280 K + m. */
const { folder, remove } = folderWith({});
afterAll(remove);
const at = (name: string) => join(folder, name);
const STEPS = Array.from({ length: 8 }, (_, i) => 6 * i);
const fields = (base: number) =>
  STEPS.flatMap((step) => [1, 2, 3].map((member) => ({ ...T2M, member, step, value: base + member })));
mkdirSync(at('runs'));
writeFileSync(at('runs/mild.grib2'), gribFile(fields(280)));
writeFileSync(at('runs/hot.grib2'), gribFile(fields(400)));

const OPTIONS = ['--variable', 'temp_mean', '--spread'];
const stats = (...args: string[]) => plumecastHere('stats', ...args, ...OPTIONS);
const batch = (...args: string[]) => plumecast(['batch', ...args, '--format', 'netcdf', ...OPTIONS]);

it('writes the results of a grid to the same NetCDF file as a batch', async () => {
  expect(await stats(at('runs/mild.grib2'), '--out', at('mild.nc'))).toMatchObject({ code: 0, out: '' });
  expect(batch(at('runs/mild.grib2'), '--out', at('batch')).code).toBe(0);
  expect(readFileSync(at('mild.nc')).equals(readFileSync(at('batch/mild.nc')))).toBe(true);
});

it('warns once of values of a grid that are not plausible, in each format and in batches', async () => {
  const warning = /hot.grib2: temp_mean of 12\d(\.\d+)? degC a day in 2026-03-02 is not plausible \(-95 to 60\)/g;
  const hot = at('runs/hot.grib2');
  const results = [
    await stats(hot, '--out', at('hot.nc')),
    await stats(hot, '--out', at('hot.csv')),
    batch(hot, '--out', at('hot')),
  ];
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  for (const { err } of results) expect(err.match(warning)).toHaveLength(1);
  expect((await stats(at('runs/mild.grib2'), '--out', at('again.nc'))).err).not.toContain('plausible');
});

it('leaves the file as it was where a NetCDF result cannot be computed', async () => {
  writeFileSync(at('kept.nc'), 'kept');
  const { code, err } = await plumecastHere(
    'stats',
    at('runs/mild.grib2'),
    '--granularity',
    'weekly',
    '--out',
    at('kept.nc'),
  );
  expect([code, readFileSync(at('kept.nc'), 'utf8')]).toEqual([1, 'kept']);
  expect(err).toContain('error:');
});
