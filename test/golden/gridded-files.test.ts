import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { openArrayFile } from '../../src/formats/open-array-file.node.js';
import { type GridEnsemble, type GridOptions, gridEnsemble } from '../../src/grid/index.js';
import { formatDate } from '../../src/period/day.js';
import { dailyValues } from '../grid/daily-values.js';
import { referenceFolder } from '../reference/data-folder.js';
import { readReferenceCsv } from './reference-csv.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The daily values of a file, by member and cell, with what is known of them. */
async function read(path: string, options: GridOptions): Promise<{ ensemble: GridEnsemble; values: number[][][] }> {
  const file = await openArrayFile(path);
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
