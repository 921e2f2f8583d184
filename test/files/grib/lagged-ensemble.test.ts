import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArrayFile } from '../../../src/files/array/open-array-file.node.js';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { referenceFolder } from '../../reference/data-folder.js';
import { quantilePosition } from '../../reference/quantile.js';

/*
 * The lagged ensemble of the reference data in edition 2: 31 days of 4 runs, each with three monthly means of 2 m temperature. Its
 * messages say neither that they are means nor a member: they are runs of a forecast, an instant at the end of each month.
 */
const folder = referenceFolder('grib-cfsv2-seasonal');

interface Oracle {
  readonly levels: readonly number[];
  readonly groups: readonly { readonly mean: number[]; readonly quantile: number[][] }[];
}

const RUNS = 124;
const CELLS = 84;

describe.skipIf(folder === undefined)('the runs of a lagged ensemble', () => {
  const oracle: Oracle = JSON.parse(readFileSync(join(folder ?? '', 'oracle.json'), 'utf8'));

  it.each(['variant_grid_simple.grib', 'variant_grid_ccsds.grib'])(
    'have the mean and the quantiles of the reference data in each month: %s',
    async (name) => {
      const file = await openArrayFile(join(folder as string, name));
      const array = file.arrays.get('2t');
      expect(array?.dimensions).toEqual(['forecast_reference_time', 'step', 'latitude', 'longitude']);
      const values = new Float64Array(array?.shape.reduce((product, length) => product * length, 1) ?? 0);
      await array?.read({ start: [0, 0, 0, 0], count: array.shape }, values);
      await file.close();
      const perRun = values.length / RUNS;
      const months: Float64Array[][] = Array.from({ length: RUNS }, (_, run) => {
        const fields = Array.from({ length: perRun / CELLS }, (_, step) => {
          const at = run * perRun + step * CELLS;
          return values.subarray(at, at + CELLS);
        });
        return fields.filter((field) => !Number.isNaN(field[0]));
      });
      expect(months.every((fields) => fields.length === oracle.groups.length)).toBe(true);
      for (const [month, { mean, quantile }] of oracle.groups.entries()) {
        for (let cell = 0; cell < CELLS; cell++) {
          const members = Float64Array.from(months, (fields) => fields[month][cell]).sort();
          expect(members.reduce((sum, value) => sum + value, 0) / RUNS).toBeCloseTo(mean[cell], 9);
          for (const [i, level] of oracle.levels.entries()) {
            const { low, high, weight } = quantilePosition(7, RUNS, level);
            const expected = members[low] + weight * (members[high] - members[low]);
            expect(expected).toBeCloseTo(quantile[i][cell], 9);
          }
        }
      }
    },
  );

  it('are not joined without being asked for: their times differ', async () => {
    const file = await openArrayFile(join(folder as string, 'variant_grid_simple.grib'));
    await expect(gridEnsemble(file)).rejects.toMatchObject({
      problem: 'dimension forecast_reference_time holds 124 runs',
    });
    await file.close();
  });

  it('of edition 1 are named', async () => {
    await expect(openArrayFile(join(folder as string, 'ncep-seasonal-monthly.grib'))).rejects.toMatchObject({
      problem: 'has no field that is read, but messages of edition 1',
    });
  });
});
