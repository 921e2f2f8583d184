import { describe, expect, it } from 'vitest';
import type { Grid } from '../../../../src/ensemble/grid.js';
import { PlaceIndex } from '../../../../src/ensemble/place-index.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { ensembleAtPoint } from '../../../../src/files/cf/table-at-point.js';
import { memoryFile } from '../memory-file.js';
import { type Attributes, AXES, cases, METRES, type Parts, projectedFile, type Reference } from './projected-file.js';

async function gridOf(parts: Parts): Promise<Grid> {
  return (await gridEnsemble(projectedFile(parts))).grid;
}

/** The latitude and longitude of a cell, in the order of rows. */
function placeOf(grid: Grid, row: number, column: number, columns: number): [number, number] {
  const cell = row * columns + column;
  return grid.kind === 'rectilinear'
    ? [grid.latitude[row], grid.longitude[column]]
    : [grid.latitude[cell], grid.longitude[cell]];
}

describe('cells on a plane have the places that pyproj gives', () => {
  for (const { mapping, points } of cases) {
    const { grid_mapping_name: name, ...numbers } = mapping;
    it(`${name}: ${Object.values(numbers).join(' ')}`, async () => {
      const [y, x] = [points.map((point) => point[1]), points.map((point) => point[0])];
      const grid = await gridOf({ y, x, mapping, axes: AXES[name] });
      for (const [i, [, , latitude, longitude]] of points.entries()) {
        const place = placeOf(grid, i, i, points.length);
        if (latitude === null || longitude === null) expect(place).toEqual([Number.NaN, Number.NaN]);
        else {
          expect(Math.abs(place[0] - latitude)).toBeLessThan(1e-6);
          expect(Math.abs(Math.sin(((place[1] - longitude) * Math.PI) / 360))).toBeLessThan(1e-8);
        }
      }
    });
  }
});

const LAMBERT = cases[0].mapping;

