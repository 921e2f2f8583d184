import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { type GridEnsemble, type GridOptions, gridEnsemble } from '../../src/files/cf/index.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { dailyValues } from '../files/cf/daily-values.js';
import { referenceFolder } from '../reference/data-folder.js';
import { type ReferenceCsv, readReferenceCsv } from './reference-csv.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The daily values of a file, by member and cell, with what is known of them. */
async function read(path: string, options: GridOptions): Promise<{ ensemble: GridEnsemble; values: number[][][] }> {
  const file = await openArrays(path);
  const ensemble = await gridEnsemble(file, options);
  const values = await dailyValues(ensemble, core);
  await file.close();
  return { ensemble, values };
}

/** Rounding of the stored values to float32, and of the result. */
const FLOAT32 = 2 ** -24;

const gefs = referenceFolder('gefs-fcre-2022') ?? '';

describe.skipIf(gefs === '')('gefs-fcre-2022', () => {
  const cases = [
    ['precipitation', 'precip_mm', ['kg m-2 s-1 to mm', 'hourly rates to daily sums']],
    ['temp_mean', 't2m_degC', ['K to degC', 'hourly values to daily means']],
    ['temp_min', 't2m_min_degC', ['K to degC', 'hourly values to daily minima']],
    ['temp_max', 't2m_max_degC', ['K to degC', 'hourly values to daily maxima']],
  ] as const;
  it.for(cases)('hourly values give the daily reference: %s', async ([variable, csv, conversions]) => {
    const { ensemble, values } = await read(join(gefs, 'hourly_nc4.nc'), { variable });
    const reference = readReferenceCsv(join(gefs, `${csv}_members_daily.csv`));
    expect(ensemble).toMatchObject({ days: 35, cells: 1, type: 'float32', conversions });
    expect(formatDate(ensemble.firstDay)).toBe('2022-10-02');
    const kelvin = variable === 'precipitation' ? 0 : 273.15;
    for (const [m, [series]] of values.entries()) {
      const expected = reference.numbers(`m${String(m + 1).padStart(2, '0')}`);
      for (const [day, value] of series.entries()) {
        const allowed = FLOAT32 * (2 * Math.abs(expected[day]) + kelvin) + 1e-15;
        expect(Math.abs(value - expected[day])).toBeLessThanOrEqual(allowed);
      }
    }
  });
});

/** The values of a daily file, by member, against columns of a reference file, exactly. */
function expectMembers(values: number[][][], reference: ReferenceCsv): void {
  expect(values).toHaveLength(reference.names.length - 1);
  for (const [m, [series]] of values.entries()) expect(series).toEqual(reference.numbers(reference.names[m + 1]));
}

it.skipIf(gefs === '').for([
  ['precipitation', 'precip_mm'],
  ['temp_mean', 't2m_degC'],
] as const)(
  'the daily NetCDF3 file of gefs-fcre-2022 has the members of the reference: %s',
  async ([variable, csv]) => {
    const { ensemble, values } = await read(join(gefs, 'daily_nc3_f64.nc'), { variable });
    expect(ensemble).toMatchObject({ days: 35, type: 'float64', conversions: [] });
    expectMembers(values, readReferenceCsv(join(gefs, `${csv}_members_daily.csv`)));
  },
);

const cities = referenceFolder('era5-cancities-1990-1993') ?? '';

it.skipIf(cities === '').for([
  ['precipitation', 'precip_mm', 'kg m-2 s-1 to mm'],
  ['temp_mean', 't2m_degC', 'K to degC'],
] as const)('the cities of era5-cancities have the daily reference: %s', async ([variable, column, conversion]) => {
  const { ensemble, values } = await read(join(cities, 'daily_surface_cancities_1990-1993.nc'), { variable });
  expect(ensemble).toMatchObject({ days: 1461, cells: 5, conversions: [conversion], grid: { kind: 'places' } });
  const names = ['Halifax', 'Montreal', 'Iqaluit', 'Saskatoon', 'Victoria'];
  for (const [cell, name] of names.entries()) {
    const expected = readReferenceCsv(join(cities, `${name}_daily.csv`)).numbers(column);
    // The reference is computed from the same float32 values: only the result is rounded.
    expect(values[0][cell], name).toEqual([...Float32Array.from(expected)]);
  }
});

const seas5 = referenceFolder('seas5-burrishoole-feb') ?? '';

it.skipIf(seas5 === '').for([
  ['precipitation', 'precip_mm'],
  ['temp_mean', 't2m_degC'],
] as const)(
  'the forecasts of all years of seas5-burrishoole are days with gaps between them: %s',
  async ([variable, csv]) => {
    const { ensemble, values } = await read(join(seas5, 'all_years_nc4.nc'), { variable });
    expect(ensemble).toMatchObject({ type: 'float64', conversions: [] });
    expect(values[0][0].filter((value) => !Number.isNaN(value))).toHaveLength(5730);
    for (const year of ['2004', '2016', '2018', '2019']) {
      const reference = readReferenceCsv(join(seas5, year, `${csv}_members_daily.csv`));
      const first = parseDate(reference.text('date')[0]) - ensemble.firstDay;
      const ofYear = values.map(([series]) => [series.slice(first, first + reference.length)]);
      expectMembers(ofYear, reference);
      expect(values[0][0][first - 1]).toBeNaN();
    }
  },
);

const era5 = referenceFolder('era5-burrishoole-1979-2019') ?? '';

it.skipIf(era5 === '')('the days of era5-burrishoole are those of the reference', async () => {
  const { ensemble, values } = await read(join(era5, 'daily_nc4.nc'), { variable: 'temp_mean' });
  expect(formatDate(ensemble.firstDay)).toBe('1979-01-01');
  expect(values[0][0]).toEqual(readReferenceCsv(join(era5, 'daily.csv')).numbers('t2m_degC'));
});
