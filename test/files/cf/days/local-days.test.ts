import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import type { GridOptions } from '../../../../src/files/cf/grid-options.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyTable } from '../../../../src/table/daily/daily-table.js';
import { dailyValues } from '../daily-values.js';
import { coordinates, type MemoryArray, memoryFile } from '../memory-file.js';

const core = await loadCore();
const value = { array: 'value' };
const HOUR = 3600;
const START = Date.parse('2026-03-20T00:00Z') / 1000;

/** Two places of values at steps, cells or times last, with times at the ends of steps. */
function stored(
  values: (step: number, cell: number) => number,
  {
    steps,
    hours,
    isByCell = false,
    attributes = {},
  }: {
    steps: number;
    hours: number;
    isByCell?: boolean;
    attributes?: MemoryArray['attributes'];
  },
) {
  const all = Array.from({ length: 2 * steps }, (_, i) =>
    isByCell ? values(i % steps, Math.floor(i / steps)) : values(Math.floor(i / 2), i % 2),
  );
  const dimensions = isByCell ? { latitude: 2, time: steps } : { time: steps, latitude: 2 };
  return memoryFile({
    ...coordinates({ latitude: [50, 51], longitude: [7] }, { units: 'seconds since 1970-01-01' }),
    time: {
      dimensions: { time: steps },
      values: Array.from({ length: steps }, (_, i) => START + (i + 1) * hours * HOUR),
      attributes: { units: 'seconds since 1970-01-01' },
    },
    value: { dimensions, values: all, attributes: { coordinates: 'longitude', ...attributes } },
  });
}

/** The days of a table of the same values at one place. */
function ofTable(values: readonly number[], hours: number, units: string, options: object): Map<number, number | null> {
  const ticks = BigInt64Array.from(values, (_, i) => BigInt(1000 * (START + (i + 1) * hours * HOUR)));
  const table = new arrow.Table({
    time: arrow.makeVector(arrow.makeData({ type: new arrow.TimestampMillisecond(), data: ticks })),
    member_00: arrow.vectorFromArray(Float64Array.from(values)),
  });
  const { table: daily } = dailyTable(table, { units, ...options });
  const [date, column] = [daily.getChild('date') as arrow.Vector, daily.getChild('member_00') as arrow.Vector];
  return new Map(Array.from(date, (day, row) => [Number(day) / 86_400_000, column.get(row)]));
}

const RULES = [
  { variable: 'precipitation', units: 'mm', accumulation: 'per-step', attributes: { cell_methods: 'time: sum' } },
  { variable: 'precipitation', units: 'mm', accumulation: 'since-start', attributes: {} },
  { variable: 'precipitation', units: 'mm/h', accumulation: undefined, attributes: { cell_methods: 'time: mean' } },
  { variable: 'temp_mean', units: 'degC', accumulation: undefined, attributes: { cell_methods: 'time: mean' } },
  { variable: 'temp_max', units: 'degC', accumulation: undefined, attributes: { cell_methods: 'time: maximum' } },
  { variable: 'temp_min', units: 'degC', accumulation: undefined, attributes: { cell_methods: 'time: minimum' } },
] as const;

