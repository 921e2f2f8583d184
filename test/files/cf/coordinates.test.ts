import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { AttributeValue } from '../../../src/files/array/array-file.js';
import { type GridOptions, gridEnsemble, gridEnsembles } from '../../../src/files/cf/index.js';
import { dailyValues } from './daily-values.js';
import { memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

type Attributes = Record<string, AttributeValue>;

/** A file of one day on a grid of two by three cells along dimensions `y` and `x`. */
function file(y: Attributes, x: Attributes, places = { y: [10, 11], x: [20, 21, 22] }) {
  return memoryFile({
    time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2001-01-01' } },
    y: { dimensions: { y: 2 }, values: places.y, attributes: y },
    x: { dimensions: { x: 3 }, values: places.x, attributes: x },
    tas: { dimensions: { time: 1, y: 2, x: 3 }, values: [1, 2, 3, 4, 5, 6], attributes: { units: 'degC' } },
  });
}

const gridOf = async (opened: ReturnType<typeof file>, options: GridOptions = {}) => {
  const { grid } = await gridEnsemble(opened, options);
  return [grid.kind, [...grid.latitude], [...grid.longitude]];
};

const RECTILINEAR = ['rectilinear', [10, 11], [20, 21, 22]];

describe('coordinates named x and y', () => {
  it.each<[Attributes, Attributes]>([
    [{ units: 'degrees_north' }, { units: 'degrees_east' }],
    [{ standard_name: 'latitude' }, { standard_name: 'longitude' }],
    [{ units: 'degrees' }, { units: 'degree' }],
    [{ long_name: 'Latitude' }, { long_name: 'longitude of cell centre' }],
    [{ long_name: 'lat' }, { long_name: 'lon', units: 'deg' }],
  ])('that are %o and %o are latitude and longitude', async (y, x) => {
    expect(await gridOf(file(y, x))).toEqual(RECTILINEAR);
  });

  it('without further attributes are ignored, unless the option coordinates names them', async () => {
    await expect(gridEnsemble(file({}, {}))).rejects.toThrow(
      'test.nc, column tas: its cells have no latitude and longitude; received "dimensions y (2), x (3)"; allowed: coordinates ' +
        "with the units degrees_north and degrees_east along these dimensions; or coordinates: { latitude: 'y', longitude: 'x' }, to name those in degrees",
    );
    const options = { coordinates: { latitude: 'y', longitude: 'x' } };
    expect(await gridOf(file({}, {}), options)).toEqual(RECTILINEAR);
    expect((await gridEnsembles(file({}, {}), options)).map(({ array }) => array)).toEqual(['tas']);
    expect(await dailyValues(await gridEnsemble(file({}, {}), options), core)).toEqual([
      [[1], [2], [3], [4], [5], [6]],
    ]);
  });

  it('of projections and rotated grids are not degrees, and the error states what to do', async () => {
    const metres = { units: 'm', standard_name: 'projection_x_coordinate' };
    await expect(gridEnsemble(file(metres, metres))).rejects.toThrow(
      'test.nc, column tas: its cells have no latitude and longitude, but are on a projected grid, in m; received "dimensions y (2), x (3)"; ' +
        'allowed: an attribute grid_mapping that names an array with its projection; or a grid of latitudes and longitudes: remap it, as with cdo remapbil,r360x180',
    );
    await expect(gridEnsemble(file({ units: 'km' }, { units: 'km' }))).rejects.toThrow('projected grid, in km');
    await expect(
      gridEnsemble(
        file(
          { units: 'degrees', standard_name: 'grid_latitude' },
          { units: 'degrees', standard_name: 'grid_longitude' },
        ),
      ),
    ).rejects.toThrow('but are on a rotated grid');
    await expect(
      gridEnsemble(file({ units: 'm' }, { units: 'm' }), { coordinates: { latitude: 'y', longitude: 'x' } }),
    ).rejects.toThrow('test.nc, coordinates.latitude: array y is in m, not in degrees');
  });

  it('that are named but are not degrees, or do not exist, are errors', async () => {
    const coordinates = { latitude: 'y', longitude: 'x' };
    await expect(gridEnsemble(file({}, {}, { y: [5e5, 6e5], x: [1, 2, 3] }), { coordinates })).rejects.toThrow(
      'column y: out of range; received 500000; allowed: degrees from -90 to 90',
    );
    await expect(gridEnsemble(file({}, {}), { coordinates: { latitude: 'north' } })).rejects.toThrow(
      'test.nc, coordinates.latitude: the file has no such array; received "north"; allowed: time, y, x',
    );
    await expect(gridEnsemble(file({}, {}), { coordinates: { lat: 'y' } as object })).rejects.toThrow(
      'coordinates: unknown option',
    );
  });

  it('that are named take precedence over others', async () => {
    const others = memoryFile({
      time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2001-01-01' } },
      lat: { dimensions: { y: 1, x: 2 }, values: [1, 2], attributes: { units: 'degrees_north' } },
      lon: { dimensions: { y: 1, x: 2 }, values: [3, 4], attributes: { units: 'degrees_east' } },
      y: { dimensions: { y: 1 }, values: [50] },
      x: { dimensions: { x: 2 }, values: [60, 70] },
      tas: { dimensions: { time: 1, y: 1, x: 2 }, values: [1, 2], attributes: { coordinates: 'lat lon', units: 'K' } },
    });
    const { grid } = await gridEnsemble(others, { coordinates: { latitude: 'y', longitude: 'x' } });
    expect([...grid.latitude, ...grid.longitude]).toEqual([50, 60, 70]);
  });
});

describe('coordinates stored as float32', () => {
  it('are the intended decimal degrees', async () => {
    const opened = memoryFile({
      time: { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2001-01-01' } },
      lat: { type: 'float32', dimensions: { lat: 1 }, values: Float32Array.of(37.3) },
      lon: { type: 'float32', dimensions: { lon: 1 }, values: Float32Array.of(280.16) },
      tas: { dimensions: { time: 1, lat: 1, lon: 1 }, values: [1], attributes: { units: 'K' } },
    });
    const ensemble = await gridEnsemble(opened);
    const { latitude, longitude } = await ensemble.read({ cell: 0, cells: 1, day: 0, days: 1 }, core);
    expect([latitude[0], longitude[0]]).toEqual([37.3, -79.84]);
  });
});
