import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { GridOptions } from '../../src/files/cf/grid-options.js';
import { gridEnsemble } from '../../src/files/cf/open-grid-ensemble.js';
import type { GribGrid } from '../../src/files/grib/grid/grid.js';
import { readGridSection } from '../../src/files/grib/grid/read-grid.js';
import { Octets } from '../../src/files/grib/octets.js';
import { casePath } from '../reference/data-folder.js';
import { testRows } from '../reference/documented-rows.js';
import { axesSection, conicSection, mercatorSection, millionths } from '../reference/grib-sections.js';
import { type MemoryArray, memoryFile } from './cf/memory-file.js';
import { openGribBytes } from './grib/grib-bytes.js';

/*
 * The table of places in docs/what-a-value-stands-for.md, row by row.
 */

type Attributes = MemoryArray['attributes'];

/** A grid of two rows and three columns: names, values and attributes of both coordinates. */
interface Axes {
  readonly names?: readonly [string, string];
  readonly rows?: readonly number[];
  readonly columns?: readonly number[];
  readonly of?: readonly [Attributes, Attributes];
  readonly mapping?: Record<string, string | number>;
  readonly isPlane?: boolean;
  readonly options?: GridOptions;
  readonly more?: Record<string, MemoryArray>;
}

const ROWS = [50, 49];
const COLUMNS = [7, 8, 9];
const NORTH = { units: 'degrees_north' };
const EAST = { units: 'degrees_east' };
const ROTATED = {
  grid_mapping_name: 'rotated_latitude_longitude',
  grid_north_pole_latitude: 39.25,
  grid_north_pole_longitude: -162,
};

async function read(axes: Axes) {
  const { names = ['lat', 'lon'], rows = ROWS, columns = COLUMNS, of = [{}, {}], mapping, isPlane, more = {} } = axes;
  const [y, x] = isPlane ? ['row', 'column'] : names;
  const across = (values: readonly number[]) => rows.flatMap((_, r) => columns.map(() => values[r]));
  const coordinates: Record<string, MemoryArray> = isPlane
    ? {
        [names[0]]: { dimensions: { row: 2, column: 3 }, values: across(rows), attributes: of[0] },
        [names[1]]: {
          dimensions: { row: 2, column: 3 },
          values: rows.flatMap(() => [...columns]),
          attributes: of[1],
        },
      }
    : {
        [y]: { dimensions: { [y]: 2 }, values: [...rows], attributes: of[0] },
        [x]: { dimensions: { [x]: 3 }, values: [...columns], attributes: of[1] },
      };
  const file = memoryFile({
    time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2001-01-01' } },
    ...coordinates,
    t2m: {
      dimensions: { time: 1, [y]: 2, [x]: 3 },
      values: [1, 2, 3, 4, 5, 6],
      attributes: {
        units: 'K',
        ...(mapping && { grid_mapping: 'mapping' }),
        ...(isPlane && { coordinates: names.join(' ') }),
      },
    },
    ...(mapping && { mapping: { dimensions: {}, values: [0], attributes: mapping } }),
    ...more,
  });
  const { grid, warnings } = await gridEnsemble(file, { variable: 'temp_mean', ...axes.options });
  return { latitude: [...grid.latitude], longitude: [...grid.longitude], warnings };
}

const grid = (section: Uint8Array, centre = 98): GribGrid =>
  readGridSection(new Octets({ source: 'a.grib2', message: 1, offset: 0 }, 3, section), centre);
const plane = { rows: 6, columns: 7, trueLatitude: 46.5, distances: [200e3, 200e3], scanningMode: 0 } as const;
const lambert = (centre: number, latitude: number, longitude: number) =>
  grid(conicSection({ ...plane, latitude, longitude }, 2, 0, [46.5, 46.5]), centre);
const firstAndLast = ({ latitude }: { readonly latitude: ArrayLike<number> }) =>
  [latitude[0], latitude[latitude.length - 1]].map(Math.round);

/** A turned Mercator grid whose last point is at this longitude. */
function mercator(lastLongitude: number): GribGrid {
  const small = { rows: 2, columns: 3, latitude: 10, longitude: 291, trueLatitude: 20, scanningMode: 0x40 } as const;
  const section = mercatorSection({ ...small, distances: [100e3, 100e3] });
  const view = new DataView(section.buffer);
  for (const [i, degrees] of [10.944, lastLongitude].entries()) view.setUint32(51 + 4 * i, degrees * 1e6);
  view.setUint32(60, 295e6);
  return grid(section);
}

/** A row from 0 to 10 degrees of 101 points, with an increment in millionths of a degree. */
function row(increment: number): ArrayLike<number> {
  const section = axesSection({ rows: 1, columns: 101, latitudes: [0, 0], longitudes: millionths(0, 10) });
  section[54] = 0x20;
  new DataView(section.buffer).setUint32(63, increment);
  return grid(section).places().longitude;
}

/** Rows of 8 and 16 points whose last longitude is this. */
const reduced = (last: number) =>
  grid(
    axesSection({
      rows: 2,
      lengths: [8, 16],
      latitudes: millionths(30, -30),
      longitudes: millionths(0, last),
      rest: [],
    }),
  ).places().longitude;

