import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readWindowName } from '../../scripts/verify/compare.mjs';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/read-table.node.js';
import { windowsOf } from '../../src/period/windows.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { parseMeasure } from '../../src/statistics/window-measure.js';
import { casesOf } from '../full-check.js';
import { referenceFolder } from '../reference/data-folder.js';
import { hasProgram, hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * ERA5 at points, by windows, beside what pandas, xclim and CDO make of them, value by value.
 */

const folder = referenceFolder('era5-burrishoole-1979-2019') ?? '';
const csv = join(folder, 'daily.csv');
const COLUMNS: Readonly<Record<string, string>> = { precipitation: 'precip_mm', temp_mean: 't2m_degC' };

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The values of complete windows by key. */
async function ours(windows: string, window: string, variable: string, path = csv): Promise<Map<string, number>> {
  const table = await readTable(path);
  const result = memberWindows(core, table, {
    granularity: windowsOf(windows),
    window: parseMeasure(window) ?? window,
    variable,
    columns: { date: 'date', value: COLUMNS[variable] },
  });
  const [keys, values] = ['period', 'member_00'].map((name) => result.getChild(name)?.toArray());
  const found = Array.from(keys as ArrayLike<string>, (key, row) => [key, Number((values as number[])[row])] as const);
  return new Map(found.filter(([, value]) => !Number.isNaN(value)));
}

function assertClose(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>) {
  for (const [key, value] of found) {
    const other = expected.get(key) ?? Number.NaN;
    expect(Math.abs(value - other), `${key}: ${value} and ${other}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(other)),
    );
  }
}

/** Four years of cities with winters below zero. */
const cities = referenceFolder('era5-cancities-1990-1993') ?? '';
const SERIES: readonly [name: string, path: string, least: number][] = [
  ['40 years', csv, 39],
  ...['Saskatoon', 'Halifax'].map((city) => [city, join(cities, `${city}_daily.csv`), 3] as [string, string, number]),
];

describe.skipIf(!existsSync(csv) || cities === '' || !hasPython('pandas', 'xclim'))(
  'windows are those of pandas and xclim',
  () => {
    it.each(casesOf(SERIES, [1]))('in all of their values: %s', { timeout: 120_000 }, async (_, path, least) => {
      const script = join(import.meta.dirname, 'windows_of_others.py');
      const others = JSON.parse(pythonFile(script, [path])) as [string, Record<string, number>][];
      expect(others).toHaveLength(20);
      for (const [name, values] of others) {
        const { windows, window, variable } = readWindowName(name);
        const found = await ours(windows, window, variable, path);
        // Windows at the ends of a series are not complete, which resampling does not say.
        expect(found.size, name).toBeGreaterThanOrEqual(least);
        assertClose(found, new Map(Object.entries(values)));
      }
    });
  },
);

describe.skipIf(!existsSync(csv) || !hasProgram('cdo', '--version'))('windows of 40 years are those of CDO', () => {
  // It warns of the coordinates of the file, which are scalars.
  const cdo = (operator: string) =>
    execFileSync('cdo', ['-s', '-outputf,%.17g,1', operator, '-selname,precip', join(folder, 'daily_nc4.nc')], {
      ...{ encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] },
    })
      .trim()
      .split(/\s+/)
      .map(Number);

  const operators: readonly (readonly [operator: string, windows: string, window: string, skipped?: number])[] = [
    ['runsum,7', 'rolling 7', 'sum'],
    ['runmean,30', 'rolling 30', 'mean'],
    ['runmax,5', 'rolling 5', 'max'],
    ['runmin,9', 'rolling 9', 'min'],
    ['yearsum', 'years', 'sum'],
    ['yearrange', 'years', 'range'],
    // Its first season has no December.
    ['seasmean', 'seasons', 'mean', 1],
    ['seassum', 'seasons', 'sum', 1],
    ['seasmax', 'seasons', 'max', 1],
    ['timselsum,11', `days ${Array.from({ length: 20 }, (_, k) => `${11 * k + 1}-${11 * k + 11}`).join(',')}`, 'sum'],
  ];
  it.each(
    casesOf(operators, [3, 6]).map(([operator, windows, window, skipped = 0]) => ({
      operator,
      windows,
      window,
      skipped,
    })),
  )('$operator', { timeout: 60_000 }, async ({ operator, windows, window, skipped }) => {
    const found = [...(await ours(windows, window, 'precipitation')).values()];
    const expected = cdo(`-${operator}`).slice(skipped, skipped + found.length);
    expect(found.length).toBeGreaterThanOrEqual(20);
    assertClose(new Map(found.map((x, i) => [`${i}`, x])), new Map(expected.map((x, i) => [`${i}`, x])));
  });

  it('the longest dry spell and the number of those of more than 5 days, by eca_cdd', { timeout: 60_000 }, async () => {
    const [longest] = (await ours('all', 'longest spell <1', 'precipitation')).values();
    const [count] = (await ours('all', 'spells <1 of 6 d', 'precipitation')).values();
    expect([longest, count]).toEqual(cdo('-eca_cdd').slice(0, 2));
  });

  it('the longest wet spell and the number of spells of more than 5 days, by eca_cwd', {
    timeout: 60_000,
  }, async () => {
    const [longest] = (await ours('all', 'longest spell >=1', 'precipitation')).values();
    const [count] = (await ours('all', 'spells >=1 of 6 d', 'precipitation')).values();
    expect([longest, count]).toEqual(cdo('-eca_cwd').slice(0, 2));
  });

  const limits = [
    ['eca_rr1', 1],
    ['eca_r10mm', 10],
    ['eca_r20mm', 20],
  ] as const;
  it.each(casesOf(limits, [1]))('the days with rain of %s', { timeout: 60_000 }, async (operator, limit) => {
    const [count] = (await ours('all', `days >=${limit}`, 'precipitation')).values();
    expect(count).toBeGreaterThan(20);
    expect(cdo(`-${operator}`)[0]).toBe(count);
  });
});
