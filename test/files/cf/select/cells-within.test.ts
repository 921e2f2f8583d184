import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../../src/core/load.js';
import type { BoundingBox } from '../../../../src/ensemble/bounding-box.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const range = (length: number) => Array.from({ length }, (_, i) => i);
const box = (south: number, west: number, north: number, east: number): BoundingBox => ({ south, west, north, east });
const NORTH = { units: 'degrees_north' };
const EAST = { units: 'degrees_east' };
const MEMBERS = 2;
const DAYS = 3;

/** A file of temperatures that are equal to their index, with these dimensions of cells after members and days. */
function fileOf(cells: Record<string, number>, coordinates: Record<string, MemoryArray>, chunk?: readonly number[]) {
  const dimensions = { number: MEMBERS, time: DAYS, ...cells };
  const values = range(Object.values(dimensions).reduce((product, n) => product * n, 1));
  return memoryFile({
    time: { dimensions: { time: DAYS }, values: range(DAYS), attributes: { units: 'days since 2026-03-02' } },
    ...coordinates,
    t2m: { type: 'float64', dimensions, values, attributes: { units: 'degC' }, ...(chunk && { chunk }) },
  });
}

function rectilinear(latitudes: readonly number[], longitudes: readonly number[], chunk?: readonly number[]) {
  const [lat, lon] = [latitudes.length, longitudes.length];
  return fileOf(
    { lat, lon },
    {
      lat: { dimensions: { lat }, values: latitudes, attributes: NORTH },
      lon: { dimensions: { lon }, values: longitudes, attributes: EAST },
    },
    chunk,
  );
}

/** Latitude, longitude and the values of each member and day of each cell, of the complete file and within a box. */
async function cellsOf(file: ReturnType<typeof fileOf>, bbox?: BoundingBox) {
  const ensemble = await gridEnsemble(file, { ...(bbox && { bbox }) });
  const values = await dailyValues(ensemble, core);
  const { latitude, longitude } = await ensemble.read({ cell: 0, cells: ensemble.cells, day: 0, days: 1 }, core);
  const cells = range(ensemble.cells).map((cell) => ({
    latitude: latitude[cell],
    longitude: longitude[cell],
    values: values.map((member) => member[cell]),
  }));
  return { ensemble, cells };
}

/** The cells of the complete file that are within a box, in any order. */
async function expectSelected(file: ReturnType<typeof fileOf>, bbox: BoundingBox) {
  const { south, west, north, east } = bbox;
  const turn = (degrees: number) => ((degrees % 360) + 360) % 360;
  const all = await cellsOf(file);
  const expected = all.cells.filter(
    ({ latitude, longitude }) =>
      latitude >= south && latitude <= north && (east - west >= 360 || turn(longitude - west) <= turn(east - west)),
  );
  const selected = await cellsOf(file, bbox);
  const sorted = (cells: typeof expected) =>
    cells
      .map((cell) => ({ ...cell, longitude: turn(cell.longitude) }))
      .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
  expect(sorted(selected.cells)).toEqual(sorted(expected));
  expect(selected.ensemble.conversions[0]).toMatch(`${expected.length} of ${all.cells.length} cells are within`);
  return { expected, ...selected };
}

const WORLD = range(36).map((i) => 10 * i);
const CENTRED = WORLD.map((degrees) => degrees - 180);
const ROWS = [60, 50, 40, 30];

