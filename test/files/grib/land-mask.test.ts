import { describe, expect, it } from 'vitest';
import { readLandMask } from '../../../src/files/cf/land-mask.js';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { ensembleAtPoint } from '../../../src/files/cf/table-at-point.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { gribFile, T2M, type TestField } from './write-grib.js';

const days = [0, 6, 12, 18].map((step): TestField => ({ ...T2M, step, columns: 3, value: 280 }));
const mask = (value: number): TestField => ({ discipline: 2, category: 0, number: 0, surface: 1, columns: 3, value });
/** Cells at 10, 11 and 12 degrees east. */
const open = async (fields: readonly TestField[]) => {
  const file = await openArrays(gribFile(fields), { source: 'run.grib2' });
  const ensemble = await gridEnsemble(file, { variable: 'temp_mean' });
  return { ensemble, land: await readLandMask(file, ensemble) };
};

describe('the cell at a point', () => {
  it('is the nearest one of land, where the file has a land mask on the same grid', async () => {
    const { ensemble, land } = await open([...days, mask(1)]);
    expect([...(land ?? [])]).toEqual([1, 1, 1]);
    const at = (shares: number[]) =>
      ensembleAtPoint(ensemble, { latitude: 50, longitude: 11.2 }, Float64Array.from(shares)).grid.longitude[0];
    expect(at([1, 1, 1])).toBe(11);
    expect(at([1, 0.4, 1])).toBe(12);
    expect(at([1, 0.5, 1])).toBe(11);
    // No other cell of land is within a step.
    expect(at([0, 0, 0])).toBe(11);
  });

  it('is the nearest one where there is no land mask, or one of another grid', async () => {
    expect((await open(days)).land).toBe(undefined);
    expect((await open([...days, { ...mask(1), columns: 2 }])).land).toBe(undefined);
  });
});
