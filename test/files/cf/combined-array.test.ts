import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { type GridOptions, gridEnsemble } from '../../../src/files/cf/index.js';
import { dewPoint, relativeHumidity } from '../../../src/variable/humidity.js';
import { dailyValues } from './daily-values.js';
import { type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const HOURS = [0, 6, 12, 18, 24, 30, 36, 42];
const time = (hours = HOURS): MemoryArray => ({
  dimensions: { time: hours.length },
  values: hours,
  attributes: { units: 'hours since 2001-01-01' },
});
const shape = { number: 2, time: 8, latitude: 2, longitude: 3 };
const size = 2 * 8 * 2 * 3;
const places: Record<string, MemoryArray> = {
  number: { dimensions: { number: 2 }, values: [0, 1] },
  latitude: { dimensions: { latitude: 2 }, values: [10, 11], attributes: { units: 'degrees_north' } },
  longitude: { dimensions: { longitude: 3 }, values: [20, 21, 22], attributes: { units: 'degrees_east' } },
};
const east = Array.from({ length: size }, (_, i) => ((i * 37) % 41) / 4 - 5);
const north = Array.from({ length: size }, (_, i) => ((i * 23) % 31) / 4 - 4);

/** The two components, one packed and with a missing value, the other in knots. */
const components = (): Record<string, MemoryArray> => ({
  u10: {
    ...{ type: 'int16', dimensions: shape, chunk: [1, 3, 2, 3] },
    values: east.map((value, i) => (i === 5 ? -999 : value * 4)),
    attributes: { units: 'm s-1', scale_factor: 0.25, _FillValue: -999 },
  },
  v10: { dimensions: shape, values: north.map((value) => value / 0.5144444444444445), attributes: { units: 'knots' } },
});
const wind = () => memoryFile({ time: time(), ...places, ...components() });

/** Daily values of a member and a cell, of steps in the order of the file. */
const ofSteps = (at: (index: number) => number, reduce: (steps: number[]) => number) =>
  [0, 1].map((m) =>
    [0, 1, 2, 3, 4, 5].map((cell) =>
      [0, 1].map((day) => reduce([0, 1, 2, 3].map((step) => at((m * 8 + day * 4 + step) * 6 + cell)))),
    ),
  );
const mean = (steps: number[]) => steps.reduce((a, b) => a + b, 0) / steps.length;
const speedAt = (i: number) => (i === 5 ? Number.NaN : Math.hypot(east[i], north[i]));

async function expectClose(
  file: ReturnType<typeof memoryFile>,
  options: GridOptions,
  expected: number[][][],
  bytes = 1e9,
) {
  const found = await dailyValues(await gridEnsemble(file, options), core, { bytes });
  const flat = (values: number[][][]) => values.flat(2);
  expect(flat(found).map(Number.isNaN)).toEqual(flat(expected).map(Number.isNaN));
  for (const [i, value] of flat(found).entries()) {
    if (!Number.isNaN(value)) expect(value).toBeCloseTo(flat(expected)[i], 10);
  }
}

describe('wind speed from two components', () => {
  it('is that of each step and member, before the day’s mean, which is reported', async () => {
    const ensemble = await gridEnsemble(wind(), { variable: 'wind_speed' });
    expect([ensemble.array, ensemble.units, ensemble.conversions]).toEqual([
      'u10 and v10',
      'm s-1',
      ['wind_speed from u10 and v10', 'knots to m s-1', '6-hourly values to daily means'],
    ]);
    await expectClose(wind(), { variable: 'wind_speed' }, ofSteps(speedAt, mean));
  });

  it('is the same for blocks of any size', async () => {
    await expectClose(wind(), { variable: 'wind_speed' }, ofSteps(speedAt, mean), 2000);
  });

  it('gives the maximum of a day', async () => {
    await expectClose(
      wind(),
      { variable: 'wind_speed_max' },
      ofSteps(speedAt, (steps) => Math.max(...steps)),
    );
  });

  it.each([
    ['10u', '10v', {}],
    ['uas', 'vas', {}],
    ['UGRD_10maboveground', 'VGRD_10maboveground', {}],
    ['10m_u_component_of_wind', '10m_v_component_of_wind', {}],
    ['x1', 'x2', { names: ['eastward_wind', 'northward_wind'] }],
  ])('knows %s and %s', async (u, v, { names }: { names?: string[] }) => {
    const { u10, v10 } = components();
    const named = (array: MemoryArray, i: number) =>
      names === undefined ? array : { ...array, attributes: { ...array.attributes, standard_name: names[i] } };
    const file = memoryFile({ time: time(), ...places, [u]: named(u10, 0), [v]: named(v10, 1) });
    const found = gridEnsemble(file, { variable: 'wind_speed' });
    // Names that end in other digits are of other levels.
    if (u === 'x1') await expect(found).rejects.toThrow('does not hold wind_speed');
    else expect((await found).array).toBe(`${u} and ${v}`);
  });

  it('is not computed where the file has an array of wind speed', async () => {
    const file = memoryFile({ time: time(), ...places, ...components(), si10: components().v10 });
    expect((await gridEnsemble(file, { variable: 'wind_speed' })).array).toBe('si10');
  });

  it('is not computed from one value a day', async () => {
    const days = HOURS.map((_, day) => day * 24);
    const file = () => memoryFile({ time: time(days), ...places, ...components() });
    await expect(gridEnsemble(file(), { variable: 'wind_speed' })).rejects.toThrow(
      'test.nc, column u10 and v10: wind_speed cannot be computed from one value a day: the speed of the mean wind of a day is less than the mean ' +
        'of its speeds; allowed: steps shorter than a day, or an array of wind_speed itself',
    );
    await expect(gridEnsemble(file(), { variable: 'wind_speed_max' })).rejects.toThrow('does not hold wind_speed_max');
  });

  it('requires one array of each, both on the same axes', async () => {
    const { u10, v10 } = components();
    const turned = { ...v10, dimensions: { time: 8, number: 2, latitude: 2, longitude: 3 } };
    const file = (arrays: Record<string, MemoryArray>) => memoryFile({ time: time(), ...places, ...arrays });
    await expect(gridEnsemble(file({ u10, v10: turned }), { variable: 'wind_speed' })).rejects.toThrow(
      'test.nc, column u10 and v10: wind_speed cannot be computed: u10 has the dimensions number (2), time (8), latitude (2), ' +
        'longitude (3), but v10 time (8), number (2), latitude (2), longitude (3); allowed: the same dimensions for both',
    );
    await expect(gridEnsemble(file({ u10, v10, uas: u10 }), { variable: 'wind_speed' })).rejects.toThrow(
      'test.nc, wind_speed: several arrays hold the eastward wind, from which it would be computed; received "u10, uas"',
    );
    await expect(gridEnsemble(file({ u10 }), { variable: 'wind_speed' })).rejects.toThrow('does not hold wind_speed');
    const kelvin = { ...v10, attributes: { units: 'K' } };
    await expect(gridEnsemble(file({ u10, v10: kelvin }), { variable: 'wind_speed' })).rejects.toThrow(
      'column v10: units are not those of the northward wind; received "K"; allowed: m s-1, or units that can be converted to it',
    );
  });

  it('allows different heights, which are dimensions of one element', async () => {
    const { u10, v10 } = components();
    const file = memoryFile({
      ...{ time: time(), ...places },
      u10: { ...u10, dimensions: { number: 2, time: 8, height: 1, latitude: 2, longitude: 3 }, chunk: undefined },
      v10: { ...v10, dimensions: { number: 2, time: 8, latitude: 2, height_2: 1, longitude: 3 } },
    });
    await expectClose(file, { variable: 'wind_speed' }, ofSteps(speedAt, mean));
  });

  it('of an infinite component is an error, not a missing value', async () => {
    const { u10, v10 } = components();
    const file = memoryFile({
      ...{ time: time(), ...places, v10 },
      u10: { ...u10, type: 'float64', values: east.map((value, i) => (i === 7 ? Number.POSITIVE_INFINITY : value)) },
    });
    const values = await dailyValues(await gridEnsemble(file, { variable: 'wind_speed' }), core);
    expect(values[0][1][0]).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('relative humidity from temperature and dew point', () => {
  const air = Array.from({ length: size }, (_, i) => 280 + ((i * 37) % 41) / 2);
  const dew = air.map((value, i) => value - 273.15 - ((i * 23) % 31) / 3);
  const arrays = (): Record<string, MemoryArray> => ({
    t2m: { dimensions: shape, values: air, attributes: { units: 'K' } },
    d2m: { dimensions: shape, values: dew, attributes: { units: 'degC' } },
  });
  const humidityAt = (i: number) => relativeHumidity(air[i] - 273.15, dew[i]);

  it('is that of each step and member, which is reported', async () => {
    const file = () => memoryFile({ time: time(), ...places, ...arrays() });
    const { conversions } = await gridEnsemble(file(), { variable: 'relative_humidity' });
    expect(conversions).toEqual(['relative_humidity from t2m and d2m', 'K to degC', '6-hourly values to daily means']);
    await expectClose(file(), { variable: 'relative_humidity' }, ofSteps(humidityAt, mean));
  });

  it('can be computed from daily means', async () => {
    const file = memoryFile({ time: time(HOURS.map((_, day) => day * 24)), ...places, ...arrays() });
    const values = await dailyValues(await gridEnsemble(file, { variable: 'relative_humidity' }), core);
    expect(values[1][4][7]).toBeCloseTo(humidityAt((8 + 7) * 6 + 4), 10);
  });

  it('does not use daily maxima as temperature', async () => {
    const { t2m, d2m } = arrays();
    const file = memoryFile({
      ...{ time: time(), ...places, d2m },
      tasmax: { ...t2m, attributes: { units: 'K', standard_name: 'air_temperature' } },
    });
    await expect(gridEnsemble(file, { variable: 'relative_humidity' })).rejects.toThrow('does not hold');
  });

  it('is the inverse of the dew point, and 100 % where rounding takes that above the temperature', () => {
    for (const temperature of [-40, 0, 12.5, 35]) {
      for (const humidity of [1, 37, 99.5, 100]) {
        expect(relativeHumidity(temperature, dewPoint(temperature, humidity))).toBeCloseTo(humidity, 10);
      }
    }
    expect(relativeHumidity(10, 10.01)).toBe(100);
    expect(relativeHumidity(Number.NaN, 10)).toBeNaN();
  });
});
