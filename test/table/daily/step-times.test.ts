import { Field, Schema, Table, TimestampMillisecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/files/index.js';
import { dailyTables } from '../../../src/input/table-ensembles.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { openMeteoJson } from '../../files/open-meteo-answers.js';
import { columnsOf, utf8 } from '../../files/table-rows.js';
import { table, typed } from '../tables.js';

/** 2026-03-02. */
const FIRST = Date.UTC(2026, 2, 2);
const HOUR = 3_600_000;
const at = (hours: readonly number[]) =>
  typed(
    new TimestampMillisecond(),
    hours.map((hour) => FIRST + hour * HOUR),
  );
/** Each 6 hours: the value is the number of hours at which it is written. */
const HOURS = [0, 6, 12, 18, 24, 30, 36, 42, 48];
const rain = { variable: 'precipitation', units: 'mm', accumulation: 'per-step' } as const;

function daysOf(values: readonly (number | null)[], options: object = {}, more: object = {}, metadata = {}) {
  const made = dailyTable(table({ time: at(HOURS), precipitation: values, ...more } as never, metadata), {
    ...rain,
    ...options,
  });
  const [day] = made.table.toArray();
  return { first: day?.toJSON().member_00 as number, times: made.times, warnings: made.warnings };
}

const STARTS = 0 + 6 + 12 + 18;
const ENDS = 6 + 12 + 18 + 24;

describe('the times of steps in tables', () => {
  it('are starts by default, with a warning that names the option', () => {
    expect(daysOf(HOURS)).toEqual({
      first: STARTS,
      times: expect.objectContaining({ stamps: 'start', by: 'since nothing states it' }),
      warnings: [
        'times of precipitation are taken for the starts of steps, since nothing states it; the option stamps decides otherwise',
      ],
    });
  });

  it('are what the option says, without a warning', () => {
    expect(daysOf(HOURS, { stamps: 'end' })).toMatchObject({ first: ENDS, warnings: [] });
    expect(daysOf(HOURS, { stamps: 'start' })).toMatchObject({ first: STARTS, warnings: [] });
  });

  it('are ends in tables that state the start of their run, as forecasts stamp values, or begin with its first step', () => {
    const init = { init_time: '2026-03-01T00:00:00Z' };
    expect(daysOf(HOURS, {}, {}, init)).toMatchObject({
      first: ENDS,
      warnings: [expect.stringContaining('ends of steps, as forecasts stamp values')],
    });
    const later = { init_time: '2026-03-01T18:00:00Z' };
    expect(daysOf(HOURS, {}, {}, later).warnings).toEqual([
      expect.stringContaining('as they begin 6 h after the start'),
    ]);
  });

  it('are starts where there are values at the start of the run, ends where other columns alone have some', () => {
    const init = { init_time: '2026-03-02T00:00:00Z' };
    expect(daysOf(HOURS, {}, {}, init)).toMatchObject({
      first: STARTS,
      warnings: [expect.stringContaining('starts of steps, as there are values at the start of the run')],
    });
    const absent = [null, ...HOURS.slice(1)];
    const other = { temperature_2m: HOURS.map((hour) => hour / 4) };
    expect(daysOf(absent, {}, other, init)).toMatchObject({
      first: ENDS,
      warnings: [expect.stringContaining('ends of steps, as there is no value at the start of the run')],
    });
  });

  it('are what metadata of the column or the table state, without a warning', () => {
    const words = [{ GRIB_stepType: 'accum' }, { long_name: 'precipitation in the last 6 hours' }];
    for (const metadata of words) {
      expect(daysOf(HOURS, {}, {}, metadata)).toMatchObject({ first: ENDS, warnings: [] });
    }
  });

  it('are instants for temperatures, of which no default changes a day', () => {
    const made = dailyTable(table({ time: at(HOURS), t2m: HOURS } as never), { units: 'degC' });
    expect([made.warnings, made.times?.stamps]).toEqual([[], 'instant']);
  });

  it('are ends where other variables of a long table alone have values at the start of the run', () => {
    const made = table(
      {
        time: at([...HOURS, ...HOURS]),
        member: [...HOURS, ...HOURS].map(() => 1),
        variable: [...HOURS.map(() => 'temp_mean'), ...HOURS.map(() => 'precipitation')],
        value: [...HOURS, null, ...HOURS.slice(1)],
      },
      { init_time: '2026-03-02T00:00:00Z' },
    );
    const { table: days, warnings } = dailyTable(made, rain);
    expect([Object.values(columnsOf(days)).at(-1), warnings]).toEqual([
      [ENDS, 30 + 36 + 42 + 48],
      [expect.stringContaining('ends of steps, as there is no value at the start of the run')],
    ]);
  });

  it('are ends of what Open-Meteo documents to be of the preceding hour, without a warning', async () => {
    const answer = openMeteoJson({ times: 72, members: 1, value: ({ time }: { time: number }) => time });
    const made = dailyTable(await readTable(utf8(answer)));
    expect([columnsOf(made.table).member_00, made.warnings]).toEqual([[300, 876], []]);
    expect(made.times).toMatchObject({ stamps: 'end', by: 'as Open-Meteo documents' });
  });

  it('are of means or of instants, as metadata of the column of values state', () => {
    const made = table({ time: at(HOURS.slice(0, 8)), t2m: HOURS.slice(0, 8) });
    const timesOf = (texts: Record<string, string>) => {
      const fields = made.schema.fields.map(({ name, type }) =>
        name === 't2m' ? new Field(name, type, true, new Map(Object.entries(texts))) : new Field(name, type, true),
      );
      const daily = dailyTable(new Table(new Schema(fields), made.batches), { units: 'degC' });
      return [daily.times?.stamps, columnsOf(daily.table).member_00, daily.warnings];
    };
    for (const texts of [{ cell_methods: 'time: point' }, { GRIB_stepType: 'instant' }])
      expect(timesOf(texts as never)).toEqual(['instant', [9, 33], []]);
    expect(timesOf({ GRIB_stepType: 'avg' })).toEqual(['end', [15], []]);
    expect(timesOf({ cell_methods: 'time: mean' })).toEqual([
      'start',
      [9, 33],
      [expect.stringContaining('times of t2m are taken for the starts of steps, since nothing states it')],
    ]);
  });

  it('are decided once for tables that come one after the other, whatever the later ones would say', async () => {
    const absent = [null, ...HOURS.slice(1)];
    const made = table(
      {
        latitude: [...HOURS.map(() => 60), ...HOURS.map(() => 50)],
        longitude: [...HOURS, ...HOURS].map(() => 8),
        time: at([...HOURS, ...HOURS]),
        precipitation: [...HOURS, ...absent],
        temperature_2m: [...HOURS, ...HOURS],
      },
      { init_time: '2026-03-02T00:00:00Z' },
    );
    const taken = (end: string) => [
      expect.stringContaining(`times of precipitation are taken for the ${end} of steps`),
    ];
    expect(dailyTable(made.slice(HOURS.length), rain).warnings).toEqual(taken('ends'));
    async function* parts() {
      yield made.slice(0, HOURS.length + 1);
      yield made.slice(HOURS.length + 1);
    }
    const options = { ...rain, variable: findVariable('precipitation') };
    const daily = await dailyTables(parts(), options, { areViews: false });
    const found: unknown[] = [];
    for await (const one of daily.tables) found.push(Object.values(columnsOf(one)).at(-1));
    expect(daily.shown.warnings).toEqual(taken('starts'));
    expect(found).toEqual([
      [STARTS, 24 + 30 + 36 + 42],
      [null, 24 + 30 + 36 + 42],
    ]);
  });
});
