import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundsOfInstants } from '../../../../src/files/cf/time/time-bounds.js';
import { plumecastHere } from '../../../cli/run-here.js';
import { hasProgram, said } from '../../../reference/foreign-programs.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const pairs = (...days: number[]) => Float64Array.from(days, (day) => day * DAY);

describe('bounds of a single period', () => {
  it('are longer by the time from its last instant to midnight, which divides a day', () => {
    expect(boundsOfInstants(pairs(0, 30.75))).toEqual({ bounds: pairs(0, 31), between: 6 * HOUR });
    expect(boundsOfInstants(pairs(3, 3 + 27 + 23 / 24))).toEqual({ bounds: pairs(3, 31), between: HOUR });
  });

  it('stay where they end at midnight, begin at another hour, end at no instant of steps, or have one day', () => {
    for (const bounds of [pairs(0, 31), pairs(0.5, 30.75), pairs(0, 30 + 5 / 24), pairs(0, 0.75)])
      expect(boundsOfInstants(bounds)).toBeUndefined();
  });
});

describe.skipIf(!hasProgram('cdo', '--version'))('the bounds that CDO writes of one month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-cdo-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  beforeAll(() => {
    const named = ['-setattribute,t2m@units=K,t2m@standard_name=air_temperature', '-setname,t2m', '-addc,200'];
    said('cdo', ['-s', '-f', 'nc', '-settaxis,2026-03-01,00:00,6hour', ...named, '-for,1,124', at('steps.nc')]);
  });

  it.each([
    ['monmean', []],
    ['timmean', []],
    ['monmean', ['--timestat_date', 'last']],
  ] as const)('%s %j are the month, its last step included', async (operator, options) => {
    said('cdo', ['-s', '-O', ...options, operator, at('steps.nc'), at('month.nc')]);
    const words = ['--granularity', 'native', '-v', 'temp_mean', '--format', 'csv'];
    const { code, out, err } = await plumecastHere('stats', at('month.nc'), ...words);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('end with the last of several instants: each is taken 6 h longer'),
    ]);
    const [header, ...rows] = out.trim().split('\n');
    const cell = (name: string) => rows.map((row) => row.split(',')[header.split(',').indexOf(name)]);
    expect([cell('start'), cell('end'), cell('mean')]).toEqual([['2026-03-01'], ['2026-03-31'], ['-10.65']]);
  });
});
