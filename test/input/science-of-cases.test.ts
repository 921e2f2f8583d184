import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { encodeTables } from '../../src/files/index.js';
import type { InputRequest } from '../../src/input/input-request.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { casePath } from '../reference/data-folder.js';

const core = await loadCore();

const tablesOf = (path: string, statistics: InputRequest['statistics']) =>
  allTables(
    statisticsOfInput(
      core,
      path,
      { statistics: { variable: 'precipitation', ...statistics }, values: { units: 'mm' } },
      () => {},
    ),
  );

/** A column of statistics of an input, by period. */
async function columnOf(path: string, name: string, statistics: InputRequest['statistics']) {
  const [table] = await tablesOf(path, statistics);
  return new Map(Array.from(table, (row) => [String(row?.period), row?.toJSON()[name]]));
}

/** A test of an input that goes wrong, skipped where it is absent. */
function itReads(title: string, name: string, test: (path: string) => Promise<void>): void {
  const path = casePath(`science/${name}`);
  it.skipIf(path === undefined)(title, () => test(path as string));
}

/** The share of members with at least 1 mm on each day of an hourly CSV of Open-Meteo, in exact tenths. */
function wetShares(path: string): Map<string, number> {
  const [, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(3)
    .map((line) => line.split(','));
  const tenths = new Map<string, number[]>();
  for (const [time, ...cells] of rows) {
    // Values are of the hour before their times: those of 00:00 are of the day before.
    const day = new Date(Date.parse(`${time}Z`) - 3_600_000).toISOString().slice(0, 10);
    const sums = tenths.get(day) ?? cells.map(() => 0);
    cells.forEach((cell, m) => {
      sums[m] += Math.round(10 * Number(cell));
    });
    tenths.set(day, sums);
  }
  return new Map([...tenths].map(([day, of]) => [day, of.filter((sum) => sum >= 10).length / of.length]));
}

describe('decimals that tie with a threshold', () => {
  itReads('a week of 0.1 and 0.2 mm has not more than 0.3 mm', 'two.csv', async (path) => {
    const shares = await columnOf(path, 'p_gt_0.3', {
      ...{ granularity: 'weekly', thresholds: ['>0.3'] },
    });
    expect(shares).toEqual(new Map([['2026-W10', 0]]));
  });

  for (const name of ['h.csv', 'om.csv']) {
    itReads(`hours of tenths of a millimetre have 1 mm where their exact sum has: ${name}`, name, async (path) => {
      const right = wetShares(path);
      const found = await columnOf(path, 'p_ge_1', { thresholds: ['>=1'] });
      expect(found.size).toBeGreaterThan(1);
      for (const [day, share] of found) expect(share, day).toBe(right.get(day));
    });
  }

  itReads('their quantiles are written as these decimals in CSV and JSON', 'om.csv', async (path) => {
    const tables = await tablesOf(path, { quantiles: [0, 0.5, 1] });
    for (const format of ['csv', 'json'] as const) {
      const texts: string[] = [];
      for await (const block of encodeTables(tables, format)) texts.push(Buffer.from(block).toString());
      const text = texts.join('');
      expect(text.match(format === 'csv' ? /,1\.1,/ : /"q50":1\.1,/)).not.toBeNull();
      // Means of 51 members have all digits, quantiles have one decimal.
      const quantiles =
        format === 'csv'
          ? text
              .split('\n')
              .slice(1)
              .map((row) => row.split(',').slice(-3).join())
          : text.match(/"q\d+":[^,}]*/g);
      expect(String(quantiles)).not.toMatch(/\.\d{2}/);
    }
  });
});

describe('quantiles', () => {
  itReads(
    'of type 3 take the even rank where n times p is half a whole number',
    'quantile-type-3.csv',
    async (path) => {
      const found = await columnOf(path, 'q58', {
        ...{ quantiles: [0.58], quantileType: 3 },
      });
      expect([...found.values()]).toEqual([14]);
    },
  );
});
