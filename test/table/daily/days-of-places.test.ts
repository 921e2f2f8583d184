import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blend } from '../../../src/blend/index.js';
import { loadCore } from '../../../src/core/load.js';
import { ensemble } from '../../../src/statistics/open-ensemble.js';
import { statistics } from '../../../src/statistics/statistics.js';
import type { GivenDailyOptions } from '../../../src/table/daily/daily-options.js';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { timeSteps } from '../../../src/table/daily/time-steps.js';

const core = await loadCore();
const HOUR = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', '+05:30', 'America/Los_Angeles', 'Pacific/Apia', '-03:30'];

interface Place {
  readonly id: string;
  readonly zone: string | null;
  readonly values: readonly number[];
}

/** A table of hourly steps of several places, rows by time, with a column of zones. */
function tableOf(places: readonly Place[], { start = '2026-03-27T00:00Z', hours = 1, units = 'mm' } = {}): arrow.Table {
  const rows = places[0].values.flatMap((_, step) => places.map((place) => ({ ...place, step })));
  const ticks = BigInt64Array.from(rows, ({ step }) => BigInt(Date.parse(start) + step * hours * HOUR));
  const table = new arrow.Table({
    id: arrow.vectorFromArray(
      rows.map(({ id }) => id),
      new arrow.Utf8(),
    ),
    tz: arrow.vectorFromArray(
      rows.map(({ zone }) => zone),
      new arrow.Utf8(),
    ),
    time: arrow.makeVector(arrow.makeData({ type: new arrow.TimestampMillisecond(), data: ticks })),
    member_00: arrow.vectorFromArray(Float64Array.from(rows, ({ values, step }) => values[step])),
    member_01: arrow.vectorFromArray(Float64Array.from(rows, ({ values, step }) => values[step] / 3)),
  });
  return new arrow.Table(new arrow.Schema(table.schema.fields, new Map([['units', units]])), table.batches);
}

const ones = (count: number) => new Array<number>(count).fill(1);
const rain = { variable: 'precipitation', accumulation: 'per-step', stamps: 'start' } as const;
const zonesOf = (places: readonly Place[]) => Object.fromEntries(places.map(({ id, zone }) => [id, zone as string]));

/** The rows of a place: date, values of members. */
function rowsOf(table: arrow.Table, id: string): unknown[][] {
  return table
    .toArray()
    .filter((row) => row.id === id)
    .map(({ date, member_00, member_01 }) => [Number(date), member_00, member_01]);
}

const FARMS: readonly Place[] = [
  { id: 'A', zone: 'Europe/Berlin', values: ones(96) },
  { id: 'B', zone: 'Asia/Kolkata', values: ones(96) },
  { id: 'C', zone: 'Europe/Berlin', values: ones(96) },
];

