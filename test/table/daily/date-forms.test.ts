import type { Table } from 'apache-arrow';
import { Float64, Int32, Int64, TimestampMillisecond, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { parseDate } from '../../../src/period/day.js';
import type { ReadOptions } from '../../../src/table/columns/read-options.js';
import { datedTable } from '../../../src/table/daily/dated-table.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/index.js';
import { messageOf, read as readDaily, table, typed } from '../tables.js';

const first = parseDate('2026-03-02');
const source = 'rain.csv';
const read = (input: Table, options: ReadOptions = {}) => {
  const daily = dailyTable(input, options);
  return readDaily(daily.table, { ...options, columns: daily.columns });
};
const firstDay = (date: unknown[], type = typeof date[0] === 'bigint' ? new Int64() : undefined) => {
  const column = type === undefined ? (date as string[]) : typed(type, date);
  const part = read(table({ date: column, m1: date.map((_, i) => i) })).parts[0];
  return [part.firstDay - first, part.days];
};
const failure = (date: unknown[], type?: Int64) =>
  messageOf(() =>
    read(table({ date: type === undefined ? (date as string[]) : typed(type, date), m1: date.map(() => 1) }), {
      source,
    }),
  );
const seconds = first * 86_400;

describe('dates are read from', () => {
  it('eight digits that form a date, be they integers, floats or text', () => {
    expect(firstDay([20260302, 20260303])).toEqual([0, 2]);
    expect(firstDay([20260302, 20260303], new Int32() as never)).toEqual([0, 2]);
    expect(firstDay([20260302n, 20260303n])).toEqual([0, 2]);
    expect(firstDay(['20260302', '20260303'])).toEqual([0, 2]);
  });

  it('digits of a date and a time', () => {
    expect(firstDay(['2026030200', '2026030306'])).toEqual([0, 2]);
    expect(firstDay([202603020000, 202603030000])).toEqual([0, 2]);
    expect(firstDay(['20260302T00', '20260303T0600Z'.slice(0, 13)])).toEqual([0, 2]);
  });

  it('seconds, milliseconds, microseconds and nanoseconds since 1970', () => {
    for (const factor of [1n, 1_000n, 1_000_000n, 1_000_000_000n]) {
      const days = [0, 1].map((day) => BigInt(seconds + day * 86_400) * factor);
      expect(firstDay(days)).toEqual([0, 2]);
      expect(firstDay(days.map(String))).toEqual([0, 2]);
      if (factor < 1_000_000_000n) expect(firstDay(days.map(Number))).toEqual([0, 2]);
    }
  });

  it('epochs to the last tick of a day', () => {
    const last = [0n, 1n].map((day) => BigInt(seconds + 86_400) * 1_000_000_000n - 1n + day * 86_400_000_000_000n);
    expect(firstDay(last)).toEqual([0, 2]);
    expect(firstDay(last.map((ticks) => ticks / 1_000n))).toEqual([0, 2]);
    expect(firstDay(last.map(String))).toEqual([0, 2]);
  });

  it('epochs that begin before 2001, when they had fewer digits', () => {
    const days = Array.from({ length: 700 }, (_, i) => (parseDate('2001-01-01') + i) * 86_400);
    expect(firstDay(days)).toEqual([parseDate('2001-01-01') - first, 700]);
  });

  it.each([
    '2026-03-02 06:00:00+00',
    '2026-03-02 06:00:00+00:00',
    '2026-03-02T06:00:00+0000',
    '2026-03-02T06:00:00.123456789Z',
    '2026-03-02T06',
    '2026-03-02 06:00 UTC',
    '2026-03-02T06Z',
    '2026-03-02 23:59:59.999999999',
    '2026/03/02',
    '2026/3/2 6:00'.replace(' 6', ' 06'),
    '2026-3-2',
  ])('%s', (text) => {
    expect(firstDay([text])).toEqual([0, 1]);
  });

  it('columns of year, month and day, in any order and of any type of numbers', () => {
    const parts = { m1: [1, 2], day: ['02', '03'], month: [3, 3], year: typed(new Int64(), [2026n, 2026n]) };
    expect(read(table(parts)).parts[0].firstDay).toBe(first);
    const given = { year: [2026], month: [3], day: [2], date: ['x'], v: [1] };
    expect(read(table(given), { columns: { year: 'year', month: 'month', day: 'day' } }).parts[0].firstDay).toBe(first);
    expect(read(table({ day: ['2026-03-02'], year: [2026], v: [1] })).parts[0].firstDay).toBe(first);
  });

  it('columns of year, month, day and hour, as time steps', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    const all = (value: number) => hours.map(() => value);
    const steps = table({ year: all(2026), month: all(3), day: all(2), hour: hours, precipitation: all(0.5) });
    const daily = dailyTable(steps, { variable: findVariable('precipitation'), units: 'mm', accumulation: 'per-step' });
    expect(daily.table.toArray().map((row) => row.toJSON())).toMatchObject([{ member_00: 12 }]);
  });

  it('texts with the year last, where a day above 12 or the option says which comes first', () => {
    expect(firstDay(['31.03.2026', '01.04.2026'])).toEqual([29, 2]);
    expect(firstDay(['3/31/2026', '4/1/2026'])).toEqual([29, 2]);
    const given = table({ date: ['02.03.2026', '03.03.2026'], m1: [1, 2] });
    const part = (dateFormat: 'dd.mm.yyyy' | 'mm.dd.yyyy') =>
      read(given, { dateFormat } as ReadOptions).parts[0].firstDay;
    expect(part('dd.mm.yyyy')).toBe(first);
    expect(part('mm.dd.yyyy')).toBe(parseDate('2026-02-03'));
  });

  it('the start of a run and a lead time, in the parts of one input by the same run', () => {
    const hours = Array.from({ length: 5 }, (_, step) => 6 * step);
    const all = (value: string) => hours.map(() => value);
    const part = (time: string) => table({ time: all(time), step_hours: hours, t2m: hours.map((hour) => hour / 2) });
    const known = {};
    const { table: made, notes } = datedTable(part('2026-03-02'), { source }, known);
    expect(notes).toEqual(['times are time + step_hours']);
    expect(Array.from(made.getChild('valid_time') ?? [], Number)).toEqual(
      hours.map((hour) => (seconds + 3600 * hour) * 1e3),
    );
    expect(messageOf(() => datedTable(part('2026-03-03'), { source }, known))).toBe(
      'DataError rain.csv, row 1, column time: rows of several runs; received "2026-03-02T00:00 and 2026-03-03T00:00, with ' +
        "step_hours\"; allowed: one run; columns: { date: 'time' } where time is when values are valid",
    );
    expect(datedTable(part('2026-03-03'), { columns: { date: 'time' } }).notes).toEqual([]);
  });

  it("pandas' index without a name, where no other column has dates", () => {
    for (const name of ['', 'Unnamed: 0', '__index_level_0__', 'index']) {
      expect(read(table({ [name]: ['2026-03-02'], m1: [1] })).parts[0].firstDay).toBe(first);
      expect(read(table({ [name]: [20260302], m1: [1] })).parts[0].firstDay).toBe(first);
      expect(datedTable(table({ [name]: [0], m1: [1] })).columns).toEqual({});
      const both = { [name]: ['2026-03-02'], time: ['2026-03-03'], m1: [1] };
      expect(read(table(both)).parts[0].firstDay).toBe(first + 1);
    }
    const ticks = typed(new TimestampMillisecond(), [0]);
    expect(read(table({ __index_level_0__: ticks, m1: [1] })).parts[0].firstDay).toBe(0);
  });
});

