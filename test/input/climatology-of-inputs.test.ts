import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import type { ClimatologyOptions } from '../../src/climate/options.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { climatologyOfInputs } from '../../src/input/climatology-of-inputs.js';
import type { Notice } from '../../src/input/notice.js';
import { casePath } from '../reference/data-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-climatology-'));
const path = (name: string) => join(folder, name);
const locations = [50, 49.5].flatMap((latitude) => [5, 5.5].map((longitude) => ({ latitude, longitude })));
const years = (initDate: number, days: number) =>
  demoTable('temp_mean', { locations, initDate, days, members: 1, seed: 4 });
// 1993 to 1995 and 1996 to 1998.
const histories = [years(8401, 1095), years(9496, 1096)];
const reference = { granularity: 'weekly', reference: '1993-1999', fewerYears: true } as const;
let core: Core;
beforeAll(async () => {
  core = await loadCore();
  for (const [i, table] of histories.entries()) await writeNetcdf4(path(`${i}.nc`), tableNetcdf(table));
  writeFileSync(path('0.arrow'), await encodeTable(histories[0], 'arrow'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function selectClimatology(
  names: readonly string[],
  others: Partial<ClimatologyOptions> = {},
): Promise<{ rows: string[]; notices: Notice[] }> {
  const notices: Notice[] = [];
  const rows: string[] = [];
  const tables = climatologyOfInputs(core, names.map(path), { ...reference, ...others }, {}, (notice) =>
    notices.push(notice),
  );
  for await (const table of tables) rows.push(...(await rowsOf(table)));
  return { rows: rows.sort(), notices };
}

async function rowsOf(table: Table): Promise<string[]> {
  return new TextDecoder()
    .decode(await encodeTable(table, 'csv'))
    .trimEnd()
    .split('\n')
    .slice(1);
}

describe('the climatology of files', () => {
  it('with some years of a grid each equals that of their values in tables', async () => {
    const { rows, notices } = await selectClimatology(['0.nc', '1.nc']);
    const expected = climatologyTable(climatology(core, histories, reference));
    expect(rows).toEqual((await rowsOf(expected)).sort());
    expect(rows.length).toBe(4 * 53);
    expect(notices).toEqual([
      {
        kind: 'warning',
        source: path('0.nc'),
        text: 'computed without the missing reference years 1999',
      },
    ]);
  });

  it.each(['0.arrow', '0.nc'])('at a point is that of the nearest place: %s', async (name) => {
    const { rows } = await selectClimatology([name], { point: { latitude: 49.6, longitude: 5.4 } });
    expect(rows.length).toBe(53);
    const whole = await selectClimatology([name]);
    expect(whole.rows.filter((row) => row.includes(',49.5,5.5,')).sort()).toEqual(rows);
  });

  it('throws for two files with the same days, and names them', async () => {
    await expect(selectClimatology(['0.nc', '0.nc'])).rejects.toThrow('a day that');
  });

  it('throws for tables and files of arrays together, and names one of each', async () => {
    await expect(selectClimatology(['0.arrow', '1.nc'])).rejects.toThrow(
      `${path('1.nc')}: is a file of arrays, and ${path('0.arrow')} is a table`,
    );
  });
});

it('pools many runs of many members at a point, in a file each', async () => {
  const made = Array.from({ length: 12 }, (_, i) => {
    const initDate = Date.UTC(1993 + i, 4, 1) / 86_400_000;
    return demoTable('temp_mean', { locations, initDate, days: 40, members: 51, seed: i });
  });
  const names = made.map((_, i) => `run${i}.nc`);
  for (const [i, name] of names.entries()) await writeNetcdf4(path(name), tableNetcdf(made[i]));
  const request = { granularity: 'monthly', reference: '1993-2004', point: { latitude: 50, longitude: 5 } } as const;
  // A core of its own: its memory grows while the files are read.
  const own = await loadCore();
  const rows: string[] = [];
  for await (const table of climatologyOfInputs(own, names.map(path), request, {}, () => {}))
    rows.push(...(await rowsOf(table)));
  const expected = climatologyTable(climatology(core, made, { ...request, fewerYears: true }));
  expect(rows).toEqual(await rowsOf(expected));
  expect(rows[4]).toContain(`,05,${12 * 51},`);
});

const hindcasts = casePath('climate/hindcasts-in-one-file.nc');
it.skipIf(hindcasts === undefined)('pools the runs of a file by start and lead, each by itself', async () => {
  const rowsOf = async (init?: string, others: Partial<ClimatologyOptions> = {}) => {
    const request = { granularity: 'monthly', reference: '2001-2010', quantiles: [0.5], ...others } as const;
    const found: Table[] = [];
    for await (const one of climatologyOfInputs(core, [hindcasts as string], request, { init }, () => {}))
      found.push(one);
    return found.flatMap((one) => one.toArray()).filter(({ n_samples: count }) => count > 0);
  };
  // Computed with numpy from the daily means of each run.
  const rows = await rowsOf();
  expect(rows.map(({ period, n_samples: count }) => [period, count])).toEqual(
    ['03', '04', '05'].map((period) => [period, 40]),
  );
  expect(rows[0].mean).toBeCloseTo(6.8623, 5);
  expect(rows[0].q50).toBeCloseTo(6.87831, 5);
  expect((await rowsOf('all')).map(String)).toEqual(rows.map(String));
  await expect(rowsOf('2005-03-01')).rejects.toThrow(/years without a complete month|without a run/);
  await expect(rowsOf(undefined, { start: '05-01' })).rejects.toThrow('no run starts on 05-01');
  await expect(rowsOf(undefined, { minSampleShare: 1, start: '03-01' })).resolves.toHaveLength(3);
});

it('pools the runs that a file joins along its times, each by itself', async () => {
  const starts = [2001, 2002, 2003].map((year) => Date.UTC(year, 2, 1) / 86_400_000);
  const [days, members] = [40, 3];
  const all = starts.flatMap((start) =>
    Array.from({ length: days }, (_, lead) => ({ start, day: start + lead, lead })),
  );
  const axis = (name: string, values: readonly number[], attributes: Record<string, string>, along = name) => ({
    ...{ name, type: 'int32' as const, dimensions: [along], values: Int32Array.from(values) },
    attributes: new Map(Object.entries(attributes)),
  });
  const since = { units: 'days since 1970-01-01' };
  await writeNetcdf4(path('joined.nc'), {
    dimensions: new Map(Object.entries({ number: members, time: all.length, latitude: 1, longitude: 1 })),
    attributes: new Map(),
    arrays: [
      axis('number', [0, 1, 2], { standard_name: 'realization' }),
      axis(
        'time',
        all.map(({ day }) => day),
        { ...since, standard_name: 'time' },
      ),
      axis(
        'run',
        all.map(({ start }) => start),
        { ...since, standard_name: 'forecast_reference_time' },
        'time',
      ),
      axis('latitude', [48], { units: 'degrees_north' }),
      axis('longitude', [0], { units: 'degrees_east' }),
      {
        ...{ name: 't2m', type: 'float64', dimensions: ['number', 'time', 'latitude', 'longitude'] },
        attributes: new Map(
          Object.entries({ units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' }),
        ),
        values: Float64Array.from([0, 1, 2].flatMap((m) => all.map(({ lead }) => lead + 100 * m))),
      },
    ],
  });
  const request = { granularity: 'monthly', reference: '2001-2003', quantiles: [0.5] } as const;
  const rows: Record<string, unknown>[] = [];
  for await (const one of climatologyOfInputs(core, [path('joined.nc')], request, {}, () => {}))
    rows.push(...one.toArray().filter(({ n_samples: count }) => count > 0));
  expect(rows.map(({ period, n_samples: count, mean }) => [period, count, mean])).toEqual([['03', 9, 115]]);
});
