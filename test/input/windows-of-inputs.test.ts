import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { computeResults } from '../../src/input/compute-grid.js';
import { openGridStatistics } from '../../src/input/grid-statistics.js';
import { type ArrayInput, openInput } from '../../src/input/input.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { windowsOf } from '../../src/period/windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysThat, longestSpell } from '../../src/statistics/window-measure.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-windows-'));
const locations = [50, 49.5, 49].flatMap((latitude) =>
  [5, 5.5, 6, 6.5, 7].map((longitude) => ({ latitude, longitude })),
);
const rain = demoTable('precipitation', { locations, days: 60, members: 9 });
let core: Core;
beforeAll(async () => {
  core = await loadCore();
  await writeNetcdf4(join(folder, 'rain.nc'), tableNetcdf(rain));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function rowsOf(tables: Iterable<Table>): Promise<string[]> {
  const rows: string[] = [];
  for (const table of tables) {
    const text = new TextDecoder().decode(await encodeTable(table, 'csv'));
    rows.push(...text.trimEnd().split('\n').slice(1));
  }
  return rows.sort();
}

describe('windows of a gridded file are those of its table', () => {
  for (const text of ['rolling 7', 'rolling 30', 'days 1-7,3-20,40-60', 'dekads', 'all', 'MA,MAM,AM']) {
    for (const window of ['sum', daysThat('>1'), longestSpell('<1')] as const) {
      it(`${text}, ${window}, in any blocks`, async () => {
        const options = { granularity: windowsOf(text), window, thresholds: ['>=3'], partial: true };
        const expected = await rowsOf([statistics(core, rain, options)]);
        for (const bytes of [60_000, 100_000_000]) {
          const input = (await openInput(join(folder, 'rain.nc'), {}, () => {})) as ArrayInput;
          const request = { statistics: { ...options, granularity: text, window: `${window}` }, values: {} };
          const grid = await openGridStatistics(core, input, request);
          const work = { core, bytes, results: join(folder, 'results'), progress: () => {} };
          const { results, close } = await computeResults(grid, work, 'unnamed');
          expect(await rowsOf(grid.tables(results))).toEqual(expected);
          await close();
          await input.close();
        }
      });
    }
  }
});

describe('windows that do not lie in the data', () => {
  async function noticesOf(granularity: string): Promise<string[]> {
    const notices: string[] = [];
    const request = { statistics: { granularity }, values: {} };
    const tables = statisticsOfInput(core, join(folder, 'rain.nc'), request, ({ text }) => notices.push(text));
    for await (const _ of tables);
    return notices;
  }

  it('are named in a note, where others do', async () => {
    expect(await noticesOf('days 1-7,55-61,70-80')).toContain(
      '2 windows do not lie entirely in the 60 days from 2026-03-02 to 2026-04-30 and are left out: d055-061, d070-080',
    );
    const list = [
      { name: 'early', start: '2026-03-02', end: '2026-03-09' },
      { name: 'late', start: '2027-03-02', end: '2027-03-09' },
    ];
    expect(await noticesOf(windowsOf(list).text)).toContain(
      '1 window does not lie entirely in the 60 days from 2026-03-02 to 2026-04-30 and is left out: late',
    );
  });

  it.each(['rolling 61', 'days 60-61', 'JJA', 'years'])('are an error, where none does: %s', async (granularity) => {
    await expect(noticesOf(granularity)).rejects.toThrow(
      `no complete window of ${granularity}; allowed: windows within the days available, 2026-03-02 to 2026-04-30`,
    );
  });
});
