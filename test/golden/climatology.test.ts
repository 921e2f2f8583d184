import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/index.js';
import { referenceFolder } from '../reference/data-folder.js';
import { measure, noError, printWorst } from './compare.js';
import { readReferenceCsv } from './reference-csv.js';
import { seasonalForecasts } from './seasonal-forecasts.js';

const folder = referenceFolder('era5-burrishoole-1979-2019') ?? '';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const granularities = [
  ['monthly', 'month', 12],
  // The reference takes real weeks 53 and real leap days only; ours are tested against the twin.
  ['weekly', 'isoweek', 52],
  ['daily', 'doy15', 365],
] as const;
const DIFFERENT = ['W53', '02-29'];
const percents = Array.from({ length: 19 }, (_, i) => 5 * (i + 1));

describe.skipIf(folder === '')(
  'the climatology of era5-burrishoole 1981-2010 equals the reference within 1e-12',
  () => {
    for (const [value, variable] of [
      ['precip_mm', 'precipitation'],
      ['t2m_degC', 'temp_mean'],
    ] as const) {
      it.for(granularities)(`${value}, %s`, async ([granularity, file, keys]) => {
        const table = await readTable(readFileSync(join(folder, 'daily.csv')));
        const result = climatology(core, table, {
          ...{ variable, granularity, columns: { value }, reference: '1981-2010' },
          quantiles: [0, ...percents.map((percent) => percent / 100), 1],
        });
        const csv = readReferenceCsv(join(folder, `${value}_clim_${file}_1981_2010.csv`));
        const rows = csv.text('key').flatMap((key, row) => (DIFFERENT.includes(key) ? [] : [row]));
        expect(rows).toHaveLength(keys);
        const entries = rows.map((row) => result.keys.indexOf(csv.text('key')[row]));
        const column = (name: string) => {
          const values = csv.numbers(name);
          return rows.map((row) => values[row]);
        };
        expect(entries.map((entry) => result.samples[entry])).toEqual(column('n'));
        const worst = noError();
        const names = ['mean', 'min', ...percents.map((p) => `q${String(p).padStart(2, '0')}`), 'max', 't33', 't67'];
        const arrays = [result.mean, ...result.quantileValues, ...result.limits];
        expect(arrays).toHaveLength(names.length);
        for (const [k, name] of names.entries()) {
          const ours = entries.map((entry) => arrays[k][entry]);
          measure(worst, ours, column(name));
        }
        expect(worst.relative).toBeLessThanOrEqual(1e-12);
        printWorst(`era5 climatology ${value} ${granularity}`, worst);
      });
    }
  },
);

it.skipIf(folder === '')('era5-burrishoole in a file for each year gives exactly what one file gives', async () => {
  const text = readFileSync(join(folder, 'daily.csv'), 'utf8');
  const [header, ...rows] = text.trimEnd().split('\n');
  const years = [...new Set(rows.map((row) => row.slice(0, 4)))].reverse();
  const read = (lines: readonly string[]) => readTable(new TextEncoder().encode([header, ...lines].join('\n')));
  const pieces = await Promise.all(years.map((year) => read(rows.filter((row) => row.startsWith(year)))));
  expect(pieces).toHaveLength(41);
  for (const [granularity] of granularities) {
    const options = { variable: 'precipitation', granularity, columns: { value: 'precip_mm' }, reference: '1981-2010' };
    expect(climatology(core, pieces, options)).toEqual(climatology(core, await read(rows), options));
  }
});

const seas5 = referenceFolder('seas5-burrishoole-feb');

it.skipIf(seas5 === undefined)(
  'the hindcasts of seas5-burrishoole have a climatology of their own days only',
  async () => {
    const forecasts = await seasonalForecasts(join(seas5 as string, 'all_years_nc4.nc'), 't2m');
    const hindcasts = [...forecasts].filter(([year]) => year <= 2016).map(([, table]) => table);
    const { keys, samples, mean } = climatology(core, hindcasts, { reference: '1993-2016' });
    const of = (key: string) => [samples[keys.indexOf(key)], Number.isNaN(mean[keys.indexOf(key)])];
    // They begin on 1 February, with 25 members in each of 24 years.
    expect(['01-25', '01-31', '02-01', '02-02', '02-08'].map(of)).toEqual([
      [0, true],
      [0, true],
      [25 * 24 * 8, false],
      [25 * 24 * 9, false],
      [25 * 24 * 15, false],
    ]);
  },
);