describe('a box of a rectilinear grid', () => {
  it.each([
    ['within the grid, its edges included', WORLD, box(30, 100, 50, 120), [100, 110, 120]],
    ['with longitudes of the other form', WORLD, box(30, -100, 50, -80), [260, 270, 280]],
    ['over the meridian where the grid begins', WORLD, box(30, -15, 50, 15), [-10, 0, 10]],
    ['over it, from 350 to 10', WORLD, box(30, 350, 50, 10), [-10, 0, 10]],
    ['over the date line', CENTRED, box(30, 165, 50, -165), [170, 180, 190]],
    ['over the date line of a grid from 0 to 360', WORLD, box(30, 165, 50, -165), [170, 180, 190]],
    ['of one column', WORLD, box(30, 20, 50, 20), [20]],
    ['around the earth', CENTRED, box(30, -180, 50, 180), CENTRED],
    ['around the earth, from 0 to 360', CENTRED, box(30, 0, 50, 360), CENTRED],
    [
      'over more than half of the earth, whose longitudes stay in order',
      WORLD,
      box(30, 95, 50, 85),
      WORLD.filter((d) => d !== 90),
    ],
    ['of a grid from east to west', WORLD.toReversed(), box(30, -15, 50, 15), [10, 0, -10]],
    [
      'of a grid that begins elsewhere',
      [...WORLD.slice(18), ...WORLD.slice(0, 18)],
      box(30, -15, 50, 15),
      [350, 0, 10],
    ],
    ['of a grid that has 0 and 360', [...WORLD, 360], box(30, -15, 50, 15), [-10, 0, 10]],
  ])('%s', async (_, longitudes, bbox, expected) => {
    const file = rectilinear(ROWS, longitudes);
    const { ensemble } = longitudes.length === 37 ? await cellsOf(file, bbox) : await expectSelected(file, bbox);
    expect(ensemble.grid).toMatchObject({ kind: 'rectilinear', latitude: Float64Array.of(50, 40, 30) });
    expect([...ensemble.grid.longitude]).toEqual(expected);
  });

  it('has places whose coordinates differ from its edges by rounding', async () => {
    const { ensemble } = await cellsOf(rectilinear([0.1 + 0.2], [10, 10.1 + 0.2]), box(0.3, 10.3, 0.3, 10.3));
    expect(ensemble.cells).toBe(1);
  });

  it('has the values of the complete file in each block, read from fields and from series', async () => {
    const file = rectilinear(ROWS, WORLD);
    const bbox = box(35, 340, 65, 25);
    const { cells } = await expectSelected(file, bbox);
    const ensemble = await gridEnsemble(file, { bbox });
    const days = range(DAYS);
    const values = await dailyValues(ensemble, core, { bytes: 500, cuts: days });
    expect(ensemble.blocks(500, days).length).toBeGreaterThan(1);
    expect(cells.map((cell) => cell.values)).toEqual(range(ensemble.cells).map((cell) => values.map((m) => m[cell])));
    const series = memoryFile({
      time: { dimensions: { time: DAYS }, values: range(DAYS), attributes: { units: 'days since 2026-03-02' } },
      lat: { dimensions: { lat: 2 }, values: [1, 2], attributes: NORTH },
      lon: { dimensions: { lon: 4 }, values: [0, 90, 180, 270], attributes: EAST },
      t2m: { dimensions: { lat: 2, lon: 4, time: DAYS }, values: range(24), attributes: { units: 'degC' } },
    });
    await expectSelected(series, box(2, 260, 3, 10));
  });

  it('reads only the chunks, or the values, that it needs', async () => {
    const chunked = rectilinear(ROWS, WORLD, [1, 1, 2, 9]);
    await dailyValues(await gridEnsemble(chunked, { bbox: box(30, -15, 40, 15) }), core);
    // The lower rows of the first and the last columns.
    const decoded = [...chunked.reads.chunks].filter(([key]) => key.startsWith('t2m'));
    expect(decoded.map(([key]) => key.slice(-4)).sort()).toEqual(
      range(MEMBERS * DAYS)
        .flatMap(() => ['.1.0'])
        .concat(range(MEMBERS * DAYS).flatMap(() => ['.1.3'])),
    );
    expect(decoded.every(([, count]) => count === 1)).toBe(true);
    const contiguous = rectilinear(
      ROWS,
      range(9000).map((i) => i / 25),
    );
    await dailyValues(await gridEnsemble(contiguous, { bbox: box(30, -0.04, 40, 0.04) }), core);
    const read = contiguous.reads.boxes.get('t2m') ?? [];
    expect(read.reduce((sum, { count }) => sum + count.reduce((a, b) => a * b, 1), 0)).toBe(MEMBERS * DAYS * 2 * 3);
  });

  it('of large fields in one chunk holds one of them at a time', async () => {
    const file = rectilinear(ROWS, WORLD, [1, 1, 4, 36]);
    await expectSelected(file, box(30, -15, 40, 15));
    const wide = (file.reads.boxes.get('t2m') ?? []).filter(({ count }) => count[3] > 4 && count[2] < 4);
    expect(wide.length).toBeGreaterThan(0);
    expect(wide.every(({ count }) => count[0] * count[1] === 1)).toBe(true);
  });

  it('without cells is an error that names the extent of the grid', async () => {
    const file = rectilinear(ROWS, WORLD);
    await expect(gridEnsemble(file, { bbox: box(-40, 100, -20, 120) })).rejects.toMatchObject({
      ...{ tag: 'option', subject: 'test.nc, bbox', problem: 'no cell has its centre within the box' },
      received: 'latitude -40 to -20, longitude 100 to 120',
      allowed: 'a box with cells, which are at latitude 30 to 60, longitude 0 to 350',
    });
    await expect(gridEnsemble(file, { bbox: box(41, 101, 49, 109) })).rejects.toMatchObject({ tag: 'option' });
  });
});

