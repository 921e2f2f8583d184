import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { isPlumecastError } from '../../../src/errors.js';
import type { AttributeValue } from '../../../src/files/array/array-file.js';
import { growthWarning } from '../../../src/files/cf/days/check-growth.js';
import { readCell } from '../../../src/files/cf/days/read-block.js';
import { findReadPlan } from '../../../src/files/cf/days/read-plan.js';
import { type GridOptions, gridArrays, gridEnsemble } from '../../../src/files/cf/index.js';
import { counted, hourlyRain, seeded } from '../../period/rain-series.js';
import { dailyValues } from './daily-values.js';
import { type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const DAYS = 12;
const [MEMBERS, ROWS, COLUMNS] = [3, 2, 4];
const CELLS = ROWS * COLUMNS;
/** By member, cell and hour, in mm. */
const random = seeded(3);
const HOURLY = Array.from({ length: MEMBERS }, () =>
  Array.from({ length: CELLS }, () => hourlyRain(random, DAYS * 24)),
);
/** The amounts of days, in a slow and simple way. */
const DAILY = HOURLY.map((cells) =>
  cells.map((hourly) =>
    Array.from({ length: DAYS }, (_, day) => hourly.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b, 0)),
  ),
);

interface Shape {
  readonly step?: number;
  /** Hours between resets; Infinity for amounts since the start. */
  readonly reset: number;
  /** The leads of the file in hours from this one on; 0 has the run's start, too. */
  readonly from?: number;
  /** Whether leads are a dimension, besides the time of the run. */
  readonly hasRun?: boolean;
  readonly attributes?: Record<string, AttributeValue>;
  readonly isSeries?: boolean;
  readonly change?: (values: number[], at: (m: number, t: number, cell: number) => number) => void;
  readonly bounds?: (hours: readonly number[]) => number[];
}

/** A file of the precipitation of some members and cells in metres. */
function rainFile({ step = 6, reset, from = 0, hasRun = true, attributes = {}, isSeries, change, bounds }: Shape) {
  const all = HOURLY.map((cells) => cells.map((hourly) => [0, ...counted(hourly, step, reset)]));
  const leads = Array.from({ length: (DAYS * 24) / step + 1 }, (_, i) => i * step).filter((hour) => hour >= from);
  const order = isSeries ? (['number', 'lat', 'lon', 't'] as const) : (['number', 't', 'lat', 'lon'] as const);
  const lengths = { number: MEMBERS, t: leads.length, lat: ROWS, lon: COLUMNS };
  const at = (m: number, t: number, cell: number) =>
    isSeries ? (m * CELLS + cell) * leads.length + t : (m * leads.length + t) * CELLS + cell;
  const values = new Array<number>(MEMBERS * leads.length * CELLS);
  for (let m = 0; m < MEMBERS; m++)
    for (const [t, lead] of leads.entries())
      for (let cell = 0; cell < CELLS; cell++) values[at(m, t, cell)] = all[m][cell][lead / step] / 1000;
  change?.(values, at);
  const time = hasRun ? 'step' : 'time';
  const axis: MemoryArray = {
    dimensions: { [time]: leads.length },
    values: leads,
    attributes: { units: hasRun ? 'hours' : 'hours since 2024-03-01', ...(bounds && { bounds: 'time_bnds' }) },
  };
  return memoryFile({
    [time]: axis,
    ...(hasRun && { time: { values: [0], attributes: { units: 'hours since 2024-03-01' } } }),
    ...(bounds && { time_bnds: { dimensions: { [time]: leads.length, bnds: 2 }, values: bounds(leads) } }),
    lat: { dimensions: { lat: ROWS }, values: [60, 50], attributes: { units: 'degrees_north' } },
    lon: { dimensions: { lon: COLUMNS }, values: [0, 1, 2, 3], attributes: { units: 'degrees_east' } },
    tp: {
      dimensions: Object.fromEntries(order.map((name) => [name === 't' ? time : name, lengths[name]])),
      values,
      attributes: { units: 'm', GRIB_stepType: 'accum', ...attributes },
    },
  });
}

async function daysOf(shape: Shape, options: GridOptions = {}) {
  const ensemble = await gridEnsemble(rainFile(shape), options);
  return { ensemble, values: await dailyValues(ensemble, core) };
}