describe('the table of places', () => {
  testRows('Places', [
    [
      'files of arrays: `standard_name`, else units, else the name',
      async () => {
        const swapped = [{ standard_name: 'longitude' }, { standard_name: 'latitude' }] as const;
        const byStandardName = await read({ names: ['a', 'b'], rows: [7, 8], columns: [50, 49, 48], of: swapped });
        expect([byStandardName.latitude, byStandardName.longitude]).toEqual([
          [50, 49, 48],
          [7, 8],
        ]);
        for (const axes of [
          { names: ['a', 'b'], of: [NORTH, EAST] },
          { names: ['clat', 'clon'] },
          { names: ['y', 'x'], of: [{ units: 'degrees' }, { units: 'degrees' }] },
        ] as const)
          expect(await read(axes)).toMatchObject({ latitude: ROWS, longitude: COLUMNS });
        // The standard name is stronger than the units, and these than the name.
        const stronger = await read({ names: ['lon', 'lat'], of: [NORTH, EAST] });
        expect([stronger.latitude, stronger.longitude]).toEqual([ROWS, COLUMNS]);
        await expect(read({ names: ['a', 'b'] })).rejects.toThrow(/coordinates/);
        const named = await read({ names: ['a', 'b'], options: { coordinates: { latitude: 'a', longitude: 'b' } } });
        expect([named.latitude, named.longitude]).toEqual([ROWS, COLUMNS]);
      },
    ],
    [
      'units of radians; without units, "radians" in the long name',
      async () => {
        const radians = (degrees: readonly number[]) => degrees.map((each) => (each * Math.PI) / 180);
        const stored = { rows: radians(ROWS), columns: radians(COLUMNS) };
        for (const of of [{ units: 'radian' }, { long_name: 'in radians' }] as Attributes[])
          expect(await read({ ...stored, of: [of, of] })).toMatchObject({ latitude: ROWS, longitude: COLUMNS });
        expect((await read(stored)).latitude).not.toEqual(ROWS);
      },
    ],
    [
      'units of `degrees_south`, `degrees_west`',
      async () => {
        const { latitude, longitude } = await read({ of: [{ units: 'degrees_south' }, { units: 'degrees_west' }] });
        expect([latitude, longitude]).toEqual([
          [-50, -49],
          [-7, -8, -9],
        ]);
      },
    ],
    [
      'units of a length, degrees out of range',
      async () => {
        await expect(read({ of: [{ units: 'km' }, { units: 'km' }] })).rejects.toThrow(
          /^test.nc, column lat: is a length, and not in degrees; received "km"; .* by its name; or coordinates/,
        );
        await expect(read({ rows: [50, 500] })).rejects.toThrow(
          /^test.nc, column lat: out of range; received 500; .* by its name; or coordinates/,
        );
      },
    ],
    [
      '`grid_latitude`, "rotated" in the long name, `rlat`, whatever the units',
      async () => {
        const small = { rows: [1, 2], columns: [10, 11, 12] };
        for (const axes of [
          { names: ['rlat', 'rlon'], of: [NORTH, EAST] },
          {
            of: [
              { ...NORTH, long_name: 'rotated latitude' },
              { ...EAST, long_name: 'rotated longitude' },
            ],
          },
          {
            of: [
              { ...NORTH, standard_name: 'grid_latitude' },
              { ...EAST, standard_name: 'grid_longitude' },
            ],
          },
        ] as const) {
          await expect(read({ ...small, ...axes })).rejects.toThrow('but are on a rotated grid');
          const { latitude } = await read({ ...small, ...axes, mapping: ROTATED });
          expect([latitude.length, latitude[0] > 40]).toEqual([6, true]);
        }
      },
    ],
    [
      'latitudes and longitudes of an array that names a rotated `grid_mapping`, along two dimensions, without standard names',
      async () => {
        const { latitude } = await read({ rows: [1, 2], columns: [10, 11, 12], of: [NORTH, EAST], mapping: ROTATED });
        expect([latitude.length, latitude[0] > 40]).toEqual([6, true]);
      },
    ],
    [
      '`standard_name: latitude` of an array that names a rotated `grid_mapping`',
      async () => {
        const of = [
          { ...NORTH, standard_name: 'latitude' },
          { ...EAST, standard_name: 'longitude' },
        ] as const;
        const { latitude, warnings } = await read({ rows: [1, 2], columns: [10, 11, 12], of, mapping: ROTATED });
        expect(latitude).toEqual([1, 2]);
        expect(warnings).toEqual([expect.stringMatching(/rotated/)]);
      },
    ],
    [
      '`y`, `x` in degrees, and a grid mapping of a plane',
      async () => {
        const mapping = { grid_mapping_name: 'sinusoidal', longitude_of_central_meridian: 0, earth_radius: 6_371_007 };
        const of = [{ units: 'degrees' }, { units: 'degrees' }] as const;
        const names = ['y', 'x'] as const;
        expect((await read({ names, of })).longitude).toEqual(COLUMNS);
        await expect(read({ names, of, mapping })).rejects.toThrow('has units that do not fit its grid mapping');
        // A degree of a view from space is 625 km on the ground below.
        const space = {
          ...{ grid_mapping_name: 'geostationary', perspective_point_height: 35_786_400, sweep_angle_axis: 'y' },
          ...{ longitude_of_projection_origin: 0, semi_major_axis: 6_378_137, semi_minor_axis: 6_356_752.3 },
        };
        const seen = await read({ names, of, mapping: space, rows: [1, 0.5], columns: [-1, 0, 1] });
        expect([seen.latitude[0], seen.longitude[0], seen.longitude[1]].map(Math.round)).toEqual([6, -6, 0]);
        const inMetres = [
          { units: 'm', standard_name: 'projection_y_coordinate' },
          { units: 'm', standard_name: 'projection_x_coordinate' },
        ] as const;
        const metres = { names, of: inMetres, mapping, rows: [5e6, 4.9e6], columns: [1e5, 2e5, 3e5] };
        expect((await read(metres)).latitude[0]).toBeCloseTo((5e6 / 6_371_007 / Math.PI) * 180, 9);
      },
    ],
    [
      'GRIB: first point, scanning mode, distances',
      () => {
        const places = (scanningMode: number) =>
          grid(
            axesSection({ rows: 1, columns: 3, latitudes: [0, 0], longitudes: millionths(2, 358), scanningMode }),
          ).places().longitude;
        expect([...places(0x80)]).toEqual([2, 0, -2]);
        expect(places(0)[1]).not.toBe(0);
        expect(() => places(0x08)).toThrow('rows that are offset against each other');
      },
    ],
    [
      'Lambert, rows southwards, where the grid would leave the domain of its centre',
      () => {
        const { notice, places } = lambert(85, 41.6, -5.2);
        expect(firstAndLast(places())).toEqual([42, 51]);
        expect(notice).toMatch(/northwards \(41.* to 5.* southwards \(.*grib_set -s jScansPositively=1/);
        expect(lambert(85, 50.5, -6.5).notice).toBeUndefined();
      },
    ],
    [
      'the same of another centre',
      () => {
        expect(() => lambert(7, 41.6, -5.2)).toThrow(/southwards from its south-western corner.*jScansPositively=1/);
      },
    ],
    [
      'Mercator with an orientation, whose last point fits rows along parallels',
      () => {
        const { latitude } = mercator(292.91).places();
        expect(latitude[2]).toBeCloseTo(latitude[0], 9);
      },
    ],
    [
      'the same with another last point',
      () => {
        expect(() => mercator(294)).toThrow('has a Mercator grid that is turned; received "295 degrees"');
      },
    ],
    [
      'rows of different lengths, to any longitude between the end of the longest row and 360',
      () => {
        for (const last of [337.5, 350, 359.9, 360]) expect([...reduced(last)].slice(0, 3)).toEqual([0, 45, 90]);
        expect(() => reduced(300)).toThrow('rows of different lengths on a part of the circle');
      },
    ],
    [
      'increments that differ from (last - first) / (n - 1) by up to a tenth of one along the row, or by up to 0.001 degrees where all are whole thousandths, as in edition 1',
      () => {
        for (const increment of [100_000, 100_090, 99_910, 99_000]) expect(row(increment)[50]).toBe(5);
      },
    ],
    [
      'increments that differ by more',
      () => {
        for (const increment of [100_110, 98_000]) expect(() => row(increment)).toThrow('longitudes that contradict');
      },
    ],
    [
      'distances of points with their first bit set',
      () => {
        const forwards = conicSection({ ...plane, latitude: 60, longitude: 10 }, 30, 0);
        for (const negative of [2 ** 31 + 200e6, 2 ** 32 - 200e6]) {
          const backwards = forwards.slice();
          new DataView(backwards.buffer).setUint32(59, negative);
          expect(grid(backwards).places()).toEqual(grid(forwards).places());
        }
      },
    ],
    [
      'bits 4 to 8 of the scanning mode of edition 1',
      async () => {
        const path = casePath('runs/monthly-means-of-two-runs.grib');
        if (path === undefined) return;
        const placesOf = async (flags: number) => {
          const bytes = readFileSync(path);
          const message = bytes.subarray(0, bytes[4] * 65_536 + bytes[5] * 256 + bytes[6]).slice();
          const section2 = 8 + message[8] * 65_536 + message[9] * 256 + message[10];
          message[section2 + 27] |= flags;
          const file = await openGribBytes(message, { source: 'a.grib' });
          const found = [...file.arrays.values()].find(({ name }) => name === 'latitude');
          const values = new Float64Array(found?.shape[0] ?? 0);
          await found?.read({ start: [0], count: [values.length] }, values);
          return [...values];
        };
        const plain = await placesOf(0);
        expect(plain.length).toBeGreaterThan(1);
        expect(await placesOf(0x1f)).toEqual(plain);
        await expect(placesOf(0x40)).rejects.toThrow('scanning northwards');
      },
    ],
  ]);
});