describe('a box of cells with a latitude and longitude each', () => {
  const stations = {
    latitude: [10, 20, Number.NaN, 40, 50, 20],
    longitude: [0, 170, 0, -175, 185, 90],
  };

  it('has the stations within it', async () => {
    const station = stations.latitude.length;
    const file = fileOf(
      { station },
      {
        lat: { dimensions: { station }, values: stations.latitude, attributes: NORTH },
        lon: { dimensions: { station }, values: stations.longitude, attributes: EAST },
      },
    );
    const { ensemble } = await expectSelected(file, box(15, 160, 60, -170));
    expect(ensemble.grid).toMatchObject({ kind: 'places', shape: [3], latitude: Float64Array.of(20, 40, 50) });
  });

  const [rows, columns] = [5, 6];
  const cells = range(rows * columns);
  const plane = (time: 'first' | 'between') => {
    const latitude = cells.map((i) => 50 - Math.floor(i / columns) + 0.3 * (i % columns));
    const longitude = cells.map((i) => 358 + (i % columns) + 0.2 * Math.floor(i / columns)).map((d) => d % 360);
    const dimensions = { y: rows, x: columns };
    const coordinates = {
      lat: { dimensions, values: latitude, attributes: NORTH },
      lon: { dimensions, values: longitude, attributes: EAST },
    };
    if (time === 'first') return fileOf(dimensions, coordinates);
    const values = range(DAYS * rows * columns);
    return memoryFile({
      time: { dimensions: { time: DAYS }, values: range(DAYS), attributes: { units: 'days since 2026-03-02' } },
      ...coordinates,
      t2m: { dimensions: { y: rows, time: DAYS, x: columns }, values, attributes: { units: 'degC' } },
    });
  };

  it.each(['first', 'between'] as const)(
    'has the cells of a curvilinear grid as a list of places: time %s',
    async (time) => {
      const { ensemble, expected } = await expectSelected(plane(time), box(47.5, -1, 49.4, 1.5));
      expect(expected.length).toBeGreaterThan(3);
      expect(ensemble.grid).toMatchObject({ kind: 'places', shape: [expected.length] });
      const values = await dailyValues(ensemble, core, { bytes: 300, cuts: range(DAYS) });
      expect(values).toEqual(await dailyValues(ensemble, core));
    },
  );

  it('stays a grid where it has all cells of some rows and columns', async () => {
    const { ensemble } = await expectSelected(plane('first'), box(-90, -180, 90, 180));
    expect(ensemble.grid).toMatchObject({ kind: 'places', shape: [rows, columns] });
  });

  it('has a single place, or is an error', async () => {
    const file = () =>
      fileOf({}, { lat: { values: [50], attributes: NORTH }, lon: { values: [10], attributes: EAST } });
    expect((await cellsOf(file(), box(45, 5, 55, 15))).ensemble.cells).toBe(1);
    await expect(gridEnsemble(file(), { bbox: box(45, 11, 55, 15) })).rejects.toMatchObject({ tag: 'option' });
    await expect(gridEnsemble(fileOf({}, {}), { bbox: box(0, 0, 1, 1) })).rejects.toMatchObject({
      ...{ tag: 'data', problem: 'has no coordinates to find a box by' },
    });
  });
});

describe('values of a box that were never written', () => {
  it('are missing, of all types of numbers', async () => {
    const isThere = ([, lat, lon]: readonly number[]) => lat === 0 || lon === 0 || lon === 35;
    for (const type of ['float32', 'int16'] as const) {
      const dimensions = { time: DAYS, lat: 2, lon: 36 };
      const file = memoryFile({
        time: { dimensions: { time: DAYS }, values: range(DAYS), attributes: { units: 'days since 2026-03-02' } },
        lat: { dimensions: { lat: 2 }, values: [1, 2], attributes: NORTH },
        lon: { dimensions: { lon: 36 }, values: WORLD, attributes: EAST },
        t2m: { type, dimensions, values: range(DAYS * 72), attributes: { units: 'degC' }, isThere },
      });
      const ensemble = await gridEnsemble(file, { bbox: box(1, -20, 2, 10) });
      const [member] = await dailyValues(ensemble, core);
      const lastRow = member.slice(4).map((days) => days.map((value) => !Number.isNaN(value)));
      expect(lastRow).toEqual([false, true, true, false].map((is) => Array(DAYS).fill(is)));
      expect(member.slice(0, 4).map(([first]) => first)).toEqual([34, 35, 0, 1]);
    }
  });
});

describe('the option bbox', () => {
  it.each([
    [box(91, 0, 92, 1), 'south cannot be used'],
    [box(0, -181, 1, 0), 'west cannot be used'],
    [box(0, 0, 1, Number.NaN), 'east cannot be used'],
    [box(10, 0, 5, 1), 'its south is greater than its north'],
  ])('%o is an error', async (bbox, problem) => {
    await expect(gridEnsemble(rectilinear(ROWS, WORLD), { bbox })).rejects.toMatchObject({
      ...{ tag: 'option', subject: 'bbox', problem },
    });
  });
});