/** Whether values are the daily amounts, except on the first `lost` days, where they are missing. */
function expectDays(found: readonly (readonly (readonly number[])[])[], lost = 0): void {
  for (const [m, cells] of found.entries()) {
    for (const [cell, days] of cells.entries()) {
      expect(days.length).toBe(DAYS);
      for (const [day, value] of days.entries()) {
        if (day < lost) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(DAILY[m][cell][day], 9);
      }
    }
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (thrown: unknown) => thrown,
  );
  if (!isPlumecastError(error)) throw error;
  return `${error.tag}: ${error.message}`;
}

const HOW = 'differences of neighbouring steps to daily sums';

describe('amounts of steps within the day', () => {
  it.each([
    [
      'since the start of the run',
      { reset: Number.POSITIVE_INFINITY },
      `amounts since the start of the run, by their values: ${HOW}`,
    ],
    ['since the start, by location', { reset: Number.POSITIVE_INFINITY, isSeries: true }, 'amounts since the start'],
    ['since the start, without a run', { reset: Number.POSITIVE_INFINITY, hasRun: false }, 'amounts since the start'],
    ['of each step', { reset: 0, from: 6 }, 'amounts of each step, by their values; 6-hourly sums to daily sums'],
    ['in buckets of 6 h', { reset: 6, step: 3, from: 3 }, `amounts in buckets of 6 h, by their values: ${HOW}`],
    [
      'in buckets of 24 h',
      { reset: 24, step: 3, from: 3, isSeries: true },
      'amounts in buckets of 24 h, by their values',
    ],
  ])('%s are determined by their values', async (_, shape, reported) => {
    const { ensemble, values } = await daysOf(shape);
    expectDays(values);
    expect(ensemble.conversions.join('; ')).toContain(reported);
    for (const bytes of [4_000, 1e6]) expectDays(await dailyValues(ensemble, core, { bytes, cuts: [3, 4, 9] }));
    const into = new Float32Array(MEMBERS * DAYS);
    await readCell(findReadPlan(ensemble) as NonNullable<ReturnType<typeof findReadPlan>>, 5, into);
    expect(into[DAYS + 7]).toBeCloseTo(DAILY[1][5][7], 4);
  });

  it('that begin after the start of the run have no value on their first day', async () => {
    const reset = Number.POSITIVE_INFINITY;
    expectDays((await daysOf({ reset, from: 6 })).values);
    const { ensemble, values } = await daysOf({ reset, from: 6, hasRun: false });
    expectDays(values, 1);
    expect(ensemble.conversions).toContain('what had fallen before the first step is not known: its day is missing');
    const late = await daysOf({ reset, from: 30 });
    expect(late.values[0][0]).toHaveLength(DAYS - 1);
    expect(late.values[0][0][0]).toBeNaN();
    expect(late.values[0][0][1]).toBeCloseTo(DAILY[0][0][2], 9);
  });

  it('have no value over a gap between times', async () => {
    const file = rainFile({ reset: Number.POSITIVE_INFINITY });
    const lost = (hour: number) => hour > 48 && hour <= 72;
    const leads = [...Array(DAYS * 4 + 1).keys()].map((i) => 6 * i);
    const kept = leads.filter((hour) => !lost(hour));
    const { tp } = Object.fromEntries(file.arrays);
    const read = async (array: typeof tp) => {
      const into = new Float64Array(array.shape.reduce((a, b) => a * b, 1));
      await array.read({ start: array.shape.map(() => 0), count: array.shape }, into);
      return into;
    };
    const values = await read(tp);
    const gapped = memoryFile({
      step: { dimensions: { step: kept.length }, values: kept, attributes: { units: 'hours' } },
      time: { values: [0], attributes: { units: 'hours since 2024-03-01' } },
      tp: {
        dimensions: { number: MEMBERS, step: kept.length },
        values: Array.from({ length: MEMBERS }, (_, m) =>
          kept.map((hour) => values[(m * leads.length + hour / 6) * CELLS]),
        ).flat(),
        attributes: { units: 'm' },
      },
    });
    const [[days]] = await dailyValues(await gridEnsemble(gapped, { accumulation: 'since-start' }), core);
    expect(days.map((value) => (Number.isNaN(value) ? null : Number(value.toFixed(6))))).toEqual(
      DAILY[0][0].map((value, day) => (day === 2 || day === 3 ? null : Number(value.toFixed(6)))),
    );
  });

  it('are determined by metadata first', async () => {
    const reset = Number.POSITIVE_INFINITY;
    const pairs = (lower: (hour: number) => number) => (hours: readonly number[]) =>
      hours.flatMap((hour) => [lower(hour), hour]);
    const since = await daysOf({ reset, from: 6, hasRun: false, bounds: pairs(() => 0) });
    expectDays(since.values);
    expect(since.ensemble.conversions.join()).toContain('by the bounds of time');
    const each = await daysOf({ reset: 0, from: 6, bounds: pairs((hour) => hour - 6) });
    expectDays(each.values);
    const buckets = await daysOf({
      reset: 6,
      step: 3,
      from: 3,
      bounds: pairs((hour) => 6 * Math.floor((hour - 1) / 6)),
    });
    expectDays(buckets.values);
    const named = await daysOf({ reset, attributes: { long_name: 'accumulated since the start of the forecast' } });
    expectDays(named.values);
    expect(named.ensemble.conversions.join()).toContain('by long_name');
  });

  it('are determined by the option before anything else', async () => {
    const options = { accumulation: 'since-start' } as const;
    const { ensemble, values } = await daysOf({ reset: Number.POSITIVE_INFINITY }, options);
    expectDays(values);
    expect(ensemble.conversions.join()).toContain('by the option accumulation');
    expectDays((await daysOf({ reset: 6, step: 3, from: 3 }, { accumulation: 'buckets' })).values);
    expectDays((await daysOf({ reset: 12, step: 3, from: 3 }, { accumulation: 'buckets-12h' })).values);
    expect(await failureOf(daysOf({ reset: 0 }, { accumulation: 'sum' as 'buckets' }))).toMatch(
      /^option: accumulation: unknown; received "sum"/,
    );
  });

  it('that fall although they were taken to grow are an error that names place, time and option', async () => {
    const change: Shape['change'] = (values, at) => {
      for (let t = 30; t < 49; t++) values[at(2, t, 6)] = 0;
    };
    for (const isSeries of [false, true]) {
      const failure = await failureOf(
        daysOf({ reset: Number.POSITIVE_INFINITY, isSeries, change }, { accumulation: 'since-start' }),
      );
      expect(failure).toMatch(
        /^data: test.nc, column tp: growing amounts fall at 2024-03-08T12:00:00Z \(member 2, latitude 50, longitude 2\); received "0\.\d+, then 0"; allowed: .*the option accumulation/,
      );
    }
  });

  it('that fall by rounding give no day below 0', async () => {
    const noisy: Shape['change'] = (values, at) => {
      for (let m = 0; m < MEMBERS; m++)
        for (let t = 0; t <= DAYS * 4; t++)
          for (let cell = 0; cell < CELLS; cell++) {
            const noise = Math.floor(t / 4) % 2 === 0 ? 4e-6 : -4e-6;
            if (values[at(m, t, cell)] > 0) values[at(m, t, cell)] += noise;
          }
    };
    for (const isSeries of [false, true]) {
      const { ensemble, values } = await daysOf({ reset: Number.POSITIVE_INFINITY, isSeries, change: noisy });
      expect([ensemble.accumulation, Math.min(...values.flat(2))]).toEqual(['since-start', 0]);
    }
  });

  it('that cannot be determined are an error that names the option', async () => {
    const short = memoryFile({
      time: { dimensions: { time: 4 }, values: [6, 12, 18, 24], attributes: { units: 'hours since 2024-03-01' } },
      tp: { dimensions: { time: 4 }, values: [1, 2, 2, 3], attributes: { units: 'mm', GRIB_stepType: 'accum' } },
    });
    expect(await failureOf(gridEnsemble(short))).toMatch(
      /^option: test.nc, accumulation: nothing shows whether the amounts of tp are those of each step or grow .*; allowed: accumulation: 'per-step' \| 'since-start' \| 'buckets-24h'/,
    );
    expect(await dailyValues(await gridEnsemble(short, { accumulation: 'per-step' }), core)).toEqual([[[8]]]);
    const [{ problem }] = await gridArrays(short);
    expect(problem?.message).toContain('accumulation');
  });

  it.each([0, 24])(
    'of whole days from lead %i on are those since the start where GRIB says that they accumulate and none falls',
    async (from) => {
      const { ensemble, values } = await daysOf({ step: 24, reset: Number.POSITIVE_INFINITY, from });
      expect(ensemble.accumulation).toBe('since-start');
      expectDays(values);
    },
  );

  it('of daily steps that fall are those of their day, whatever GRIB states', async () => {
    const { ensemble, values } = await daysOf({ step: 24, reset: 24, from: 24 });
    expect([ensemble.accumulation, ensemble.conversions]).toEqual([
      undefined,
      ['times mark the ends of days', 'm to mm'],
    ]);
    expectDays(values);
  });

  it('that are all 0 need no option', async () => {
    const change: Shape['change'] = (values) => void values.fill(0);
    const { ensemble, values } = await daysOf({ reset: 0, from: 6, change });
    expect([ensemble.accumulation, Math.max(...values.flat(2))]).toEqual(['either', 0]);
  });

  it('of rates, and values that are not amounts, are not changed', async () => {
    const rates = rainFile({ reset: Number.POSITIVE_INFINITY, attributes: { units: 'mm h-1', GRIB_stepType: 'avg' } });
    expect((await gridEnsemble(rates)).accumulation).toBeUndefined();
    expect(await failureOf(gridEnsemble(rates, { accumulation: 'since-start' }))).toContain(
      'tp holds rates, which do not accumulate',
    );
  });
});