describe('dailyTable with zones by place', () => {
  it('gives each place the rows that it has by itself with its own zone', () => {
    const kinds: readonly GivenDailyOptions[] = [
      rain,
      { variable: 'temp_mean', units: 'degC', stamps: 'start' },
      { variable: 'temp_min', units: 'degC', stamps: 'start', splitExtremes: true },
      { ...rain, dayStart: '06' },
      { ...rain, hours: '06-18' },
    ];
    const place = fc.record({
      zone: fc.constantFrom(...ZONES),
      values: fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 32, maxLength: 32 }),
    });
    const cases = fc.record({
      places: fc.array(place, { minLength: 1, maxLength: 4 }),
      options: fc.constantFrom(...kinds),
      hours: fc.constantFrom(3, 6),
      byColumn: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ places: given, options, hours, byColumn }) => {
        const places = given.map((one, p) => ({ id: `F${p}`, ...one }));
        const units = options.units ?? 'mm';
        const timeZones = byColumn ? 'tz' : zonesOf(places);
        const { table } = dailyTable(tableOf(places, { hours, units }), { ...options, timeZones });
        for (const one of places) {
          const alone = dailyTable(tableOf([one], { hours, units }), { ...options, timeZone: one.zone });
          expect(rowsOf(table, one.id)).toEqual(rowsOf(alone.table, one.id));
        }
      }),
      { numRuns: 20, seed: 44 },
    );
  });

  it('names the zones in a column, and states how many there are with a digest of places and zones', () => {
    const byColumn = dailyTable(tableOf(FARMS), { ...rain, timeZones: 'tz' }).table;
    const byId = dailyTable(tableOf(FARMS), { ...rain, timeZones: zonesOf(FARMS) }).table;
    const other = { ...zonesOf(FARMS), C: 'Asia/Kolkata' };
    const stated = (table: arrow.Table) => table.schema.metadata.get('time_zone');
    expect(stated(byId)).toMatch(/^2 zones by place \([0-9a-f]{16}\)$/);
    expect(stated(byColumn)).toBe(stated(byId));
    expect(stated(dailyTable(tableOf(FARMS), { ...rain, timeZones: other }).table)).not.toBe(stated(byId));
    expect([...new Set(byId.toArray().map(({ id, time_zone }) => `${id} ${time_zone}`))]).toEqual([
      'A Europe/Berlin',
      'B Asia/Kolkata',
      'C Europe/Berlin',
    ]);
  });

  it('states the zone where all places have the same', () => {
    const places = FARMS.map((place) => ({ ...place, zone: 'europe/berlin' }));
    const { table } = dailyTable(tableOf(places), { ...rain, timeZones: 'tz' });
    expect(table.schema.metadata.get('time_zone')).toBe('Europe/Berlin');
    expect(table.schema.metadata.get('day_start')).toBeUndefined();
  });

  it('keeps the zones of places in statistics, and never mixes those of other zones', () => {
    const daily = (timeZones: GivenDailyOptions['timeZones'], start: string) =>
      ensemble(dailyTable(tableOf(FARMS, { start }), { ...rain, timeZones }).table);
    const same = [daily('tz', '2026-03-27T00:00Z'), daily(zonesOf(FARMS), '2026-03-29T00:00Z')];
    const table = statistics(core, same[0], { granularity: 'daily' });
    expect(table.getChild('tz')?.get(0)).toBe('Europe/Berlin');
    expect(table.schema.metadata.get('time_zone')).toMatch(/^2 zones by place/);
    expect(blend(core, [same[0], same[1]]).table.schema.metadata.get('time_zone')).toMatch(/^2 zones by place/);
    const other = daily({ ...zonesOf(FARMS), C: '+05:30' }, '2026-03-29T00:00Z');
    expect(() => blend(core, [same[0], other])).toThrow(/zone of its days.*3 zones by place/s);
  });

  it('rejects places without a zone, with several, and with zones that do not exist, by place and row', () => {
    const made = (places: readonly Place[], timeZones: GivenDailyOptions['timeZones'] = 'tz') =>
      dailyTable(tableOf(places), { ...rain, timeZones, source: 'steps.csv' });
    const [a, b] = FARMS;
    expect(() => made([a, { ...b, zone: null }])).toThrow('steps.csv, row 2, column tz: no zone for id B');
    expect(() => made([a, { ...b, zone: 'Europe/Berlinn' }])).toThrow(
      'steps.csv, row 2, column tz: id B: no such time zone, the nearest is Europe/Berlin; received "Europe/Berlinn"',
    );
    expect(() => made([a, b], { A: 'UTC' })).toThrow(
      'steps.csv, row 2: no zone for this place; received "id B"; allowed: a zone for each place',
    );
    expect(() => made([a, b], 'zone')).toThrow('steps.csv, timeZones: the table has no such column; received "zone"');
    expect(() => made([a, b], { A: 'UTC', B: 'Mars/Olympus' })).toThrow(/timeZones\.B: no such time zone/);
    expect(() => made([a, b], {})).toThrow(/timeZones/);
    const two = new arrow.Table(tableOf([a, b]).schema, [
      ...tableOf([a, b]).batches,
      ...tableOf([{ ...a, zone: 'UTC' }], { start: '2026-04-10T00:00Z' }).batches,
    ]);
    expect(() => dailyTable(two, { ...rain, timeZones: 'tz' })).toThrow(
      /row 193, column tz: another zone for id A than in row 1; .*UTC.*Europe\/Berlin/,
    );
  });

  it('rejects one zone beside zones by place, daily values, steps as they are and places without ids', () => {
    const both = { ...rain, timeZones: 'tz', timeZone: 'UTC' };
    expect(() => dailyTable(tableOf(FARMS), both)).toThrow(
      /timeZones: cannot be given together with the option timeZone/,
    );
    expect(() => timeSteps(tableOf(FARMS), { ...rain, timeZones: 'tz' })).toThrow(/timeZones: are for days/);
    const daily = tableOf(FARMS, { hours: 24 });
    expect(() => dailyTable(daily, { ...rain, stamps: undefined, accumulation: undefined, timeZones: 'tz' })).toThrow(
      /timeZones: are for time steps, and values are daily.*timeZone/,
    );
    const unnamed = tableOf([FARMS[0]]).select(['time', 'member_00']);
    expect(() => dailyTable(unnamed, { ...rain, timeZones: { A: 'UTC' } })).toThrow(
      /timeZones: are by ids, and the table has no column of ids/,
    );
  });
});
