import { Float32, type Table, TimestampMicrosecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTables } from '../../../src/input/table-ensembles.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { relativeHumidity } from '../../../src/variable/humidity.js';
import { daysFrom, membersOf, table, typed } from '../tables.js';

const times = (count: number, step = 6) =>
  typed(
    new TimestampMicrosecond(),
    Array.from({ length: count }, (_, i) => (19_727 * 86_400 + i * step * 3_600) * 1_000),
  );
const windSpeed = findVariable('wind_speed');
const humidity = findVariable('relative_humidity');

const EAST = [3, 6, 5, 0, 1, 2, 3, 4];
const NORTH = [4, 8, 12, 1, 1, 2, 3, 4];
const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const SPEEDS = EAST.map((east, i) => Math.hypot(east, NORTH[i]));

describe('a table of the components of wind', () => {
  const columns = {
    valid_time: times(8),
    'u10_member01 (m/s)': EAST,
    'u10_member02 (m/s)': NORTH,
    'v10_member02 (m/s)': EAST.map((value, i) => (i === 0 ? null : value)),
    'v10_member01 (m/s)': NORTH,
    tp_member01: EAST,
    tp_member02: EAST,
  };

  it('gives wind speed by member and step, before days are made, which is reported', () => {
    const { table: made, conversions } = dailyTable(table(columns), { variable: windSpeed });
    expect(conversions.slice(0, 2)).toEqual(['wind_speed from u10 and v10', '6-hourly values to daily means']);
    const { member_00: first, member_01: second } = membersOf(made);
    expect(first[0]).toBeCloseTo(mean(SPEEDS.slice(0, 4)), 12);
    expect(first[1]).toBeCloseTo(mean(SPEEDS.slice(4)), 12);
    // What is missing in either is missing.
    expect(second[0]).toBeNaN();
    expect(second[1]).toBeCloseTo(first[1], 12);
  });

  it('gives the highest of a day', () => {
    const { table: made } = dailyTable(table(columns), { variable: findVariable('wind_speed_max') });
    expect(membersOf(made).member_00).toEqual([13, Math.hypot(4, 4)]);
  });

  it('gives the same part by part', async () => {
    const whole = table({ valid_time: times(8), u10: EAST, v10: NORTH }, { units: 'knots' });
    const parts = async function* (): AsyncGenerator<Table> {
      yield whole.slice(0, 3);
      yield whole.slice(3);
    };
    const daily = await dailyTables(parts(), { variable: windSpeed }, { areViews: false });
    const found: number[] = [];
    for await (const part of daily.tables) found.push(...membersOf(part).member_00);
    expect(found).toEqual(membersOf(dailyTable(whole, { variable: windSpeed }).table).member_00);
    expect(found[0]).toBeCloseTo((mean(SPEEDS.slice(0, 4)) * 463) / 900, 12);
    expect(daily.shown.notes).toEqual([
      'wind_speed from u10 and v10',
      'knots to m s-1',
      '6-hourly values to daily means',
    ]);
    expect(daily.columns).toEqual({});
  });

  it('may have a row for each member', () => {
    const rows = [0, 1, 2, 3, 0, 1, 2, 3].map((step) => (19_727 * 86_400 + step * 43_200) * 1_000);
    const both = table(
      {
        valid_time: typed(new TimestampMicrosecond(), rows),
        member: [0, 0, 0, 0, 1, 1, 1, 1].map(String),
        uas: [3, 5, 3, 5, 6, 6, 6, 6],
        vas: [4, 12, 4, 12, 8, 8, 8, 8],
      },
      { units: 'm s-1' },
    );
    expect(membersOf(dailyTable(both, { variable: windSpeed }).table)).toEqual({
      member_00: [9, 9],
      member_01: [10, 10],
    });
  });

  it('must have steps shorter than a day', () => {
    const days = table({ date: daysFrom('2024-01-05', 8), u10: EAST, v10: NORTH }, { units: 'm s-1' });
    expect(() => dailyTable(days, { variable: windSpeed, source: 'a.csv' })).toThrow(
      'a.csv: wind_speed cannot be computed from one value a day: the speed of the mean wind of a day is less than the mean of its speeds; ' +
        'allowed: steps shorter than a day, or columns of wind_speed itself',
    );
  });

  it('must have the same members of both, one column of each, and units', () => {
    const fails = (more: Record<string, number[]>, units = 'm s-1') => {
      const made = table({ valid_time: times(8), ...more }, units === '' ? {} : { units });
      return () => dailyTable(made, { variable: windSpeed });
    };
    expect(fails({ u10_member01: EAST, u10_member02: EAST, v10_member01: NORTH, v10_member03: NORTH })).toThrow(
      'wind_speed cannot be computed: u10 and v10 have other members',
    );
    expect(fails({ u10: EAST, uas: EAST, v10: NORTH })).toThrow('several columns hold the eastward wind');
    expect(fails({ u10: EAST, v10: NORTH }, '')).toThrow('units: of u10, the eastward wind, are not stated');
    expect(fails({ u10: EAST, v10: NORTH }, 'K')).toThrow(
      'units: of u10 are not those of the eastward wind; received "K"',
    );
  });

  it('is not used where the table has wind speed', () => {
    const made = table({ valid_time: times(8), u10: EAST, v10: NORTH, si10: SPEEDS }, { units: 'm s-1' });
    expect(dailyTable(made, { variable: windSpeed }).conversions[0]).toBe('6-hourly values to daily means');
  });
});

describe('a table of temperature and dew point', () => {
  it('gives relative humidity, of days too, in the units that are said', () => {
    const made = table({
      date: daysFrom('2024-01-05', 2),
      t2m: typed(new Float32(), [283.25, 290.5]),
      d2m: typed(new Float32(), [280.25, 290.75]),
    });
    const daily = dailyTable(made, { variable: humidity, units: 'K' });
    expect(daily.conversions).toEqual(['relative_humidity from t2m and d2m', 'K to degC']);
    expect(daily.columns).toEqual({});
    const [first, second] = membersOf(daily.table).relative_humidity;
    expect(first).toBeCloseTo(relativeHumidity(10.1, 7.1), 10);
    expect(second).toBe(100);
  });

  it('may have units of each its own', () => {
    const made = table({ date: daysFrom('2024-01-05', 1), 'Temperature (K)': [283.15], 'Dew point (degC)': [10] });
    const { table: daily } = dailyTable(made, { variable: humidity });
    expect(membersOf(daily).relative_humidity[0]).toBeCloseTo(100, 10);
  });
});
