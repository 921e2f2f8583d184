import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import type { ValueOptions } from '../../src/input/input-request.js';
import { OptionUse } from '../../src/input/option-use.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { casePath } from '../reference/data-folder.js';

const core = await loadCore();

/** The days of the first place, of an input with these values. */
async function daysOf(path: string, values: ValueOptions, native = false, requested = {}): Promise<string[]> {
  const use = new OptionUse(values, { isOne: true });
  const request = { statistics: requested, values, native, isOnly: true, use };
  const [table] = await allTables(statisticsOfInput(core, path, request, () => {}));
  const rows = Array.from(table, (row) => row?.toJSON() ?? {});
  return rows
    .filter(({ latitude, longitude }) => latitude === rows[0].latitude && longitude === rows[0].longitude)
    .map(({ period }) => String(period));
}

const oneRun = [casePath('runs/one_run.nc'), casePath('runs/one_run.grib2')].filter((path) => path !== undefined);
const twoRuns = casePath('runs/two_runs.grib2');
const months = casePath('runs/monthly-means-of-two-runs.grib');
const folder = casePath('files/two-forecasts-in-a-folder');
const table = casePath('files/rain.csv');

describe('the option init', () => {
  it.skipIf(oneRun.length === 0)('is the run of a file that has one, else an error', async () => {
    for (const path of oneRun) {
      expect(await daysOf(path, { init: '2024-01-15' })).toEqual(await daysOf(path, {}));
      await expect(daysOf(path, { init: '1999-01-01' })).rejects.toThrow(
        'init: no such run; received "1999-01-01"; allowed: the time of its only run: 2024-01-15T00:00:00Z',
      );
      await expect(daysOf(path, { init: 'banana' })).rejects.toThrow(
        'init: is not the time of a run; received "banana"',
      );
    }
  });

  it.skipIf(twoRuns === undefined)('selects one of several runs, which are no series unless asked for', async () => {
    const path = twoRuns as string;
    await expect(daysOf(path, {})).rejects.toThrow(
      'init: array 2t holds 2 runs; allowed: the time of one of them: 2024-01-15T00:00:00Z, 2024-01-25T00:00:00Z; or all',
    );
    expect(await daysOf(path, { init: 'all' })).toHaveLength(13);
    expect(await daysOf(path, { init: '2024-01-25' })).toEqual(['2024-01-25', '2024-01-26', '2024-01-27']);
    await expect(daysOf(path, { init: '2024-01-26' })).rejects.toThrow(
      'init: no such run; received "2024-01-26"; allowed: the time of one of them: 2024-01-15T00:00:00Z, 2024-01-25',
    );
  });

  it.skipIf(folder === undefined)('selects one of several runs whose files are in one folder', async () => {
    const path = folder as string;
    await expect(daysOf(path, {})).rejects.toThrow(
      'init: array tp holds 2 runs; allowed: the time of one of them: 2026-03-02T00:00:00Z, 2026-03-16T00:00:00Z; or all',
    );
    const days = await daysOf(path, { init: '2026-03-16' });
    expect([days.length, days[0], days.at(-1)]).toEqual([14, '2026-03-16', '2026-03-29']);
  });

  it.skipIf(months === undefined)('selects a run whose months are longer than those of another', async () => {
    const periods = await daysOf(months as string, { init: '2016-02-01' }, true);
    expect(periods).toEqual(['2016-02', '2016-03']);
    expect(await daysOf(months as string, { init: 'all' }, true)).toEqual(['2016-02', '2016-03']);
    await expect(daysOf(months as string, {}, true)).rejects.toThrow(
      'holds 2 runs; allowed: the time of one of them: 2016-01-01T00:00:00Z, 2016-02-01T00:00:00Z; or all, as one lagged',
    );
  });
});

describe('an option that cannot have an effect', () => {
  it.skipIf(table === undefined).each([{ init: '2024-01-25' }, { array: 'tp' }, { memberDimension: 'record' }])(
    'is an error: %j of a table',
    async (values) => {
      const [name] = Object.keys(values);
      await expect(daysOf(table as string, values)).rejects.toThrow(`${name}: the file holds a table`);
    },
  );

  it.skipIf(oneRun.length === 0).each([{ model: 'gfs' }, { sort: true }, { decimal: ',' }] as ValueOptions[])(
    'is an error: %j of arrays',
    async (values) => {
      const [name] = Object.keys(values);
      await expect(daysOf(oneRun[0], values)).rejects.toThrow(`${name}: the file holds arrays`);
    },
  );

  it.skipIf(table === undefined || oneRun.length === 0)(
    'is an error: what amounts count, of a temperature; what times stand for, of daily values',
    async () => {
      const [grid] = oneRun;
      const requested = { variable: 'temp_mean' };
      const values = { accumulation: 'per-step' } as const;
      const temperature = { ...values, columns: { value: 'precipitation' } };
      for (const [path, given] of [[table as string, temperature] as const, [grid, values] as const])
        await expect(daysOf(path, given, false, requested)).rejects.toThrow(
          'accumulation: is for amounts, and temp_mean is none; received "per-step"',
        );
      await expect(daysOf(table as string, { stamps: 'end' })).rejects.toThrow(
        'stamps: is for time steps, and values are daily: of the dates as written; received "end"',
      );
    },
  );

  it.skipIf(table === undefined)('is an error: days within windows of one day', async () => {
    for (const requested of [{ window: 'max' }, { partial: true }]) {
      const [name] = Object.keys(requested);
      await expect(daysOf(table as string, {}, false, requested)).rejects.toThrow(
        `${name}: is for windows of several days`,
      );
      await expect(daysOf(table as string, {}, false, { ...requested, granularity: 'weekly' })).resolves.not.toEqual(
        [],
      );
    }
  });

  it('is an error: the decimal mark of what is no CSV, unless it is one of several files', async () => {
    const table = demoTable('temp_mean', { days: 3, members: 2 });
    for (const format of ['arrow', 'parquet'] as const) {
      const bytes = await encodeTable(table, format);
      await expect(readTable(bytes, { decimal: ',', source: 'x' })).rejects.toThrow(
        'x, decimal: is for CSV, and the format is',
      );
      await expect(readTable(gzipSync(bytes), { decimal: ',' })).rejects.toThrow('decimal: is for CSV');
    }
    const csv = await encodeTable(table, 'csv');
    expect((await readTable(csv, { decimal: '.' })).numRows).toBe(3);
  });
});