describe('arrays of time steps', () => {
  const examples = fc.record({
    rule: fc.constantFrom(...RULES),
    hours: fc.constantFrom(1, 3, 6),
    timeZone: fc.constantFrom('Europe/Berlin', '+05:30', 'America/St_Johns', '-03:00', 'Asia/Kathmandu'),
    dayStart: fc.constantFrom(undefined, '06', '09:30'),
    hoursOfDay: fc.constantFrom(undefined, '06-18', '18-06'),
    isByCell: fc.boolean(),
    bytes: fc.constantFrom(1e9, 3000),
    seed: fc.nat(1000),
  });

  it('give the same days of a zone as tables', async () => {
    await fc.assert(
      fc.asyncProperty(examples, async (example) => {
        const { rule, hours, timeZone, dayStart, hoursOfDay, isByCell, bytes, seed } = example;
        const { variable, units, accumulation, attributes } = rule;
        const steps = (24 * 14) / hours;
        const single = (step: number, cell: number) => ((step * 7919 + cell * 131 + seed) % 101) / 16;
        const grown = (step: number, cell: number): number =>
          accumulation === 'since-start'
            ? Array.from({ length: step + 1 }, (_, i) => single(i, cell)).reduce((a, b) => a + b, 0)
            : single(step, cell);
        const local = { timeZone, dayStart, hours: hoursOfDay, splitExtremes: true };
        const options = { variable, stamps: 'end', accumulation, ...local } as const;
        const file = stored(grown, { steps, hours, isByCell, attributes: { ...attributes, units } });
        const ensemble = await gridEnsemble(file, { ...options, array: 'value' } as GridOptions);
        const [found] = await dailyValues(ensemble, core, { bytes });
        for (const cell of [0, 1]) {
          const series = Array.from({ length: steps }, (_, step) => grown(step, cell));
          const expected = ofTable(series, hours, units, options);
          const given = new Map(found[cell].map((value, day) => [ensemble.firstDay + day, value]));
          expect([...given.keys()]).toEqual([...expected.keys()]);
          for (const [day, value] of expected) {
            if (value === null) expect(given.get(day)).toBeNaN();
            else expect(given.get(day)).toBeCloseTo(value, 9);
          }
        }
      }),
      { numRuns: 60, seed: 20_260_329 },
    );
  }, 60_000);

  it('state their zone, and count the steps that are apportioned', async () => {
    const file = stored(() => 1, { steps: 24, hours: 6, attributes: { units: 'mm', cell_methods: 'time: sum' } });
    const options = {
      ...value,
      variable: 'precipitation',
      timeZone: 'Europe/Berlin',
      accumulation: 'per-step',
    } as const;
    const ensemble = await gridEnsemble(file, options);
    expect(ensemble.conversions).toContain(
      'days of Europe/Berlin: 6 steps lie in one only in part, apportioned by hours',
    );
    expect(ensemble.metadata.get('time_zone')).toBe('Europe/Berlin');
    expect((await dailyValues(ensemble, core))[0][0]).toEqual(
      [4, 4, 4, 4, 4].map((value) => expect.closeTo(value, 12)),
    );
  });

  it('are an error for extremes of steps in two days', async () => {
    const attributes = { units: 'degC', cell_methods: 'time: maximum' };
    const file = stored(() => 1, { steps: 24, hours: 6, attributes });
    await expect(gridEnsemble(file, { ...value, variable: 'temp_max', timeZone: 'Europe/Berlin' })).rejects.toThrow(
      'test.nc, column value: extremes of steps that cross the limits of days (days of Europe/Berlin)',
    );
  });

  it('give means since the start of the run by the length of each day', async () => {
    // Means since the start of a constant 240 W m-2 are 240 on days of any length, and their amounts 23/24 of a day's.
    const steps = 24 * 12;
    const bounds = Array.from({ length: 2 * steps }, (_, i) => START + (i % 2 === 0 ? 0 : ((i + 1) / 2) * HOUR));
    const file = (units: string) =>
      memoryFile({
        ...coordinates({ latitude: [50], longitude: [7] }, { units: 'seconds since 1970-01-01' }),
        time: {
          dimensions: { time: steps },
          values: bounds.filter((_, i) => i % 2 === 1),
          attributes: { units: 'seconds since 1970-01-01', bounds: 'edges' },
        },
        edges: { dimensions: { time: steps, two: 2 }, values: bounds },
        value: {
          dimensions: { time: steps },
          values: new Array(steps).fill(240),
          attributes: { units, cell_methods: 'time: mean', coordinates: 'latitude longitude' },
        },
      });
    const options = { ...value, timeZone: 'Europe/Berlin' };
    const means = await gridEnsemble(file('m s-1'), { ...options, variable: 'wind_speed' });
    const [[values]] = await dailyValues(means, core);
    for (const value of values) expect(value).toBeCloseTo(240, 9);
    const radiation = await gridEnsemble(file('W m-2'), { ...options, variable: 'solar_radiation' });
    const [[sums]] = await dailyValues(radiation, core);
    const day = (240 * 86_400) / 1e6;
    expect(sums[28 - 21]).toBeCloseTo(day, 9);
    expect(sums[29 - 21]).toBeCloseTo((day * 23) / 24, 9);
  });
});

