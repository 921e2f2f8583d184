import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import type { AttributeValue } from '../../../../src/files/array/array-file.js';
import { type GridOptions, gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const core = await loadCore();

type Attributes = Record<string, AttributeValue>;

/** Hourly values from a time on, each its own number, for three days, and what else the file has. */
function file(attributes: Attributes, others: Record<string, MemoryArray> = {}, time: Attributes = {}, first = 0) {
  const hours = Array.from({ length: 72 }, (_, i) => first + i);
  return memoryFile({
    time: { dimensions: { time: 72 }, values: hours, attributes: { units: 'hours since 2026-03-02', ...time } },
    x: { dimensions: { time: 72 }, values: hours.map((_, i) => i), attributes },
    ...others,
  });
}

async function read(opened: ReturnType<typeof memoryFile>, options: GridOptions = {}) {
  const ensemble = await gridEnsemble(opened, { array: 'x', accumulation: 'per-step', ...options });
  const [[values]] = await dailyValues(ensemble, core);
  const { times, warnings, firstDay } = ensemble;
  return { stamps: times?.stamps, by: times?.by, warnings, firstDay: firstDay - 20_514, first: values[0] };
}

const RATE = { standard_name: 'precipitation_flux', units: 'mm h-1' };
const RAIN = { standard_name: 'precipitation_amount', units: 'kg m-2' };
/** The sums of the values of a day that begins with the first one, or ends with the last one of 24. */
const STARTS = { firstDay: 0, first: (23 * 24) / 2 };
const ENDS = { firstDay: 0, first: STARTS.first + 24 };
const RUN: Record<string, MemoryArray> = {
  forecast_reference_time: {
    values: [0],
    attributes: { units: 'hours since 2026-03-02', standard_name: 'forecast_reference_time' },
  },
};

describe('what times of arrays stand for', () => {
  it.each([
    ['words before', { long_name: 'Rain in the last hour' }, ENDS, 'by long_name'],
    ['words of a comment', { comment: 'Average rate since the previous forecast step.' }, ENDS, 'by comment'],
    ['the preceding hour', { description: 'Sum of the preceding hour' }, ENDS, 'by description'],
    ['words after', { comment: 'accumulated over the next hour' }, STARTS, 'by comment'],
    ['words of cell methods', { cell_methods: 'time: sum (comment: over the previous hour)' }, ENDS, 'by cell_methods'],
    ['a type of step', { GRIB_stepType: 'accum' }, ENDS, 'by GRIB_stepType accum'],
    ['a type of step elsewhere', { step_type: 'accum' }, ENDS, 'by step_type accum'],
  ])('is stated: %s, without a warning', async (_, attributes, expected, by) => {
    expect(await read(file({ ...RAIN, ...attributes }))).toMatchObject({ ...expected, by, warnings: [] });
  });

  it('is stated by the coordinate of time', async () => {
    const time = { long_name: 'end of the averaging period' };
    expect(await read(file(RATE, {}, time))).toMatchObject({ ...ENDS, by: 'by long_name of time', warnings: [] });
  });

  it('is the start by default, with a warning, and the end in a run', async () => {
    expect(await read(file(RAIN))).toMatchObject({
      ...STARTS,
      warnings: [
        'times of x are taken for the starts of steps, since nothing states it; the option stamps decides otherwise',
      ],
    });
    expect(await read(file(RAIN, RUN, {}, 1))).toMatchObject({
      ...{ firstDay: 0, first: STARTS.first, stamps: 'end' },
      warnings: [expect.stringContaining('as they begin 1 h after the start of the run, with the first step')],
    });
    const zeros = file(RAIN, RUN);
    expect(await read(zeros)).toMatchObject({
      stamps: 'end',
      warnings: [expect.stringContaining('as forecasts stamp values, since nothing states it')],
    });
    expect(await read(file(RAIN), { stamps: 'end' })).toMatchObject({ ...ENDS, warnings: [] });
  });

  it('is an instant where the variable is one, without a word', async () => {
    const warmth = { standard_name: 'air_temperature', units: 'degC' };
    expect(await read(file(warmth))).toMatchObject({ stamps: 'instant', first: 11.5, warnings: [] });
    expect(await read(file({ ...warmth, cell_methods: 'time: point' }, RUN))).toMatchObject({
      first: 11.5,
      warnings: [],
    });
  });

  it('is the middle where times lie amid their steps, without a word', async () => {
    const found = await read(file(RAIN, {}, { units: 'hours since 2026-03-02 00:30' }));
    expect(found).toMatchObject({ ...STARTS, stamps: 'middle', warnings: [] });
  });

  it('is the end where an array has no value at the start of a run and another one has', async () => {
    const arrays = file(RAIN, { ...RUN, t: { dimensions: { time: 72, n: 1 }, values: Array(72).fill(1) } });
    const x = arrays.arrays.get('x');
    if (x === undefined) throw new Error('no x');
    const values = Array.from({ length: 72 }, (_, i) => (i === 0 ? Number.NaN : i));
    const missing = memoryFile({ x: { dimensions: { time: 72 }, values, attributes: RAIN } }).arrays.get('x');
    const opened = { ...arrays, arrays: new Map([...arrays.arrays, ['x', missing ?? x] as const]) };
    expect(await read(opened)).toMatchObject({
      ...ENDS,
      warnings: [expect.stringContaining('as there is no value at the start of the run, where another array has one')],
    });
  });

  it('is followed by the stronger evidence where two differ, with a warning', async () => {
    const hours = Array.from({ length: 72 }, (_, i) => [i, i + 1]).flat();
    const edges = { dimensions: { time: 72, two: 2 }, values: hours };
    const found = await read(file({ ...RAIN, long_name: 'Rain in the last hour' }, { edges }, { bounds: 'edges' }));
    expect(found).toMatchObject({
      ...STARTS,
      warnings: [
        'times of x are the starts of their steps by the bounds of time, but their ends by long_name "in the last hour": the former was taken; the option stamps decides otherwise',
      ],
    });
  });

  it('is an instant that is taken for its day where steps become as long, with a warning', async () => {
    const hours = [0, 6, 12, 18, 24, 30, 36, 42, 48, 72, 96, 120];
    const opened = memoryFile({
      time: { dimensions: { time: 12 }, values: hours, attributes: { units: 'hours since 2026-03-02' } },
      x: { dimensions: { time: 12 }, values: hours, attributes: { units: 'degC', cell_methods: 'time: point' } },
    });
    expect(await read(opened, { accumulation: undefined })).toMatchObject({
      first: 9,
      warnings: ['x has a single instant on 4 days, the first 2026-03-04, which is taken for the day'],
    });
  });

  it('is not known of bounds that overlap; gaps within days are counted', async () => {
    const edgesOf = (length: (i: number) => number) => ({
      dimensions: { time: 72, two: 2 },
      values: Array.from({ length: 72 }, (_, i) => [i, i + length(i)]).flat(),
    });
    const time = { bounds: 'edges' };
    await expect(read(file(RATE, { edges: edgesOf(() => 2) }, time))).rejects.toThrow(
      'column edges: bounds of time overlap; received 2026-03-02T00:00:00Z to 2026-03-02T02:00:00Z, then 2026-03-02T01:00:00Z',
    );
    const gapped = await read(file(RATE, { edges: edgesOf((i) => (i === 30 ? 0.5 : 1)) }, time));
    expect(gapped.warnings).toEqual([
      'bounds of the times of x leave gaps: 1 day is covered in part, the first 2026-03-03, and left out',
    ]);
  });
});

describe('bounds with attributes of their own', () => {
  const hours = Array.from({ length: 72 }, (_, i) => [i, i + 1]).flat();
  const edges = (attributes: Attributes, values = hours) => ({
    edges: { dimensions: { time: 72, two: 2 }, values, attributes },
  });
  const bounds = { bounds: 'edges' };

  it.each([
    ['units', { units: 'days since 2026-03-02' }, hours.map((hour) => hour / 24)],
    ['another date', { units: 'hours since 2026-03-01' }, hours.map((hour) => hour + 24)],
    ['an offset', { units: 'hours since 2026-03-02 01:00 +01:00' }, hours],
    ['the real calendar by another name', { calendar: 'proleptic_gregorian' }, hours],
  ])('are read: %s', async (_, attributes, values) => {
    const found = await read(file(RAIN, edges(attributes, values), bounds));
    expect(found).toMatchObject({ ...STARTS, by: 'by the bounds of time', warnings: [] });
  });

  it('are an error in another calendar, or in units that are none of time', async () => {
    await expect(read(file(RAIN, edges({ calendar: 'noleap' }), bounds))).rejects.toThrow(
      'column edges: bounds have another calendar than their times; received "noleap"',
    );
    await expect(read(file(RAIN, edges({ units: 'mm' }), bounds))).rejects.toThrow(
      'units of bounds are not understood',
    );
  });
});

describe('one instant a day', () => {
  const degrees = { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: point' };
  it.each([
    ['temp_mean', 'mean', degrees],
    ['temp_min', 'minimum', { ...degrees, GRIB_shortName: 'mn2t' }],
    ['temp_max', 'maximum', { ...degrees, GRIB_shortName: 'mx2t' }],
    ['precipitation', 'sum', { ...RAIN, cell_methods: 'time: point' }],
  ])('is no %s, unless the option stamps says instant', async (variable, noun, attributes) => {
    const edges = { dimensions: { time: 3, two: 2 }, values: [0, 1, 1, 2, 2, 3] };
    const daily = memoryFile({
      time: {
        dimensions: { time: 3 },
        values: [0, 1, 2],
        attributes: { units: 'days since 2026-03-02', bounds: 'edges' },
      },
      edges,
      x: { dimensions: { time: 3 }, values: [1, 2, 3], attributes },
    });
    for (const stamps of [undefined, 'start', 'end'] as const)
      await expect(read(daily, { variable, accumulation: undefined, stamps })).rejects.toThrow(
        `holds one instant a day, which is no daily ${noun}`,
      );
    expect(await read(daily, { variable, accumulation: undefined, stamps: 'instant' })).toMatchObject({ first: 1 });
    if (variable === 'temp_mean')
      await expect(read(daily, { variable: 'temp_min', accumulation: undefined, stamps: 'instant' })).rejects.toThrow(
        'does not hold temp_min',
      );
  });
});

describe('several levels', () => {
  const warmth = { standard_name: 'air_temperature', units: 'degC' };
  const at = (attributes: Attributes): MemoryArray => ({
    dimensions: { time: 72 },
    values: Array(72).fill(1),
    attributes,
  });

  it('leave the one at 2 m, and extremes by name are no means', async () => {
    const others = { temperature_2m: at(warmth), temperature_850hpa: at(warmth), maximum_temperature_2m: at(warmth) };
    const opened = file({ units: 'm' }, others);
    expect((await gridEnsemble(opened, { variable: 'temp_mean' })).array).toBe('temperature_2m');
    expect((await gridEnsemble(opened, { variable: 'temp_max' })).array).toBe('maximum_temperature_2m');
  });
});

describe('bounds of time', () => {
  it('count where all starts come before all ends, as xarray transposes them', async () => {
    const ends = Array.from({ length: 72 }, (_, i) => 1 + i);
    const edges = { dimensions: { bnds: 2, time: 72 }, values: [...ends.map((end) => end - 1), ...ends] };
    expect(await read(file(RATE, { edges }, { bounds: 'edges' }, 1))).toMatchObject({
      ...{ firstDay: 0, first: STARTS.first, stamps: 'end', by: 'by the bounds of time', warnings: [] },
    });
  });
});

describe('steps that lie across midnight', () => {
  const sixHourly = (attributes: Attributes, first: number) =>
    memoryFile({
      time: {
        dimensions: { time: 12 },
        values: Array.from({ length: 12 }, (_, i) => first + 6 * i),
        attributes: { units: 'hours since 2026-03-02' },
      },
      x: { dimensions: { time: 12 }, values: Array.from({ length: 12 }, (_, i) => i), attributes },
    });
  const mean = { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' };

  it('are a warning where they are of an interval, and stamps does not say which end', async () => {
    const { warnings } = await read(sixHourly(mean, 5));
    expect(warnings.join()).toContain(
      'steps of x lie across midnight of UTC, the first 2026-03-02T23:00:00Z to 2026-03-03T05:00:00Z: each counts for one day; the option stamps decides for which',
    );
    expect((await read(sixHourly(mean, 5), { stamps: 'start' })).warnings).toEqual([]);
  });

  it('are a warning of amounts that grow, too', async () => {
    const growing = sixHourly({ ...RAIN, cell_methods: 'time: sum' }, 3);
    const { warnings } = await read(growing, { accumulation: 'since-start' });
    expect(warnings.join()).toContain(
      'the first 2026-03-01T21:00:00Z to 2026-03-02T03:00:00Z: each counts for one day',
    );
    const whole = sixHourly({ ...RAIN, cell_methods: 'time: sum' }, 6);
    expect((await read(whole, { accumulation: 'since-start' })).warnings).toEqual([]);
  });

  it('are no matter of instants, and of steps from 00 UTC on', async () => {
    expect((await read(sixHourly({ ...mean, cell_methods: 'time: point' }, 5))).warnings).toEqual([]);
    expect((await read(sixHourly(mean, 0))).warnings.join()).not.toContain('midnight');
  });
});

describe('a long name that says "instantaneous"', () => {
  it('makes instants of values that would be of steps, without a word', async () => {
    const gust = { units: 'm s-1', long_name: 'Instantaneous 10 metre wind gust', standard_name: 'wind_speed_of_gust' };
    const variable = 'wind_gust_max';
    expect(await read(file(gust), { variable })).toMatchObject({ stamps: 'instant', by: 'by long_name', warnings: [] });
    const stated = await read(file({ ...gust, cell_methods: 'time: maximum' }), { variable });
    expect(stated.stamps).not.toBe('instant');
  });

  it('is a warning for one value a day, unless stamps says what it is', async () => {
    const daily = memoryFile({
      time: { dimensions: { time: 3 }, values: [0, 1, 2], attributes: { units: 'days since 2026-03-02' } },
      x: {
        dimensions: { time: 3 },
        values: [1, 2, 3],
        attributes: { units: 'degC', long_name: 'instantaneous air temperature', standard_name: 'air_temperature' },
      },
    });
    expect((await read(daily)).warnings).toEqual([
      'x has one value a day, and its long_name says "instantaneous": each is taken for its whole day; the option stamps says so without a warning',
    ]);
    expect((await read(daily, { stamps: 'start' })).warnings).toEqual([]);
  });
});

describe('a rotated grid mapping beside standard names of degrees', () => {
  const places = (standard_name?: string): Record<string, MemoryArray> => ({
    crs: { values: [0], dimensions: {}, attributes: { grid_mapping_name: 'rotated_latitude_longitude' } },
    latitude: {
      ...{ dimensions: { latitude: 2 }, values: [50, 51] },
      attributes: { units: 'degrees_north', ...(standard_name && { standard_name }) },
    },
    longitude: { dimensions: { longitude: 1 }, values: [7], attributes: { units: 'degrees_east' } },
    x: {
      dimensions: { time: 72, latitude: 2, longitude: 1 },
      values: Array.from({ length: 144 }, (_, i) => i),
      attributes: { units: 'degC', standard_name: 'air_temperature', grid_mapping: 'crs' },
    },
  });

  it('is a contradiction: a warning', async () => {
    expect((await read(file({}, places('latitude')))).warnings).toEqual([
      'latitude is taken for degrees of latitude, by its standard_name, though crs states a rotated grid; the option coordinates names others',
    ]);
  });
});

describe('units that nothing can be made of', () => {
  it.each(['unknown', 'mm/6hr', '1'])('give way to the option units: %s', async (units) => {
    const rain = file({ ...RAIN, units });
    await expect(read(rain)).rejects.toThrow('or the option units, where the file states none of use');
    const ensemble = await gridEnsemble(rain, { array: 'x', accumulation: 'per-step', units: 'mm' });
    expect([ensemble.units, ensemble.conversions.join()]).toEqual([
      'mm',
      expect.stringContaining(`units of x are mm, not ${units}`),
    ]);
  });

  it('keep others: the option would contradict them', async () => {
    await expect(read(file(RAIN), { units: 'm' })).rejects.toThrow(
      'units: not those that array x states; received "m"',
    );
  });
});

describe('stored months', () => {
  const months = (attributes: Attributes, time: Attributes, others: Record<string, MemoryArray> = {}) =>
    memoryFile({
      time: { dimensions: { time: 3 }, values: [0, 31, 59], attributes: { units: 'days since 2026-01-01', ...time } },
      tp: { dimensions: { time: 3 }, values: [0.002, 0.003, 0.004], attributes },
      ...others,
    });
  const native = async (opened: ReturnType<typeof memoryFile>, options: GridOptions = {}) => {
    const ensemble = await gridEnsemble(opened, { array: 'tp', native: true, ...options });
    const [[values]] = await dailyValues(ensemble, core);
    const { firstDay, days, conversions, warnings } = ensemble;
    return { firstDay: firstDay - 20_454, days, first: values[0], notes: conversions.join(), warnings };
  };

  it('may have bounds that end with the last day, as CDO writes them', async () => {
    const bounds = (last: number): Record<string, MemoryArray> => ({
      time_bnds: { dimensions: { time: 3, nv: 2 }, values: [0, 30, 31, 58, 59, last], attributes: {} },
    });
    const sums = { units: 'mm', cell_methods: 'time: sum', standard_name: 'precipitation_amount' };
    const found = await native(months(sums, { bounds: 'time_bnds' }, bounds(89)));
    expect(found).toMatchObject({ firstDay: 0, days: 90, first: expect.closeTo(0.002 / 31, 9), warnings: [] });
    expect(found.notes).toContain('monthly values, as stored, whose bounds end with the last day');
    await expect(native(months(sums, { bounds: 'time_bnds' }, bounds(88)))).rejects.toThrow('no day, ISO week or');
  });

  it('of rates that CDO added up, whose units it keeps, are mean rates with a warning, or totals by their units', async () => {
    const history = 'Mon Nov 30 10:00:00 2026: cdo -O monsum rates.nc months.nc';
    const bounds = { time_bnds: { dimensions: { time: 3, nv: 2 }, values: [0, 31, 31, 59, 59, 90], attributes: {} } };
    const summed = (by: string) => ({
      ...months({ units: 'mm/day', cell_methods: 'time: mean' }, { bounds: 'time_bnds' }, bounds),
      attributes: new Map([['history', by]]),
    });
    const taken = await native(summed(history));
    expect([taken.first, taken.warnings]).toEqual([
      expect.closeTo(0.002, 9),
      [
        expect.stringMatching(
          /^tp holds rates \(mm\/day\) that CDO's monsum added up, as the history says: taken for mean rates.*units: 'mm\/month'.*units: 'mm\/day'/,
        ),
      ],
    ]);
    const totals = await native(summed(history), { units: 'mm/month' });
    expect([totals.first, totals.warnings]).toEqual([expect.closeTo(0.002 / 31, 9), []]);
    expect(await native(summed(history), { units: 'mm/day' })).toMatchObject({ first: taken.first, warnings: [] });
    for (const other of [
      'cdo monmean rates.nc months.nc',
      'cdo -monmean -daysum hours.nc months.nc',
      'monsum of people',
    ])
      expect((await native(summed(other))).warnings).toEqual([]);
    const ofSeconds = months({ units: 'kg m-2 s-1' }, { bounds: 'time_bnds' }, bounds);
    expect((await native(ofSeconds, { units: 'mm/month' })).first).toBeCloseTo(0.002 / 31, 9);
  });

  it('of ECMWF are means of daily amounts: by their type of steps, or by name with a warning', async () => {
    const typed = await native(months({ units: 'm', GRIB_stepType: 'avgad' }, {}));
    expect(typed).toMatchObject({ days: 90, first: expect.closeTo(2, 9), warnings: [] });
    expect(typed.notes).toContain('amounts are means of daily ones');
    const named = await native(months({ units: 'm' }, {}));
    expect([named.first, named.warnings]).toEqual([
      expect.closeTo(2, 9),
      [expect.stringContaining('monthly amounts of tp in metres are taken for means of daily ones')],
    ]);
    expect(named.warnings[0]).toContain("units: 'm/month' takes them for totals of months, units: 'm/day' for means");
    const asTotals = await native(months({ units: 'm' }, {}), { units: 'm/month' });
    expect([asTotals.first, asTotals.warnings]).toEqual([expect.closeTo(2 / 31, 9), []]);
    const asMeans = await native(months({ units: 'm' }, {}), { units: 'm/day' });
    expect([asMeans.first, asMeans.warnings]).toEqual([expect.closeTo(2, 9), []]);
    const totals = await native(months({ units: 'm', cell_methods: 'time: sum' }, {}));
    expect([totals.first, totals.warnings]).toEqual([expect.closeTo(2 / 31, 9), []]);
  });

  it('since the first of a month are months of the calendar, where all are whole or half', async () => {
    const since = { units: 'months since 2026-01-01' };
    const at = (values: number[]) =>
      memoryFile({
        time: { dimensions: { time: 3 }, values, attributes: since },
        tp: {
          dimensions: { time: 3 },
          values: [1, 2, 3],
          attributes: { units: 'mm/day', standard_name: 'precipitation_flux' },
        },
      });
    expect(await native(at([0.5, 1.5, 2.5]))).toMatchObject({ firstDay: 0, days: 90, first: 1 });
    expect(await native(at([0, 1, 2]))).toMatchObject({ firstDay: 0, days: 90, first: 1 });
    await expect(native(at([0.3, 1.3, 2.3]))).rejects.toThrow('units of time are not understood');
  });
});
