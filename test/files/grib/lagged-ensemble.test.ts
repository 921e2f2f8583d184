import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { referenceFolder } from '../../reference/data-folder.js';
import { quantilePosition } from '../../reference/quantile.js';
import { arrayLines } from './array-lines.js';

/*
 * The lagged ensemble of the reference data: 31 days of 4 runs, each with three monthly means of 2 m temperature.
 * Messages of edition 1 state the month of each. Those of edition 2 say neither that they are means nor a member: they
 * are runs of a forecast, an instant at the end of each month.
 */
const folder = referenceFolder('grib-cfsv2-seasonal');

interface Oracle {
  readonly levels: readonly number[];
  readonly groups: readonly { readonly mean: number[]; readonly quantile: number[][] }[];
}

const RUNS = 124;
const CELLS = 84;

describe.skipIf(folder === undefined)('the runs of a lagged ensemble', () => {
  let oracle: Oracle;
  beforeAll(() => {
    oracle = JSON.parse(readFileSync(join(folder as string, 'oracle.json'), 'utf8'));
  });

  /** Expects the mean and the quantiles of the reference data of fields by run and month. */
  function expectOracle(months: readonly (readonly Float64Array[])[]): void {
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
  }

  it.each(['variant_grid_simple.grib', 'variant_grid_ccsds.grib'])(
    'have the mean and the quantiles of the reference data in each month: %s',
    async (name) => {
      const file = await openArrays(join(folder as string, name));
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
      expectOracle(months);
    },
  );

  it('are not joined without being asked for: their times differ', async () => {
    const file = await openArrays(join(folder as string, 'variant_grid_simple.grib'));
    await expect(gridEnsemble(file)).rejects.toMatchObject({
      problem: 'dimension forecast_reference_time holds 124 runs',
    });
    await file.close();
  });

  it.each(['ncep-seasonal-monthly.grib', 'variant_grid_second_order.grib'])(
    'are the members of one ensemble in edition 1, with its mean and quantiles in each month: %s',
    async (name) => {
      const file = await openArrays(join(folder as string, name));
      expect(file.notices).toEqual([]);
      expect(arrayLines(file)[0]).toBe('2t (number 124, time 3, latitude 7, longitude 12) K');
      const array = file.arrays.get('2t');
      expect(array?.attributes.get('GRIB_stepType')).toBe('avg');
      const values = new Float64Array(RUNS * oracle.groups.length * CELLS);
      await array?.read({ start: [0, 0, 0, 0], count: array.shape }, values);
      const bounds = new Float64Array(6);
      await file.arrays.get('time_bounds')?.read({ start: [0, 0], count: [3, 2] }, bounds);
      await file.close();
      const month = (index: number) => Date.UTC(2021, 8 + index) / 1000;
      expect([...bounds]).toEqual([month(0), month(1), month(1), month(2), month(2), month(3)]);
      const field = (run: number, time: number) => {
        const at = (run * oracle.groups.length + time) * CELLS;
        return values.subarray(at, at + CELLS);
      };
      expectOracle(Array.from({ length: RUNS }, (_, run) => oracle.groups.map((_, time) => field(run, time))));
    },
  );
});