describe('dates are rejected', () => {
  const at = (row: number) => `DataError rain.csv, row ${row}, column date: `;

  it.each(['02/03/2026', '02.03.2026', '2-3-2026', '02.03.2026 06:00'])(
    'that may have the day or the month first: %s',
    (text) => {
      const choices = ['dd.mm.yyyy', 'mm.dd.yyyy'].map(
        (form) => `'${form.replaceAll('.', text[text.length > 9 ? 2 : 1])}'`,
      );
      expect(failure([text])).toBe(
        `${at(1)}may have the day or the month first, and no day above 12 shows it; received "${text}"; ` +
          `allowed: dateFormat: ${choices.join(' | ')}`,
      );
    },
  );

  it('that have the year last, of a year of two digits, or of another form than a day above 12 shows', () => {
    expect(failure(['02/03/26'])).toContain('may have the day or the month first, which is not guessed');
    expect(failure(['31.03.2026', '01/04/2026'])).toContain(`${at(2)}is not of the form dd.mm.yyyy`);
    expect(failure(['31.03.2026', '03.31.2026'])).toContain(`${at(2)}has no month 31`.slice(0, 40));
    expect(failure(['31.02.2026'])).toContain('read as dd.mm.yyyy');
  });

  it('that do not exist, of any form', () => {
    const allowed = 'allowed: days from 1 to 28 in 2026-02';
    expect(failure(['20260228', '20260230'])).toBe(`${at(2)}does not exist; received "20260230"; ${allowed}`);
    expect(failure(['2026/02/30'])).toBe(`${at(1)}does not exist; received "2026/02/30"; ${allowed}`);
    const parts = table({ year: [2026, 2026], month: [2, 2], day: [1, 30], m1: [1, 1] });
    expect(messageOf(() => read(parts, { source }))).toBe(
      `DataError rain.csv, row 2, column year, month, day: does not exist; received "2026, 2, 30"; ${allowed}`,
    );
    expect(failure(['2026-03-02T25:00'])).toContain('is not a time of day; received "2026-03-02T25:00"');
  });

  it('that are numbers of another kind: offsets, days of spreadsheets', () => {
    const offsets = table({ time: [0, 1, 2], m1: [1, 1, 1] });
    expect(messageOf(() => read(offsets, { source }))).toMatch(
      /row 1, column time: is a number, not a date; received 0; allowed: .*; convert offsets such as hours since a start to dates first$/,
    );
    expect(failure([46083])).toContain('is a number, not a date; received 46083');
    expect(failure([20260302.5])).toContain('is a number, not a date');
  });

  it('that are not of one form, naming the first row that differs', () => {
    const form = 'is not of the form of the dates before';
    expect(failure(['2026-03-02', '2026-03-03', '20260304'])).toBe(
      `${at(3)}${form}; received "20260304"; allowed: one form, as in 2026-03-02`,
    );
    expect(failure(['2026-03-02', '2026/03/03'])).toContain(`${at(2)}${form}`);
    expect(failure(['2026-03-02T00:00', '2026-03-03T00:00Z'])).toContain(`${at(2)}${form}`);
    expect(failure([20260302n, BigInt(seconds)], new Int64())).toContain(`${at(2)}${form}`);
    expect(failure([BigInt(seconds), BigInt(seconds) * 1000n], new Int64())).toContain(`${at(2)}${form}`);
    expect(failure([BigInt(seconds) * 1000n, BigInt(seconds)], new Int64())).toContain(`${at(2)}${form}`);
  });

  it('of which two readings are possible: seconds, or a date and hour', () => {
    expect(failure(['2026030200'])).toBe(
      `${at(1)}may be 2034-03-15T10:10 as seconds since 1970, or 2026-03-02T00:00; received "2026030200"; allowed: dates as 2026-03-02T06:00`,
    );
  });

  it('that float64 has rounded', () => {
    expect(failure([1772409600000000000], new Float64() as never)).toContain(
      'is rounded, as float64 does not hold nanoseconds',
    );
  });

  it('that are missing, or texts of other kinds', () => {
    expect(failure(['2026-03-02', 'NaT'])).toContain(`${at(2)}missing date`);
    for (const text of ['tomorrow', '2026-03', '2026-W10', '2026-03-02 06:00 CET', '2026-03-02T06:00 or so']) {
      expect(failure([text])).toContain(`${at(1)}is not a date in a known form; received "${text}"`);
    }
  });

  it('before anything is said of units', () => {
    const steps = table({ time: [0, 1, 2], temperature: [280, 281, 282] });
    const variable = findVariable('temp_mean');
    expect(messageOf(() => dailyTable(steps, { variable, source }))).toContain('is a number, not a date');
    const text = typed(new Utf8(), ['02/03/2026 00:00', '02/03/2026 01:00']);
    expect(messageOf(() => dailyTable(table({ time: text, temperature: [280, 281] }), { variable, source }))).toContain(
      'day or the month first',
    );
  });

  it('of daily values in another zone than UTC', () => {
    const local = ['2026-03-02T00:00+02:00', '2026-03-03T00:00+02:00'];
    expect(messageOf(() => dailyTable(table({ date: local, m1: [1, 2] }), { source }))).toBe(
      'DataError rain.csv, row 1, column date: daily values of another zone than UTC; received "2026-03-01T22:00Z, zone +02:00"; allowed: hourly values, UTC days or dates; or the option timeZone, to keep days of that zone',
    );
  });
});

it('numbers that count from 1970 on are reported', () => {
  const { conversions } = dailyTable(table({ date: [seconds, seconds + 86_400], m1: [1, 2] }));
  expect(conversions).toEqual(['date read as seconds since 1970-01-01']);
});
