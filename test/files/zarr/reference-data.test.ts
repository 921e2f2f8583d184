import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { readReferenceCsv } from '../../golden/reference-csv.js';
import { referenceFolder } from '../../reference/data-folder.js';

const folder = referenceFolder('gefs-fcre-2022') ?? '';

describe.skipIf(folder === '')('the GEFS ensemble in Zarr v2 with Blosc', () => {
  it.each([
    ['precip', 'precip_mm_members_daily.csv', 'mm'],
    ['t2m', 't2m_degC_members_daily.csv', 'degC'],
  ])('%s has the values of %s', async (name, csv, units) => {
    const file = await openArrays(join(folder, 'daily.zarr'));
    expect([...file.arrays.keys()].sort()).toEqual(['latitude', 'longitude', 'number', 'precip', 't2m', 'time']);
    const array = file.arrays.get(name);
    expect(array).toMatchObject({ type: 'float64', dimensions: ['number', 'time'], shape: [31, 35], chunk: [10, 7] });
    expect(array?.attributes.get('units')).toBe(units);
    const values = new Float64Array(31 * 35);
    expect(await array?.read({ start: [0, 0], count: [31, 35] }, values)).toEqual([]);
    const table = readReferenceCsv(join(folder, csv));
    for (let member = 0; member < 31; member++) {
      const column = table.numbers(`m${String(member + 1).padStart(2, '0')}`);
      expect([...values.subarray(35 * member, 35 * (member + 1))]).toEqual(column);
    }
  });
});
