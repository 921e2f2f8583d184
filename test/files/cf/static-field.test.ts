import { describe, expect, it } from 'vitest';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { readLandMask } from '../../../src/files/cf/land-mask.js';
import { orographyTable } from '../../../src/files/cf/orography.js';
import { landOnGrid } from '../../../src/files/cf/static-field.js';
import { coordinates, memoryFile } from './memory-file.js';

const [LATITUDES, LONGITUDES] = [
  [50, 49, 48],
  [5, 6, 7, 8],
];
/** A value for each cell, row by row. */
const numberAt = (row: number, column: number) => (row * 4 + column) / 16;
const CELLS = LATITUDES.flatMap((_, row) => LONGITUDES.map((_, column) => numberAt(row, column)));
type Order = readonly string[];
const ORDERS: readonly Order[] = [
  ['latitude', 'longitude'],
  ['longitude', 'latitude'],
];

/** A field that is stored in an order of its dimensions. */
function field([first]: Order, attributes: Record<string, string>) {
  const byColumn = LONGITUDES.flatMap((_, column) => LATITUDES.map((_, row) => numberAt(row, column)));
  const dimensions: Record<string, number> =
    first === 'latitude' ? { latitude: 3, longitude: 4 } : { longitude: 4, latitude: 3 };
  return { type: 'float64' as const, dimensions, values: first === 'latitude' ? CELLS : byColumn, attributes };
}

const places = coordinates({ latitude: LATITUDES, longitude: LONGITUDES }, { units: 'days since 2026-03-02' });
const air = (order: Order) => ({
  ...{ type: 'float32' as const, values: Array.from({ length: 24 }, (_, i) => i) },
  dimensions: { time: 2, ...field(order, {}).dimensions },
  attributes: { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' },
});
const TIME = { dimensions: { time: 2 }, values: [0, 1], attributes: { units: 'days since 2026-03-02' } };
const LAND = { standard_name: 'land_binary_mask', units: '1' };

describe.each(ORDERS)('a field along %s and %s', (...order) => {
  it('has the heights of its cells', async () => {
    const orog = field(order, { standard_name: 'surface_altitude', units: 'm' });
    const table = await orographyTable(memoryFile({ ...places, orog }));
    const rows = table.toArray().map((row) => [row?.latitude, row?.longitude, row?.elevation]);
    const expected = LATITUDES.flatMap((latitude, row) =>
      LONGITUDES.map((longitude, column) => [latitude, longitude, numberAt(row, column)]),
    );
    expect(rows).toEqual(expected);
  });

  it.each(ORDERS)('is the mask of values along %s and %s, from another file and its own', async (...other) => {
    const lsm = field(order, LAND);
    const file = memoryFile({ ...places, time: TIME, t2m: air(other), lsm });
    const ensemble = await gridEnsemble(file, { variable: 'temp_mean' });
    expect(Array.from((await readLandMask(file, ensemble)) ?? [])).toEqual(CELLS);
    const land = await landOnGrid(memoryFile({ ...places, lsm }), ensemble.grid, 'run.nc');
    expect(Array.from(land)).toEqual(CELLS);
  });
});
