import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { climateKeyIndices } from '../../src/climate/climatology.js';
import { climatology, climatologyTable, readClimatology } from '../../src/climate/index.js';
import type { ClimatologyOptions } from '../../src/climate/options.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { climatologyNetcdf } from '../../src/files/cf/content/climatology-netcdf.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { readTable } from '../../src/files/read-table.node.js';
import { readClimatologyFile } from '../../src/input/read-climatology-file.js';
import { parseDate } from '../../src/period/day.js';
import { windowsOf } from '../../src/period/windows.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysThat, parseMeasure } from '../../src/statistics/window-measure.js';
import { isFullCheck } from '../full-check.js';
import { referenceFolder } from '../reference/data-folder.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { dates, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const DAY = 86_400_000;
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** Daily values of members from a day on, which look random and are not. */
function daily(first: string, days: number, members = 1, seed = 1): Table {
  const from = parseDate(first);
  const value = (m: number, d: number) => Math.max(0, ((d * 7919 + m * 104_729 + seed * 31) % 997) / 40 - 5);
  return table({
    date: dates(...Array.from({ length: days }, (_, d) => dateOf(from + d))),
    ...Object.fromEntries(
      Array.from({ length: members }, (_, m) => [
        `member_${String(m).padStart(2, '0')}`,
        Array.from({ length: days }, (_, d) => value(m, d)),
      ]),
    ),
  });
}

const folder = referenceFolder('era5-burrishoole-1979-2019') ?? '';
const csv = join(folder, 'daily.csv');

type Others = readonly [windows: string, window: string, halfWidth: number, entries: Record<string, number[]>];

if (isFullCheck) {
  describe.skipIf(!existsSync(csv) || !hasPython('pandas'))(
    'reference distributions of windows are those of pandas',
    () => {
      it('in all of their values, over 30 years of ERA5', { timeout: 120_000 }, async () => {
        const history = await readTable(csv);
        const script = join(import.meta.dirname, 'climatology_of_windows.py');
        const others = JSON.parse(pythonFile(script, [csv])) as Others[];
        expect(others).toHaveLength(12);
        for (const [windows, window, halfWidth, entries] of others) {
          const options: ClimatologyOptions = {
            granularity: windowsOf(windows),
            window: parseMeasure(window) ?? 'sum',
            variable: 'precipitation',
            columns: { date: 'date', value: 'precip_mm' },
            reference: '1985-2014',
            quantiles: [0.1],
            ...(windows.startsWith('rolling') && { halfWidth }),
          };
          const found = climatology(core, history, options);
          expect(found.keys.toSorted(), windows).toEqual(Object.keys(entries).toSorted());
          for (const [k, key] of found.keys.entries()) {
            const own = [
              found.samples[k],
              found.mean[k],
              found.quantileValues[0][k],
              ...found.limits.map((of) => of[k]),
            ];
            for (const [i, value] of own.entries())
              expect(Math.abs(value - entries[key][i]), `${windows}, ${window}, ${key}`).toBeLessThan(
                1e-9 * Math.max(1, value),
              );
          }
        }
      });
    },
  );
}

describe('windows that recur in each year', () => {
  const history = () => daily('1990-01-01', 11 * 365 + 3);
  const reference = '1991-2000';

  it('have keys without the year, in order of time', () => {
    const keys = (text: string) =>
      climatology(core, history(), { granularity: windowsOf(text), variable: 'precipitation', reference }).keys;
    expect(keys('SON,DJF')).toEqual(['DJF', 'SON']);
    expect(keys('years')).toEqual(['year']);
    expect(keys('years from 10')).toEqual(['year from 10']);
    expect([...keys('dekads')].slice(-2)).toEqual(['D35', 'D36']);
    expect([keys('rolling 5').length, keys('rolling 5')[59]]).toEqual([366, 'P5D/02-29']);
  });

  it('are weeks and months where a text says so', () => {
    const own = climatology(core, history(), {
      granularity: windowsOf('weekly'),
      variable: 'precipitation',
      reference,
    });
    expect(own.granularity).toBe('weekly');
    expect(own.keys).toHaveLength(53);
  });

  it.each(['all', 'days 1-7', 'rolling 400', '[{"name":"a","start":"1991-01-01","end":"1991-02-01"}]'])(
    'are not %s',
    (text) => {
      const compute = () => climatology(core, history(), { granularity: windowsOf(text), variable: 'precipitation' });
      expect(compute).toThrow(/windows: do not recur in each year/);
    },
  );

  it('belong to the year in which they end, and years without one are said', () => {
    const compute = (years: string, fewerYears = false) =>
      climatology(core, history(), {
        ...{ granularity: windowsOf('DJF'), variable: 'precipitation', reference: years, fewerYears },
      });
    expect(() => compute('1990-2000')).toThrow(
      /1990-2000 has years without a complete window of DJF; received "1990"; allowed: reference: '1991-2000',/,
    );
    expect(compute('1990-2000', true).samples[0]).toBe(10);
    expect(compute(reference).samples[0]).toBe(10);
  });

  it('survive tables with and without metadata, and NetCDF', async () => {
    for (const text of ['seasons', 'DJF,MAMJ', 'years from 7', 'dekads', 'rolling 3']) {
      const own = climatology(core, history(), {
        ...{ granularity: windowsOf(text), variable: 'precipitation', reference, window: daysThat('>10') },
      });
      const written = climatologyTable(own);
      const same = (other: typeof own) => {
        expect([other.keys, other.samples, other.mean, other.limits]).toEqual([
          ...[own.keys, own.samples, own.mean, own.limits],
        ]);
      };
      const read = readClimatology(written);
      same(read);
      expect([`${read.granularity}`, `${read.window}`, read.units]).toEqual([text, 'days >10', 'd']);
      const bare = new Table(written.batches.map((batch) => batch));
      bare.schema.metadata.clear();
      const plain = readClimatology(bare);
      same(plain);
      expect(climateKeyIndices(plain.granularity, windowsOf(text).table(7000, 8500))).toEqual(
        climateKeyIndices(own.granularity, windowsOf(text).table(7000, 8500)),
      );
      const path = join(mkdtempSync(join(tmpdir(), 'plumecast-')), 'climatology.nc');
      await writeNetcdf4(path, climatologyNetcdf(climatologyTable(own)));
      const back = await readClimatologyFile(path, undefined);
      same(back);
      expect(`${back.granularity}`).toBe(text);
    }
  });
});