describe('large files', () => {
  it('are sampled: few of their chunks are read to decide, and a wet place outside dry samples is an error', async () => {
    const [size, steps] = [100, 80];
    const wet = (cell: number) => cell === 5_020;
    const values = Array.from({ length: steps * size * size }, (_, i) => (wet(i % (size * size)) ? 1 : 0));
    const axis = (length: number) => Array.from({ length }, (_, i) => i / 2);
    const file = memoryFile({
      time: {
        dimensions: { time: steps },
        values: axis(steps).map((i) => 12 * i),
        attributes: { units: 'hours since 2024-03-01' },
      },
      lat: { dimensions: { lat: size }, values: axis(size), attributes: { units: 'degrees_north' } },
      lon: { dimensions: { lon: size }, values: axis(size), attributes: { units: 'degrees_east' } },
      tp: {
        type: 'float32',
        dimensions: { time: steps, lat: size, lon: size },
        values,
        attributes: { units: 'mm' },
        chunk: [20, 10, 10],
      },
    });
    // Times of ECMWF's tp are ends.
    const ensemble = await gridEnsemble(file);
    const decoded = [...file.reads.chunks.values()].reduce((a, b) => a + b, 0);
    expect([ensemble.accumulation, decoded < 0.3 * 400]).toEqual(['either', true]);
    expect(await failureOf(ensemble.read({ cell: 5_020, cells: 1, day: 0, days: 2 }, core))).toMatch(
      /^data: test.nc, column tp: a sample was dry.* at 2024-03-01T06:00:00Z \(member 0, latitude 25, longitude 10\)/,
    );
  });
});

