import { describe, expect, it } from 'vitest';
import { gridEnsemble } from '../../../../src/files/cf/open-grid-ensemble.js';
import { openArrays } from '../../../../src/files/open-arrays.node.js';
import { casePath } from '../../../reference/data-folder.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const TIME = { dimensions: { time: 1 }, values: [0], attributes: { units: 'days since 2001-01-01' } };

/** The places of a file with two rows and three columns, whose coordinates have these attributes. */
async function placesOf(
  [y, x]: readonly [string, string],
  [rows, columns]: readonly [number[], number[]],
  [ofY, ofX]: readonly [MemoryArray['attributes'], MemoryArray['attributes']],
  more: Readonly<Record<string, MemoryArray>> = {},
  type: MemoryArray['type'] = 'float64',
) {
  const file = memoryFile({
    time: TIME,
    [y]: { type, dimensions: { [y]: 2 }, values: rows, attributes: ofY },
    [x]: { type, dimensions: { [x]: 3 }, values: columns, attributes: ofX },
    t2m: {
      dimensions: { time: 1, [y]: 2, [x]: 3 },
      values: [1, 2, 3, 4, 5, 6],
      attributes: { units: 'K', ...(more.pole && { grid_mapping: 'pole' }) },
    },
    ...more,
  });
  const { grid } = await gridEnsemble(file, { variable: 'temp_mean' });
  return [[...grid.latitude], [...grid.longitude]];
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

describe('coordinates are converted by their units', () => {
  const path = casePath('places/radians.nc');
  it.skipIf(path === undefined)('from radians, as ICON writes them', async () => {
    const file = await openArrays(path ?? '');
    const { grid } = await gridEnsemble(file, { variable: 'temp_mean' });
    await file.close();
    expect([grid.latitude[0], grid.longitude[0]]).toEqual([50, 7]);
  });

  it.each(['radian', 'radians', 'rad'])('from %s, of float64 and float32', async (units) => {
    const values = [[50.3, -12.25].map(radians), [7, 350.1, -9].map(radians)] as const;
    const places = [
      [50.3, -12.25],
      [7, 350.1, -9],
    ];
    const both = [{ units }, { units }] as const;
    expect(await placesOf(['clat', 'clon'], [...values], both)).toEqual(places);
    expect(await placesOf(['lat', 'lon'], [...values], both, {}, 'float32')).toEqual(places);
  });

  it('from radians by their long names, where they have no units', async () => {
    const values = [[50.3, -12.25].map(radians), [7, 350.1, -9].map(radians)] as [number[], number[]];
    const named = [{ long_name: 'latitude in radians' }, { long_name: 'Longitude (radian)' }] as const;
    expect(await placesOf(['lat', 'lon'], values, named)).toEqual([
      [50.3, -12.25],
      [7, 350.1, -9],
    ]);
  });

  it.each([
    ['degrees_south', 'degrees_west'],
    ['degree_south', 'degreeW'],
    ['degreeS', 'degrees_W'],
  ])('from %s and %s, with their sign turned', async (south, west) => {
    const both = [{ units: south }, { units: west }] as const;
    const places = async (rows: number[], columns: number[], names: [string, string] = ['lat', 'lon']) =>
      placesOf(names, [rows, columns], both);
    expect(await places([50, -2], [100, 0, -70])).toEqual([
      [-50, 2],
      [-100, 0, 70],
    ]);
    expect(await places([1, 2], [350, 180, 10], ['row', 'column'])).toEqual([
      [-1, -2],
      [10, 180, 350],
    ]);
    await expect(places([95, 2], [1, 2, 3])).rejects.toThrow(`out of range; received "95 ${south}"`);
  });
});

describe('coordinates that are no latitudes and longitudes in degrees', () => {
  const rotated = [
    [1, 2],
    [10, 11, 12],
  ] as [number[], number[]];
  const degrees = { units: 'degrees' };
  const pole = {
    dimensions: {},
    values: [0],
    attributes: {
      grid_mapping_name: 'rotated_latitude_longitude',
      grid_north_pole_latitude: 39.25,
      grid_north_pole_longitude: -162,
    },
  };

  it.each([
    ['their standard names', ['rlat', 'rlon'], { standard_name: 'grid_latitude' }, { standard_name: 'grid_longitude' }],
    ['their names', ['rlat', 'rlon'], {}, {}],
    ['their long names', ['lat', 'lon'], { long_name: 'rotated latitude' }, { long_name: 'rotated longitude' }],
  ] as const)('are of a rotated grid by %s, whatever their units', async (_, names, ofY, ofX) => {
    const attributes = [
      { units: 'degrees_north', ...ofY },
      { units: 'degrees_east', ...ofX },
    ] as const;
    await expect(placesOf([...names], rotated, attributes)).rejects.toThrow('but are on a rotated grid');
  });

  it('are computed where a grid mapping says how, also of axes that only have a letter', async () => {
    const expected = await placesOf(['rlat', 'rlon'], rotated, [degrees, degrees], { pole });
    expect(expected[0]).toHaveLength(6);
    expect(expected[0][0]).toBeGreaterThan(40);
    for (const attributes of [
      [{ units: 'degrees_north' }, { units: 'degrees_east' }],
      [
        { ...degrees, axis: 'Y' },
        { ...degrees, axis: 'X' },
      ],
    ] as const) {
      const names = attributes[0].units === 'degrees' ? (['y', 'x'] as const) : (['rlat', 'rlon'] as const);
      expect(await placesOf([...names], rotated, attributes, { pole })).toEqual(expected);
    }
  });

  it('are computed of latitudes and longitudes by name or units, too, unless standard names say otherwise', async () => {
    const expected = await placesOf(['rlat', 'rlon'], rotated, [degrees, degrees], { pole });
    const ofEarth = [{ units: 'degrees_north' }, { units: 'degrees_east' }] as const;
    expect(await placesOf(['lat', 'lon'], rotated, ofEarth, { pole })).toEqual(expected);
    expect(await placesOf(['lat', 'lon'], rotated, [degrees, degrees], { pole })).toEqual(expected);
    const [north, east] = ofEarth;
    const named = [
      { ...north, standard_name: 'latitude' },
      { ...east, standard_name: 'longitude' },
    ] as const;
    expect(await placesOf(['lat', 'lon'], rotated, named, { pole })).toEqual(rotated);
    expect(await placesOf(['lat', 'lon'], rotated, ofEarth)).toEqual(rotated);
    const plain = { ...pole, attributes: { grid_mapping_name: 'latitude_longitude' } };
    expect(await placesOf(['lat', 'lon'], rotated, ofEarth, { pole: plain })).toEqual(rotated);
  });

  it('are an error with units of a length, and out of range, that says what was taken and what decides otherwise', async () => {
    const km = { units: 'km' };
    await expect(placesOf(['lat', 'lon'], rotated, [km, km])).rejects.toThrow(
      'test.nc, column lat: is a length, and not in degrees; received "km"; allowed: degrees from -90 to 90, as it is taken for the ' +
        `latitude by its name; or coordinates: { latitude: 'y', longitude: 'x' }, to name other arrays`,
    );
    await expect(
      placesOf(
        ['lat', 'lon'],
        [
          [1, 2],
          [10, 500, 12],
        ],
        [{}, {}],
      ),
    ).rejects.toThrow(
      'test.nc, column lon: out of range; received 500; allowed: degrees from -180 to 360, as it is taken for the ' +
        'longitude by its name; or coordinates',
    );
    const radian = { units: 'radian', standard_name: 'latitude' };
    await expect(
      placesOf(
        ['lat', 'lon'],
        [
          [1, 2],
          [3, 4, 5],
        ],
        [radian, {}],
      ),
    ).rejects.toThrow(
      'out of range; received "2 radian"; allowed: degrees from -90 to 90, as it is taken for the latitude by its ' +
        'standard_name "latitude"',
    );
  });
});