describe('a grid mapping', () => {
  const [y, x] = [
    [0, 100_000],
    [-50_000, 0, 50_000],
  ];

  it('is found by the long form of its attribute, and where the file has only one', async () => {
    const grid = await gridOf({ y, x, mapping: LAMBERT });
    expect(grid).toMatchObject({ kind: 'places', shape: [2, 3] });
    expect(await gridOf({ y, x, mapping: LAMBERT, attributes: { grid_mapping: 'crs: x y' } })).toEqual(grid);
    expect(await gridOf({ y, x, mapping: LAMBERT, attributes: {} })).toEqual(grid);
  });

  it('takes kilometres, and dimensions in the other order', async () => {
    const grid = await gridOf({ y, x, mapping: LAMBERT });
    const kilometres = METRES.map((attributes) => ({ ...attributes, units: 'km' })) as unknown as Parts['axes'];
    const inKilometres = { y: [0, 100], x: [-50, 0, 50], mapping: LAMBERT, axes: kilometres };
    expect(await gridOf(inKilometres)).toEqual(grid);
    const turned = await gridOf({ y, x, mapping: LAMBERT, names: ['x', 'y'] });
    expect(turned).toMatchObject({ shape: [3, 2] });
    expect(turned.latitude[1 * 2 + 0]).toBe(grid.latitude[0 * 3 + 1]);
    expect(turned.longitude[2 * 2 + 1]).toBe(grid.longitude[1 * 3 + 2]);
  });

  it('makes rows and columns of latitudes and longitudes of Mercator', async () => {
    const grid = await gridOf({ y, x, mapping: { grid_mapping_name: 'mercator', earth_radius: 6_371_000 } });
    expect(grid).toMatchObject({ kind: 'rectilinear', latitude: { length: 2 }, longitude: { length: 3 } });
  });

  it('takes metres and degrees of a view from space', async () => {
    const { mapping, points } = cases.find((each) => each.mapping.grid_mapping_name === 'geostationary') as Reference;
    const height = mapping.perspective_point_height as number;
    const [[, , ,], [px, py, latitude, longitude]] = points;
    for (const [units, factor] of [
      ['m', height],
      ['km', height / 1000],
      ['degrees', 180 / Math.PI],
    ] as const) {
      const axes = AXES.geostationary.map((attributes) => ({ ...attributes, units })) as unknown as Parts['axes'];
      const grid = await gridOf({ y: [py * factor], x: [px * factor], mapping, axes });
      expect(grid.latitude[0]).toBeCloseTo(latitude as number, 8);
      expect(grid.longitude[0]).toBeCloseTo(longitude as number, 8);
    }
  });

  it('makes rows and columns of a cylinder of equal area', async () => {
    const mapping = { grid_mapping_name: 'lambert_cylindrical_equal_area', longitude_of_central_meridian: 10 };
    const grid = await gridOf({ y: [0, 3e6, 7e6], x, mapping: { ...mapping, standard_parallel: 30 } });
    expect(grid).toMatchObject({ kind: 'rectilinear', latitude: { length: 3 }, longitude: { length: 3 } });
    expect(grid.longitude[1]).toBeCloseTo(10, 12);
  });

  it('gives no place to what is farther than half around the globe', async () => {
    const mapping = { grid_mapping_name: 'azimuthal_equidistant', latitude_of_projection_origin: 52 };
    const place = { ...mapping, longitude_of_projection_origin: 5 };
    const grid = await gridOf({ y: [0], x: [0, 2.0003e7, 2.1e7], mapping: place });
    expect(Array.from(grid.latitude, Math.round)).toEqual([52, -52, Number.NaN]);
  });

  it('gives no place to what is beside a sinusoidal map', async () => {
    const mapping = { grid_mapping_name: 'sinusoidal', longitude_of_projection_origin: 0, earth_radius: 6_371_007.181 };
    const grid = await gridOf({ y: [6e6, 0], x: [0, 1.9e7], mapping });
    expect(Array.from(grid.latitude, Number.isNaN)).toEqual([false, true, false, false]);
  });

  it('without an earth is on WGS 84', async () => {
    const { earth_radius: _, ...mapping } = LAMBERT;
    const wgs84 = { ...mapping, semi_major_axis: 6_378_137, inverse_flattening: 298.257223563 };
    expect(await gridOf({ y, x, mapping: mapping as Attributes })).toEqual(await gridOf({ y, x, mapping: wgs84 }));
  });

  it('that is not read is named by the error', async () => {
    const mapping = { grid_mapping_name: 'oblique_mercator' };
    await expect(gridOf({ y, x, mapping })).rejects.toMatchObject({
      tag: 'data',
      message:
        'test.nc, column tas: its cells have no latitude and longitude, and the grid mapping of crs is not read; received "oblique_mercator"; ' +
        'allowed: albers_conical_equal_area, azimuthal_equidistant, geostationary, lambert_azimuthal_equal_area, lambert_conformal_conic, ' +
        'lambert_cylindrical_equal_area, mercator, polar_stereographic, rotated_latitude_longitude, sinusoidal, stereographic, transverse_mercator; or latitudes and longitudes of cells, as cdo setgrid or remapbil write them',
    });
    await expect(gridOf({ y, x, mapping: { crs_wkt: 'PROJCS[]' } })).rejects.toThrow('no grid_mapping_name');
  });

  it('of wrong numbers or units is an error', async () => {
    const faults: [Attributes, string][] = [
      [
        { ...LAMBERT, standard_parallel: [30, -30] },
        'has the standard parallels 30 and -30; allowed: one or two that a cone has',
      ],
      [{ ...LAMBERT, earth_radius: 'big' }, 'has the earth_radius NaN; allowed: a number'],
      [{ ...LAMBERT, earth_radius: 6371 }, 'has an impossible earth, of 6371 m and the flattening 0'],
      [{ ...LAMBERT, longitude_of_prime_meridian: 2.337229 }, 'counts longitudes from another meridian'],
      [
        { grid_mapping_name: 'polar_stereographic', latitude_of_projection_origin: 60 },
        'has the latitude_of_projection_origin 60; allowed: 90 or -90',
      ],
      [{ grid_mapping_name: 'mercator', standard_parallel: 90 }, 'has a pole as its standard_parallel'],
      [{ grid_mapping_name: 'geostationary' }, 'has no perspective_point_height'],
      [
        { grid_mapping_name: 'rotated_latitude_longitude', grid_north_pole_latitude: 120 },
        'has the grid_north_pole_latitude 120',
      ],
    ];
    for (const [mapping, problem] of faults) {
      await expect(gridOf({ y, x, mapping })).rejects.toThrow(`test.nc, column crs: the grid mapping ${problem}`);
    }
    const axes = [METRES[0], { ...METRES[1], units: 'degrees' }] as const;
    await expect(gridOf({ y, x, mapping: LAMBERT, axes })).rejects.toThrow(
      'test.nc, column x: has units that do not fit its grid mapping; received "degrees"; allowed: m or km',
    );
  });
});