describe('daily amounts', () => {
  const file = (values: readonly number[], attributes: Record<string, AttributeValue> = {}) =>
    memoryFile({
      time: {
        dimensions: { time: values.length },
        values: values.map((_, day) => day),
        attributes: { units: 'days since 2024-03-01' },
      },
      tp: { dimensions: { time: values.length }, values, attributes: { units: 'mm', ...attributes } },
    });
  const growing = Array.from({ length: 20 }, (_, day) => day);

  it('are those of their day, with a warning where they never fall over 20 days', async () => {
    const ensemble = await gridEnsemble(file(growing));
    expect([ensemble.accumulation, ensemble.conversions]).toEqual([undefined, []]);
    expect(await growthWarning(ensemble)).toMatch(/daily amounts never fall.*since-start/);
    expect(await growthWarning(await gridEnsemble(file(growing.slice(1))))).toBeUndefined();
    expect(await growthWarning(await gridEnsemble(file([...growing, 3])))).toBeUndefined();
    expect(await growthWarning(await gridEnsemble(file(growing.map(() => 0))))).toBeUndefined();
  });

  it('of a run of fewer days are a warning, too, where they grow and nothing falls after eight wet days', async () => {
    const run = { units: 'days since 2024-01-01', standard_name: 'forecast_reference_time' };
    const ofRun = async (values: readonly number[]) => {
      const given = file(values);
      const [start] = memoryFile({ run: { values: [0], attributes: run } }).arrays;
      return growthWarning(await gridEnsemble({ ...given, arrays: new Map([...given.arrays, start]) }));
    };
    expect(await ofRun(growing.slice(0, 10))).toMatch(/daily amounts never fall/);
    for (const values of [growing.slice(0, 9), [0, 0, 0, 0, 0, 0, 0, 0, 3, 5, 9, 9], [...growing.slice(0, 10), 3]])
      expect(await ofRun(values)).toBeUndefined();
  });

  it('since the start are determined by metadata or the option', async () => {
    const since = await gridEnsemble(file(growing), { accumulation: 'since-start' });
    expect((await dailyValues(since, core))[0][0].slice(1)).toEqual(Array(19).fill(1));
    const named = await gridEnsemble(file(growing, { comment: 'accumulated from the start of the run' }));
    expect((await dailyValues(named, core))[0][0].slice(1)).toEqual(Array(19).fill(1));
    expect(await growthWarning(named)).toBeUndefined();
  });

  /** A run whose leads are days apart, in which GRIB says that amounts accumulate. */
  const fewDays = (values: number[], from: number) =>
    memoryFile({
      time: { values: [0], attributes: { units: 'days since 2024-03-01', standard_name: 'forecast_reference_time' } },
      step: {
        dimensions: { step: values.length },
        values: values.map((_, day) => from + day),
        attributes: { units: 'days' },
      },
      tp: { dimensions: { step: values.length }, values, attributes: { units: 'mm', GRIB_stepType: 'accum' } },
    });

  it('of a few days that never fall are those since the start where GRIB says that they accumulate, with a warning', async () => {
    for (const [from, values] of [
      [1, [4, 10, 30]],
      [0, [0, 4, 10, 30]],
    ] as const) {
      const since = await gridEnsemble(fewDays([...values], from));
      expect((await dailyValues(since, core))[0][0].filter((value) => value > 0)).toEqual([4, 6, 20]);
      expect(since.warnings).toEqual([
        'amounts of tp never fall, and GRIB_stepType says accum: taken for those since the start of the run; the option accumulation decides otherwise',
      ]);
      const stated = await gridEnsemble(fewDays([...values], from), { accumulation: 'since-start' });
      expect(stated.warnings).toEqual([]);
    }
    // What had fallen at the start of a run is no amount since then.
    const begun = await gridEnsemble(fewDays([3, 4, 10, 30], 0));
    expect([begun.accumulation, (await dailyValues(begun, core))[0][0]]).toEqual([undefined, [3, 4, 10, 30]]);
    const ofDays = await gridEnsemble(fewDays([4, 3, 30], 1));
    expect([ofDays.accumulation, ofDays.warnings]).toEqual([undefined, []]);
  });

  it('of ERA5 whose hours are further apart than it has them are said to leave hours out', async () => {
    const of = (
      hours: number,
      options: GridOptions = {},
      coordinates = 'number latitude expver',
      stated: Record<string, string> = {},
    ) =>
      gridEnsemble(
        {
          ...memoryFile({
            valid_time: {
              dimensions: { valid_time: 16 },
              values: Array.from({ length: 16 }, (_, i) => i * hours),
              attributes: { units: 'hours since 2024-03-01', standard_name: 'time' },
            },
            tp: {
              dimensions: { valid_time: 16 },
              values: Array.from({ length: 16 }, (_, i) => (5 * i) % 7),
              attributes: { units: 'mm', GRIB_stepType: 'accum', coordinates },
            },
          }),
          attributes: new Map(Object.entries(stated)),
        },
        options,
      );
    expect((await of(6)).warnings).toEqual([
      "times of tp are 6 h apart, and ERA5 has amounts of single hours: the others are not counted, unless each value is of the whole step, as accumulation: 'per-step' says",
    ]);
    expect((await of(6, { accumulation: 'per-step' })).warnings).toEqual([]);
    expect((await of(6, {}, 'number latitude')).warnings).toEqual([]);
    expect((await of(2)).warnings).toHaveLength(1);
    // Files that have lost that coordinate are known by their centre, or by what ECMWF made them with.
    const bySix = async (stated: Record<string, string>) =>
      (await of(6, {}, 'number latitude', stated)).warnings.filter((text) => text.includes('6 h apart'));
    expect(await bySix({ GRIB_centre: 'ecmf' })).toHaveLength(1);
    expect(await bySix({ history: 'grib_to_netcdf.bin -o out.nc in.grib' })).toHaveLength(1);
    expect(await bySix({ GRIB_centre: 'kwbc' })).toEqual([]);
    expect(await bySix({ GRIB_centre: 'ecmf', history: 'cdo -timselsum,6 tp.nc out.nc' })).toEqual([]);
  });

  it('since a start before the first step have no value on the first day', async () => {
    const run = (init: number) =>
      memoryFile({
        time: {
          values: [init],
          attributes: { units: 'hours since 2001-01-01', standard_name: 'forecast_reference_time' },
        },
        step: { dimensions: { step: 2 }, values: [24, 48].map((hour) => hour - init), attributes: { units: 'hours' } },
        tp: { dimensions: { step: 2 }, values: [10, 30], attributes: { units: 'mm' } },
      });
    const read = async (init: number) =>
      dailyValues(await gridEnsemble(run(init), { accumulation: 'since-start' }), core);
    expect(await read(0)).toEqual([[[10, 20]]]);
    expect(await read(-24)).toEqual([[[Number.NaN, 20]]]);
  });
});
