import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { tableNetcdf } from '../../../src/files/cf/table-ensemble.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { dailyTable } from '../../../src/table/daily/index.js';

const core = await loadCore();
const snow = tableFromArrays({ date: ['2026-03-02', '2026-03-03'], snowiness: Float64Array.of(0, 1) });
const options = { variable: 'snowiness', window: 'mean', granularity: 'weekly', partial: true } as const;

describe('units that are given for a column that means no known variable', () => {
  it('are the units of results', () => {
    const { table } = dailyTable(snow, { units: 'm' });
    expect(statistics(core, table, options).get(0)).toMatchObject({ variable: 'snowiness', units: 'm', mean: 0.5 });
    expect(statistics(core, snow, options).get(0)?.units).toBeNull();
  });

  it('are the units of the array in NetCDF', () => {
    const { arrays } = tableNetcdf(dailyTable(snow, { units: 'm' }).table);
    expect(arrays.find(({ name }) => name === 'snowiness')?.attributes.get('units')).toBe('m');
  });

  it('leave columns as they are, of which one is named', () => {
    const several = snow.assign(tableFromArrays({ other: Float64Array.of(7, 8) }));
    const { table, columns } = dailyTable(several, { units: 'm', columns: { value: 'snowiness' } });
    expect(statistics(core, table, { ...options, columns }).get(0)).toMatchObject({ units: 'm', mean: 0.5 });
  });

  it('are an error where the table states others', () => {
    const stated = tableFromArrays({
      ...{ date: ['2026-03-02', '2026-03-03'], snowiness: Float64Array.of(0, 1), units: ['cm', 'cm'] },
    });
    expect(() => dailyTable(stated, { units: 'K' })).toThrow(/units: not those that the table states/);
  });
});
