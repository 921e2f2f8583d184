import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import { tableOverRegions } from '../../../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../../../src/files/node.js';

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-shares-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [LATITUDES, LONGITUDES] = [
  [1, 0],
  [10, 11, 12],
];
const [MEMBERS, DAYS] = [3, 2];

/** The share of the western half of the grid, and of all of it, with the cells that `isMissing` says. */
async function shares(isMissing: (member: number, day: number, cell: number) => boolean): Promise<number[]> {
  const path = join(folder, 'run.nc');
  const cells = LATITUDES.length * LONGITUDES.length;
  const numbers = (name: string, dimensions: string[], values: number[] | Float32Array, attributes: object) => ({
    ...{ name, dimensions, type: values instanceof Float32Array ? 'float32' : 'float64' },
    ...{ values: values instanceof Float32Array ? values : Float64Array.from(values) },
    attributes: new Map(Object.entries(attributes)),
  });
  const values = Float32Array.from({ length: MEMBERS * DAYS * cells }, (_, i) =>
    isMissing(Math.floor(i / (DAYS * cells)), Math.floor(i / cells) % DAYS, i % cells) ? Number.NaN : i,
  );
  await writeNetcdf(path, {
    attributes: new Map(),
    dimensions: new Map(Object.entries({ number: MEMBERS, time: DAYS, latitude: 2, longitude: 3 })),
    arrays: [
      numbers('latitude', ['latitude'], LATITUDES, { units: 'degrees_north' }),
      numbers('longitude', ['longitude'], LONGITUDES, { units: 'degrees_east' }),
      numbers('number', ['number'], [0, 1, 2], { units: '1' }),
      numbers('time', ['time'], [0, 1], { units: 'days since 2026-03-02' }),
      numbers('t2m', ['number', 'time', 'latitude', 'longitude'], values, {
        ...{ units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' },
      }),
    ],
  } as never);
  const file = await openArrays(path);
  try {
    const box = { south: -0.5, west: 9.5, north: 1.5, east: 11.5 };
    const { table } = await tableOverRegions(core, file, box, { variable: 'temp_mean' });
    return Array.from(table, ({ area_share }) => area_share);
  } finally {
    await file.close();
  }
}

describe('area_share of regions', () => {
  it.each<[string, (member: number, day: number, cell: number) => boolean, number]>([
    ['is all of it where no cell lacks a value', () => false, 1],
    ['is all of it where cells of other regions lack one', (_, __, cell) => cell === 2, 1],
    ['is that of the member that has most, if it is not the first', (member, _, cell) => member < 2 && cell === 0, 1],
    ['is that of the first member, if it has most', (member, _, cell) => member > 0 && cell === 0, 1],
    ['lacks cells that no member has', (_, __, cell) => cell === 0, 0.75],
    ['is that of the first day', (_, day, cell) => day === 1 && cell === 0, 1],
    ['is that of the last day, if the first has none', (_, day, cell) => day === 0 || cell === 4, 0.75],
  ])('%s', async (_, isMissing, share) => {
    const found = await shares(isMissing);
    expect(found).toHaveLength(DAYS);
    for (const one of found) expect(one).toBeCloseTo(share, 4);
  });
});