describe('arrays of daily values', () => {
  const daily = (times: readonly number[], units: string, attributes: Record<string, string> = {}) =>
    memoryFile(
      {
        ...coordinates({ latitude: [50], longitude: [7] }, { units: 'seconds since 1970-01-01' }),
        time: { dimensions: { time: times.length }, values: times, attributes: { units } },
        tas: {
          dimensions: { time: times.length },
          values: times.map((_, step) => step + 1),
          attributes: { units: 'degC', standard_name: 'air_temperature' },
        },
      },
      attributes,
    );
  const day = (date: string) => Date.parse(date) / 86_400_000;
  const berlin = { timeZone: 'Europe/Berlin' };

  it('are kept as days of the zone that is named', async () => {
    const written = await gridEnsemble(daily([0, 1, 2], 'days since 2026-03-28'), berlin);
    expect([written.firstDay, written.days]).toEqual([day('2026-03-28'), 3]);
    expect(written.conversions).toContain('daily values are kept as days of Europe/Berlin');
    expect(written.metadata.get('time_zone')).toBe('Europe/Berlin');
    // Midnights of Berlin in winter and summer, in UTC and with an offset.
    const switched = await gridEnsemble(daily([-1, 23, 46, 70], 'hours since 2026-03-28'), berlin);
    expect([switched.firstDay, switched.days]).toEqual([day('2026-03-28'), 4]);
    const offset = await gridEnsemble(daily([0, 1, 2], 'days since 2026-03-02 00:00:00 +01:00'), berlin);
    expect(offset.firstDay).toBe(day('2026-03-02'));
  });

  it('are an error in another zone, and for parts of days', async () => {
    const units = 'days since 2026-03-02 00:00:00 +01:00';
    await expect(gridEnsemble(daily([0, 1, 2], units), { timeZone: 'Asia/Tokyo' })).rejects.toThrow(
      `test.nc, column time: daily values are not of days of Asia/Tokyo; received "${units}: 2026-03-01T23:00:00Z"`,
    );
    await expect(gridEnsemble(daily([0, 1, 2], 'days since 2026-03-02'), { hours: '06-18' })).rejects.toThrow(
      'test.nc, hours: values are daily: parts of days cannot be made of them',
    );
  });

  it('are of the days that their file states', async () => {
    const stated = daily([0, 1, 2], 'days since 2026-03-02', { time_zone: 'Asia/Tokyo', day_start: '09:00' });
    expect(Object.fromEntries((await gridEnsemble(stated)).metadata)).toMatchObject({
      ...{ time_zone: 'Asia/Tokyo', day_start: '09:00' },
    });
    await expect(gridEnsemble(stated, berlin)).rejects.toThrow(
      'received "days of Europe/Berlin"; allowed: days of Asia/Tokyo from 09:00',
    );
    const same = await gridEnsemble(stated, { timeZone: 'Asia/Tokyo', dayStart: '9' });
    expect(same.metadata.get('day_start')).toBe('09:00');
    const other = await gridEnsemble(daily([0, 1], 'days since 2026-03-02', { time_zone: 'of the stations' }));
    expect(other.metadata.has('time_zone')).toBe(false);
  });

  it('are an error where they are of stored periods or of a model calendar', async () => {
    await expect(
      gridEnsemble(daily([0, 1, 2], 'days since 2026-03-28'), { ...berlin, calendar: 'noleap' }),
    ).rejects.toThrow('timeZone: times are of a model calendar, which has no zones');
  });
});