describe('the projection of a grid', () => {
  const stereographic = { name: 'stereographic', latitude: 90, longitude: -45 };
  const polar = cases.find(({ mapping }) => mapping.straight_vertical_longitude_from_pole === -45) as Reference;
  const [y, x] = [
    [0, 100_000],
    [-50_000, 0, 50_000],
  ];
  const projectionOf = (grid: Grid) => (grid.kind === 'places' ? grid.projection : undefined);

  it('is that of its mapping, in whatever order its dimensions are, and of a part of it', async () => {
    const parts: Parts = { y, x, mapping: polar.mapping };
    expect(projectionOf(await gridOf(parts))).toEqual(stereographic);
    expect(projectionOf(await gridOf({ ...parts, names: ['x', 'y'] }))).toEqual(stereographic);
    const bbox = { south: 89.2, west: -180, north: 90, east: 180 };
    const part = await gridEnsemble(projectedFile(parts), { bbox });
    expect(part.grid).toMatchObject({ shape: [1, 3], projection: stereographic });
    expect(projectionOf(await gridOf({ y, x, mapping: LAMBERT }))).toEqual({
      ...{ name: 'lambert_conformal_conic', latitude: 0, longitude: 262.5 },
      parallels: [expect.closeTo(38.5, 9), expect.closeTo(38.5, 9)],
    });
  });

  it('is known where latitudes and longitudes are stored, too, unless its mapping cannot be read', async () => {
    const { latitude, longitude } = await gridOf({ y, x, mapping: polar.mapping });
    const stored = (mapping: Attributes) => {
      const file = projectedFile({ y, x, mapping, attributes: { grid_mapping: 'crs', coordinates: 'lat lon' } });
      const degrees = (name: string, values: Float64Array) => {
        const units = name === 'lat' ? 'degrees_north' : 'degrees_east';
        return memoryFile({ [name]: { dimensions: { y: 2, x: 3 }, values, attributes: { units } } }).arrays.get(name);
      };
      const arrays = new Map([...file.arrays]);
      for (const [name, values] of Object.entries({ lat: latitude, lon: longitude }))
        arrays.set(name, degrees(name, values) as NonNullable<ReturnType<typeof degrees>>);
      return { ...file, arrays };
    };
    const grid = async (mapping: Attributes) => (await gridEnsemble(stored(mapping))).grid;
    expect(projectionOf(await grid(polar.mapping))).toEqual(stereographic);
    expect(await grid({ grid_mapping_name: 'geostationary' })).toEqual({
      kind: 'places',
      latitude,
      longitude,
      shape: [2, 3],
    });
  });
});

describe('a point of a curvilinear grid', () => {
  const [y, x] = [0, 1].map((axis) => Array.from({ length: 21 + 2 * axis }, (_, i) => 60_000 * (i - 10 - axis)));
  const opened = async () => gridEnsemble(projectedFile({ y, x, mapping: LAMBERT }));

  it('is covered up to the next cell, also where another cell on the same latitude is far away', async () => {
    const ensemble = await opened();
    const { latitude, longitude } = ensemble.grid;
    const corner = { latitude: latitude[0], longitude: longitude[0] };
    // The last cell of the first row is on the same latitude, 14 degrees away.
    expect(latitude[22]).toBeCloseTo(corner.latitude, 9);
    const near = { ...corner, longitude: corner.longitude - 0.5 };
    expect(ensembleAtPoint(ensemble, near).grid.longitude).toEqual(Float64Array.of(corner.longitude));
    const far = { ...corner, longitude: corner.longitude - 2 };
    expect(() => ensembleAtPoint(ensemble, far)).toThrow('point: is not covered');
    const index = new PlaceIndex(ensemble.grid, [21, 23]);
    expect([index.covering(near), index.covering(far)]).toEqual([0, undefined]);
    expect(() => index.nearest(far)).toThrow(/within one grid step \(0\.5\d+ by 0\.6\d+ degrees\)/);
  });

  it('beside the disc of a satellite is not covered', async () => {
    const { mapping } = cases.find((each) => each.mapping.sweep_angle_axis === 'x') as Reference;
    const angles = Array.from({ length: 41 }, (_, i) => (i - 20) * 0.0075);
    const file = projectedFile({ y: angles, x: angles, mapping, axes: AXES.geostationary });
    const ensemble = await gridEnsemble(file);
    expect(() => ensembleAtPoint(ensemble, { latitude: 60, longitude: 100 })).toThrow('point: is not covered');
    expect(ensembleAtPoint(ensemble, { latitude: 0.1, longitude: -75.2 }).grid.latitude[0]).toBeCloseTo(0, 6);
  });
});
