import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { isFullCheck } from '../full-check.js';
import { referenceFolder } from '../reference/data-folder.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

const hindcasts = referenceFolder('seas5-burrishoole-feb');
const history = referenceFolder('era5-burrishoole-1979-2019');
const canRun = hasPython('pandas', 'xarray', 'netCDF4', 'scoringrules', 'xskillscore');
const folder = mkdtempSync(join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface TwinRow {
  readonly lead: number;
  readonly cases: number;
  readonly score: string;
  readonly of: string | null;
  readonly value: number | null;
  readonly reference?: number | null;
  readonly skill?: number | null;
}

describe('plumecast verify has the scores of pandas, scoringrules and xskillscore', () => {
  it.skipIf(hindcasts === undefined || history === undefined || !canRun)(
    'of 27 real hindcasts, by lead, value by value',
    async () => {
      const twin = JSON.parse(pythonFile('test/skill/verify_twin.py', [hindcasts, history, folder].map(String)));
      const observed = join(String(history), 'daily_nc4.nc');
      const variables: Readonly<Record<string, string>> = { t2m: 'temp_mean', precip: 'precipitation' };
      let compared = 0;
      for (const [key, rows] of Object.entries(twin.results) as [string, TwinRow[]][]) {
        const [name, granularity, against] = key.split(' ');
        const { code, out, err } = await plumecastHere(
          ...['verify', join(folder, 'hindcasts.nc'), '--observed', observed, '--variable', variables[name]],
          ...['--granularity', granularity, '--against', against, '--quantiles', '0.1,0.5'],
          ...['--condition', '>q90', '--categories', '3', '--format', 'json', '--quiet'],
        );
        expect([code, err]).toEqual([0, '']);
        const own = new Map<string, Record<string, number | null>>(
          JSON.parse(out).map((row: Record<string, unknown>) => [`${row.lead} ${row.score} ${row.of}`, row]),
        );
        // Of days, the twin has some leads.
        if (granularity !== 'daily') expect(own.size).toBe(rows.length);
        for (const row of rows) {
          const found = own.get(`${row.lead} ${row.score} ${row.of}`);
          const where = `${key}, lead ${row.lead}, ${row.score} of ${row.of}`;
          expect(found?.cases, where).toBe(row.cases);
          for (const column of ['value', 'reference', 'skill'] as const) {
            const value = row[column];
            if (value === undefined || value === null) continue;
            const difference = Math.abs((found?.[column] ?? Number.NaN) - value);
            expect(difference, `${where}: ${column} ${found?.[column]}, ${value}`).toBeLessThan(
              1e-10 * Math.max(1, Math.abs(value)),
            );
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThan(8000);
    },
    600_000,
  );
});

if (isFullCheck) {
  describe('plumecast verify of grids', () => {
    it.skipIf(!hasPython('pandas', 'xarray', 'netCDF4', 'scipy'))(
      'has the biases of xarray: by area, and at stations',
      async () => {
        const expected = JSON.parse(pythonFile('test/skill/verify_grids.py', [folder]));
        const bias = async (observed: string, ...args: string[]) => {
          const { code, out, err } = await plumecastHere(
            ...[
              'verify',
              join(folder, 'grid-200?.nc'),
              '--observed',
              join(folder, observed),
              '--variable',
              'temp_mean',
            ],
            ...['--by', 'none', '--format', 'json', '--quiet', ...args],
          );
          expect([code, err.replaceAll(/^warning:.*units.*\n/gm, '')]).toEqual([0, '']);
          return JSON.parse(out).find(({ score }: { score: string }) => score === 'bias').value;
        };
        // Weights are multiples of 2^-20.
        expect(Math.abs((await bias('grid-observed.nc')) - expected.area)).toBeLessThan(1e-7);
        expect(Math.abs((await bias('grid-observed.nc', '--weights', 'equal')) - expected.area)).toBeGreaterThan(1e-5);
        expect(Math.abs((await bias('station.csv')) - expected.nearest)).toBeLessThan(1e-12);
        expect(Math.abs((await bias('station.csv', '--match', 'bilinear')) - expected.bilinear)).toBeLessThan(1e-12);
      },
    );
  });
}
