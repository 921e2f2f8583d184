import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const dates = Array.from({ length: 20 }, (_, day) => new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10));
const csv = (from: number, to: number, value: string) =>
  `latitude,longitude,date,m1 (mm),m2 (mm)\n${dates
    .slice(from, to)
    .map((date) => `50,8,${date},${value},${value}\n`)
    .join('')}`;
const { folder, remove } = folderWith({
  'empty.csv': csv(0, 14, ''),
  'next.csv': csv(7, 20, ''),
  'later.csv': csv(14, 20, ''),
  'full.csv': csv(0, 14, '1'),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const RAIN = ['--variable', 'precipitation'];
const YEAR = ['--granularity', 'daily', '--reference', '2026-2026', '--fewer-years'];
beforeAll(async () => {
  const amounts = Float64Array.of(...dates.map(() => Number.NaN));
  const days = { name: 'time', type: 'int32' as const, dimensions: ['time'], values: Int32Array.from(dates.keys()) };
  await writeNetcdf4(at('empty.nc'), {
    dimensions: new Map([['time', dates.length]]),
    attributes: new Map(),
    arrays: [
      { ...days, attributes: new Map([['units', 'days since 2026-03-02']]) },
      {
        ...{ name: 'precipitation', type: 'float64', dimensions: ['time'], values: amounts },
        attributes: new Map([['units', 'mm']]),
      },
    ],
  });
});

describe('an output of which every value would be missing', () => {
  it.each<[string, string[], string]>([
    ['stats', ['stats', at('empty.csv'), ...RAIN], 'out.arrow'],
    ['stats in NetCDF', ['stats', at('empty.csv'), ...RAIN], 'out.nc'],
    ['blend', ['blend', at('empty.csv'), at('next.csv'), ...RAIN], 'out.arrow'],
    ['blend in NetCDF', ['blend', at('empty.csv'), at('next.csv'), ...RAIN], 'out.nc'],
    ['plot', ['plot', at('empty.csv'), ...RAIN], 'out.svg'],
    ['climatology', ['climatology', at('empty.csv'), ...RAIN, ...YEAR], 'out.arrow'],
    ['climatology of several files', ['climatology', at('empty.csv'), at('later.csv'), ...RAIN, ...YEAR], 'out.arrow'],
    ['climatology of arrays', ['climatology', at('empty.nc'), ...YEAR], 'out.arrow'],
  ])('is an error of %s that names the file, and nothing is written', async (_, args, out) => {
    const { code, err } = await plumecastHere(...args, '--out', at(out));
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: .*(has no value|holds no value|no value)/m)]);
    expect(existsSync(at(out))).toBe(false);
  });

  it.each(['out.csv', 'out.nc'])('is an error of convert to %s, also of arrays', async (out) => {
    const { code, err } = await plumecastHere('convert', at('empty.csv'), at(out), ...RAIN);
    expect([code, err]).toEqual([
      1,
      `error: ${at('empty.csv')}: has no value: all are missing; allowed: a value of some member on some day\n`,
    ]);
    expect(existsSync(at(out))).toBe(false);
    expect(await plumecastHere('convert', at('full.csv'), at(`full-${out}`), ...RAIN)).toMatchObject({
      code: 0,
      err: '',
    });
  });
});
