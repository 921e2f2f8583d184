import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Climatology } from '../../src/climate/climatology.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/index.js';
import { windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { referenceFolder } from '../reference/data-folder.js';
import { readReferenceCsv } from './reference-csv.js';
import { seasonalForecasts } from './seasonal-forecasts.js';

const seas5 = referenceFolder('seas5-burrishoole-feb');
const era5 = referenceFolder('era5-burrishoole-1979-2019');

const MEMBERS = 25;
const variables = [
  { variable: 'precipitation', short: 'precip', column: 'precip_mm', window: 'sum' },
  { variable: 'temp_mean', short: 't2m', column: 't2m_degC', window: 'mean' },
] as const;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The rows of the reference results for one variable, year and reference. */
function expectedRows(column: string, year: number, reference: string) {
  const csv = readReferenceCsv(join(seas5 as string, 'terciles.csv'));
  const [names, months, references] = ['var', 'month', 'reference'].map((name) => csv.text(name));
  const rows = names.flatMap((name, i) =>
    name === column && months[i].startsWith(`${year}-`) && references[i] === reference ? [i] : [],
  );
  const numbers = (name: string) => rows.map((i) => csv.numbers(name)[i]);
  return { months: rows.map((i) => months[i]), numbers };
}

describe.skipIf(seas5 === undefined || era5 === undefined)('terciles of seasonal forecasts of 2011 to 2019', () => {
  it.for(variables)('$variable: every count is exact, against history and against own hindcasts', async (of) => {
    const { variable, short, column } = of;
    const forecasts = await seasonalForecasts(join(seas5 as string, 'all_years_nc4.nc'), short);
    const history = await readTable(readFileSync(join(era5 as string, 'daily.csv')));
    const hindcasts = [...forecasts].filter(([year]) => year <= 2016).map(([, table]) => table);
    const granularity = 'monthly';
    const references: [string, Climatology][] = [
      [
        'era5_1981_2010',
        climatology(core, history, { variable, granularity, reference: '1981-2010', columns: { value: column } }),
      ],
      ['seas5_1993_2016_pooled', climatology(core, hindcasts, { granularity, reference: '1993-2016' })],
    ];
    let rows = 0;
    for (const [reference, normal] of references) {
      for (let year = 2011; year <= 2019; year++) {
        const { months, numbers } = expectedRows(column, year, reference);
        const result = statistics(core, forecasts.get(year) as Table, { climatology: normal });
        expect([...(result.getChild('period') ?? [])]).toEqual(months);
        for (const name of ['below', 'normal', 'above']) {
          const shares = [...(result.getChild(`p_${name}`) ?? [])];
          expect(shares, `${name}, ${reference}`).toEqual(numbers(`n_${name}`).map((count) => count / MEMBERS));
        }
        rows += months.length;
      }
    }
    expect(rows).toBe(126);
  });

  it.for(variables)("$variable: the same with the reference's own thresholds", async (of) => {
    const forecasts = await seasonalForecasts(join(seas5 as string, 'all_years_nc4.nc'), of.short);
    for (const reference of ['era5_1981_2010', 'seas5_1993_2016_pooled']) {
      for (let year = 2011; year <= 2019; year++) {
        const { numbers } = expectedRows(of.column, year, reference);
        const [{ field }] = readEnsemble(forecasts.get(year) as Table).parts;
        const windows = windowTable('monthly', field.firstDay, field.firstDay + field.days - 1);
        const limits = [Float64Array.from(numbers('t33')), Float64Array.from(numbers('t67'))];
        const { categories } = computeStatistics(core, field, windows, {
          ...{ window: of.window, quantiles: [], quantileType: 7, thresholds: [], spread: false, minMemberShare: 1 },
          categories: [{ limits, lower: 1 }],
        });
        const expected = ['n_below', 'n_normal', 'n_above'].map((name) => numbers(name).map((n) => n / MEMBERS));
        expect(categories[0].map((shares) => [...shares])).toEqual(expected);
      }
    }
  });
});