describe('a forecast is compared with the windows of a climatology', () => {
  const forecast = () => daily('2003-11-20', 400, 7, 5);
  const normal = (text: string) =>
    climatology(core, daily('1990-01-01', 11 * 365 + 3), {
      ...{ granularity: windowsOf(text), variable: 'precipitation', reference: '1991-2000', quantiles: [0.5, 0.9] },
    });

  /** Shares of members, counted one by one. */
  function assertShares(
    climate: ReturnType<typeof normal>,
    windows: string,
    keyOf: (key: string, end: string) => string,
  ) {
    const options = { granularity: windowsOf(windows), variable: 'precipitation' as const };
    const result = statistics(core, forecast(), { ...options, climatology: climate, exceed: [0.9], anomaly: true });
    const members = memberWindows(core, forecast(), options);
    expect(result.numRows).toBe(members.numRows);
    expect(result.numRows).toBeGreaterThan(1);
    for (let row = 0; row < result.numRows; row++) {
      const ofRow = result.get(row)?.toJSON() as Record<string, number & string>;
      const values = Array.from({ length: 7 }, (_, m) => members.getChild(`member_0${m}`)?.get(row) as number);
      const key = climate.keys.indexOf(keyOf(ofRow.period, dateOf(Number(ofRow.end) / DAY)));
      const share = (holds: (value: number) => boolean) => values.filter(holds).length / 7;
      const [below, above] = climate.limits.map((of) => of[key]);
      expect(ofRow.p_below).toBeCloseTo(
        share((value) => value < below),
        12,
      );
      expect(ofRow.p_above).toBeCloseTo(
        share((value) => value > above),
        12,
      );
      expect(ofRow.p_gt_clim_q90).toBeCloseTo(
        share((value) => value > climate.quantileValues[1][key]),
        12,
      );
      expect(ofRow.anomaly).toBeCloseTo(ofRow.mean - climate.mean[key], 9);
    }
  }

  it('of its own kind, and of some of them', () => {
    assertShares(normal('seasons'), 'seasons', (key) => key.slice(5));
    assertShares(normal('seasons'), 'JJA,DJF', (key) => key.slice(5));
    assertShares(normal('dekads'), 'dekads', (key) => key.slice(5));
    assertShares(normal('rolling 7'), 'rolling 7', (_, end) => `P7D/${end.slice(5)}`);
  });

  it('by their last day, where windows have as many days as rolling ones', () => {
    assertShares(normal('rolling 7'), 'days 1-7,8-14,100-106', (_, end) => `P7D/${end.slice(5)}`);
    const weekly = { variable: 'precipitation', granularity: 'weekly', climatology: normal('rolling 7') } as const;
    expect(statistics(core, forecast(), weekly).getChild('p_below')?.nullCount).toBe(0);
  });

  it('of which no other is one', () => {
    const compare = (text: string, climate: string) => () =>
      statistics(core, forecast(), {
        ...{ granularity: windowsOf(text), variable: 'precipitation', climatology: normal(climate) },
      });
    expect(compare('seasons', 'DJF,JJA')).toThrow(
      /granularity: not that of the climatology; received "?seasons"?; allowed: DJF,JJA/,
    );
    expect(compare('days 1-8', 'rolling 7')).toThrow(/allowed: rolling 7, or others of 7 days each/);
    expect(compare('rolling 6', 'rolling 7')).toThrow(/not that of the climatology/);
  });

  it('and incomplete windows with none', () => {
    const options = { granularity: windowsOf('seasons'), variable: 'precipitation', partial: true } as const;
    const result = statistics(core, forecast(), { ...options, climatology: normal('seasons') });
    const [complete, below] = ['complete', 'p_below'].map((name) => [...(result.getChild(name) ?? [])]);
    expect(complete[0]).toBe(false);
    expect(below.map((share) => share !== null)).toEqual(complete);
  });
});
