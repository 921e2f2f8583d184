import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { AttributeValue } from '../../../src/files/array/array-file.js';
import { type GridOptions, gridArrays, gridEnsemble, gridEnsembles } from '../../../src/files/cf/index.js';
import { defineVariable } from '../../../src/variable/define-variable.js';
import { dailyValues } from './daily-values.js';
import { type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

type Named = Record<string, Record<string, AttributeValue>>;

/** A file of series over some hours, every `step` of them, each counting from 1. */
function hourly(arrays: Named, { step = 6, days = 2, time = {} as Record<string, AttributeValue> } = {}) {
  const hours = Array.from({ length: (days * 24) / step }, (_, i) => i * step);
  const axis: MemoryArray = {
    dimensions: { time: hours.length },
    values: hours,
    attributes: { units: 'hours since 2001-01-01', ...time },
  };
  const series = Object.entries(arrays).map(([name, attributes]): [string, MemoryArray] => [
    name,
    { dimensions: { time: hours.length }, values: hours.map((_, i) => i + 1), attributes },
  ]);
  return memoryFile({ time: axis, ...Object.fromEntries(series) });
}

/**
 * How a single array with amounts of each step is read: its variable, its first daily value, its unit, and its
 * conversions.
 */
async function taken(
  attributes: Record<string, AttributeValue>,
  options: GridOptions & { step?: number; name?: string } = {},
) {
  const { step, name = 'x', ...others } = options;
  const ensemble = await gridEnsemble(hourly({ [name]: attributes }, { step }), {
    accumulation: 'per-step',
    ...others,
  });
  const { variable, units, conversions } = ensemble;
  return [variable?.slug, (await dailyValues(ensemble, core))[0][0][0], units, conversions.join('; ')];
}

const MEAN = { standard_name: 'air_temperature', units: 'degC' };

describe('the variable of an array', () => {
  it.each([
    [MEAN, 'temp_mean', 'mean'],
    [{ ...MEAN, cell_methods: 'time: mean' }, 'temp_mean', 'mean'],
    [{ ...MEAN, cell_methods: 'area: mean time: maximum' }, 'temp_max', 'maximum'],
    [{ ...MEAN, cell_methods: 'time: minimum (interval: 1 hour)' }, 'temp_min', 'minimum'],
    [{ ...MEAN, cell_methods: 'time: maximum within days time: mean over days' }, 'temp_max', 'maximum'],
    [{ ...MEAN, GRIB_stepType: 'max' }, 'temp_max', 'maximum'],
    [{ standard_name: 'wind_speed', units: 'm s-1' }, 'wind_speed', 'mean'],
    [{ standard_name: 'wind_speed', units: 'm s-1', cell_methods: 'time: maximum' }, 'wind_speed_max', 'maximum'],
    [{ standard_name: 'wind_speed_of_gust', units: 'm s-1' }, 'wind_gust_max', 'maximum'],
    [{ standard_name: 'relative_humidity', units: '%' }, 'relative_humidity', 'mean'],
    [{ standard_name: 'precipitation_amount', units: 'kg m-2' }, 'precipitation', 'sum'],
  ] as const)('%o is %s', async (attributes, slug, reduction) => {
    const value = { mean: 2.5, minimum: 1, maximum: 4, sum: 10 }[reduction];
    expect((await taken(attributes, { stamps: 'start' })).slice(0, 2)).toEqual([slug, value]);
  });

  it.each([
    ['tas', {}, 'temp_mean'],
    ['tasmin', { standard_name: 'air_temperature' }, 'temp_min'],
    ['t2m', { cell_methods: 'time: maximum' }, 'temp_max'],
    ['tasmin', { standard_name: 'dew_point_temperature' }, 'dew_point'],
    ['p167', { GRIB_shortName: '2t' }, 'temp_mean'],
    ['unheard_of', {}, undefined],
    ['hurs', { cell_methods: 'time: minimum' }, undefined],
  ] as const)('%s with %o is %s', async (name, attributes, slug) => {
    const [ensemble] = await gridEnsembles(hourly({ [name]: { units: 'degC', ...attributes } }));
    expect(ensemble.variable?.slug).toBe(slug);
  });

  it('may be defined by the caller', async () => {
    const own = defineVariable({ slug: 'snow', units: 'cm', window: 'mean', fileNames: ['snd'] });
    expect(await taken({ units: 'm' }, { name: 'snd', variables: [own] })).toEqual([
      ...['snow', 250, 'cm', 'm to cm; 6-hourly values to daily means'],
    ]);
  });
});

describe('daily values', () => {
  it.each([
    [
      { standard_name: 'precipitation_flux', units: 'kg m-2 s-1' },
      10 * 21600,
      'mm',
      'kg m-2 s-1 to mm; 6-hourly rates to daily sums',
    ],
    [
      { standard_name: 'precipitation_amount', units: 'm' },
      10_000,
      'mm',
      'm to mm; amounts of each step, by the option accumulation; 6-hourly values to daily sums',
    ],
    [
      { standard_name: 'surface_downwelling_shortwave_flux_in_air', units: 'W m-2' },
      0.216,
      'MJ m-2 d-1',
      'W m-2 to MJ m-2 d-1; 6-hourly rates to daily sums',
    ],
    [
      { ...MEAN, units: 'K', cell_methods: 'time: mean' },
      2.5 - 273.15,
      'degC',
      'K to degC; 6-hourly means to daily means',
    ],
    [{ standard_name: 'relative_humidity', units: '1' }, 250, '%', '1 to %; 6-hourly values to daily means'],
  ] as const)('%o', async (attributes, value, units, conversions) => {
    const [, read, ...others] = await taken(attributes);
    expect(read).toBeCloseTo(value, 12);
    expect(others).toEqual([units, conversions]);
  });

  it('of fields whose steps become longer are weighted by the length of the steps', async () => {
    const hours = [...Array.from({ length: 6 }, (_, i) => i), 6, 12, 18, 24, 30, 36, 42];
    const file = memoryFile({
      time: { dimensions: { time: 13 }, values: hours, attributes: { units: 'hours since 2001-01-01' } },
      t2m: {
        dimensions: { time: 13 },
        values: hours.map((hour) => (hour < 6 ? 12 : 0)),
        attributes: { units: 'degC' },
      },
    });
    const ensemble = await gridEnsemble(file);
    expect(ensemble.conversions).toEqual(['1- to 6-hourly values to daily means']);
    expect(await dailyValues(ensemble, core)).toEqual([[[3, 0]]]);
  });

  it('from hourly values give minima and maxima if requested', async () => {
    expect((await taken(MEAN, { variable: 'temp_min' })).slice(0, 2)).toEqual(['temp_min', 1]);
    expect((await taken(MEAN, { variable: 'temp_max' })).slice(0, 2)).toEqual(['temp_max', 4]);
    const wind = { standard_name: 'wind_speed', units: 'km/h' };
    expect((await taken(wind, { variable: 'wind_speed_max' })).slice(1, 2)).toEqual([4 / 3.6]);
  });

  it('that are daily means give no minima', async () => {
    await expect(taken(MEAN, { variable: 'temp_min', step: 24 })).rejects.toThrow(
      'test.nc, column x: does not hold temp_min; received "daily values"; allowed: minimum, or values of shorter steps',
    );
  });

  it('that are maxima give no means, and means of amounts no sums', async () => {
    const maxima = { ...MEAN, cell_methods: 'time: maximum' };
    await expect(taken(maxima, { variable: 'temp_mean' })).rejects.toThrow('test.nc: does not hold temp_mean');
    await expect(taken(maxima, { variable: 'temp_mean', array: 'x' })).rejects.toThrow('cell method of time: maximum');
    const amounts = { standard_name: 'precipitation_amount', units: 'mm', cell_methods: 'time: mean' };
    await expect(taken(amounts)).rejects.toThrow('allowed: sum, or mean of rates');
    expect((await taken(amounts, { step: 24 }))[1]).toBe(1);
  });

  it('from rates over a day are exact', async () => {
    const [, value, , conversions] = await taken(
      { standard_name: 'precipitation_flux', units: 'mm/day' },
      { step: 24 },
    );
    expect([value, conversions]).toEqual([1, '']);
  });

  it('without a unit are an error, unless the caller states it', async () => {
    const unstated = { name: 'tas', step: 24 } as const;
    await expect(taken({}, unstated)).rejects.toThrow(
      "test.nc, units: array tas has no units; allowed: the attribute units; or units: 'degC', for instance, for temp_mean",
    );
    expect(await taken({}, { ...unstated, units: 'degF' })).toEqual([
      'temp_mean',
      expect.closeTo(-17.2222, 3),
      'degC',
      'degF to degC',
    ]);
    await expect(taken({ units: 'K' }, { ...unstated, units: 'degC' })).rejects.toThrow(
      'test.nc, units: not those that array tas states; received "degC"; allowed: K, or no units',
    );
  });

  it('that are rates by their name are read as rates, or require units', async () => {
    const [, value, , conversions] = await taken({ standard_name: 'precipitation_flux' }, { name: 'pr', step: 24 });
    expect(value).toBe(86_400);
    expect(conversions).toBe('precipitation_flux, without units, taken as kg m-2 s-1; kg m-2 s-1 to mm');
    await expect(taken({}, { name: 'tprate', step: 24 })).rejects.toThrow(
      'test.nc, column tprate: has no units, and holds rates by its name; allowed: the attribute units, such as kg m-2 s-1 or m s-1',
    );
  });

  it('in a unit that does not match are errors', async () => {
    await expect(taken({ ...MEAN, units: 'mm' })).rejects.toThrow(
      'test.nc, column x: units are not those of temp_mean; received "mm"; allowed: degC, or units that can be converted to it',
    );
  });

  it('of an unknown variable are means, or what cell methods say, in the unit of the file', async () => {
    expect(await taken({ units: 'hPa' })).toEqual([undefined, 2.5, 'hPa', '6-hourly values to daily means']);
    expect((await taken({ units: 'mm', cell_methods: 'time: sum' }))[1]).toBe(10);
  });
});

describe('files of several arrays', () => {
  const file = () =>
    hourly({
      t2m: { units: 'K' },
      tp: { units: 'mm h-1' },
      bad: { standard_name: 'air_temperature', units: 'mm' },
      ta: { units: 'K' },
    });

  it('require the name of one array', async () => {
    await expect(gridEnsemble(file())).rejects.toThrow(
      'test.nc, variable: the file holds several; received "t2m, tp, bad, ta"; allowed: one of them, by the option variable or the option array',
    );
    expect((await gridEnsemble(file(), { variable: 'precipitation' })).array).toBe('tp');
    await expect(gridEnsemble(file(), { variable: 'temp_mean' })).rejects.toThrow(
      'test.nc, array: several arrays hold temp_mean; received "t2m, bad, ta"',
    );
    expect((await gridEnsemble(file(), { variable: 'temp_mean', array: 'ta' })).array).toBe('ta');
    await expect(gridEnsemble(file(), { array: 'none' })).rejects.toThrow('test.nc, array: the file has no such array');
    await expect(gridEnsemble(file(), { variable: 'wind_speed' })).rejects.toThrow('test.nc: does not hold wind_speed');
  });

  it('are found by the names that files use for a variable, which is reported', async () => {
    const rain = await gridEnsemble(file(), { variable: 'total_precipitation' });
    expect([rain.array, rain.variable?.slug, rain.conversions[0]]).toEqual([
      ...['tp', 'precipitation', 'total_precipitation is precipitation'],
    ]);
    await expect(gridEnsemble(file(), { variable: 'tprat' })).rejects.toThrow('variable: is not known');
    await expect(gridEnsemble(file(), { variable: 'temp' })).rejects.toThrow(
      'variable: may be one of several variables; received "temp"; allowed: temp_mean, temp_min, temp_max',
    );
  });

  it('prefer the array with the requested name', async () => {
    expect((await gridEnsemble(file(), { variable: 't2m' })).array).toBe('t2m');
    await expect(gridEnsemble(file(), { variable: '2t' })).rejects.toThrow(
      'test.nc, array: several arrays hold temp_mean; received "t2m, bad, ta"; allowed: one of them, by the option array',
    );
  });

  it('are listed, with the problem of each that cannot be read', async () => {
    expect((await gridEnsembles(file())).map(({ array }) => array)).toEqual(['t2m', 'tp', 'ta']);
    const [, , bad] = await gridArrays(file());
    expect(bad.problem?.message).toContain('column bad: units are not those of temp_mean');
  });

  it('reject unknown options', async () => {
    await expect(gridEnsembles(file(), { stamp: 'end' } as GridOptions)).rejects.toThrow('the nearest is stamps');
  });
});
