import {
  DateDay,
  Float32,
  Float64,
  Int32,
  Null,
  Table,
  Timestamp,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimeUnit,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DailyTableOptions, dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { columnsOf } from '../../files/table-rows.js';
import { failureOf } from '../../input/location-tables.js';
import { daysFrom, messageOf, table, typed } from '../tables.js';

const DAY = 86_400;
/** 2024-01-05. */
const FIRST = 19_727;
const temperature = { variable: findVariable('temp_mean'), units: 'K' };
const stampsOf = (seconds: readonly number[]) =>
  typed(
    new TimestampMicrosecond(),
    seconds.map((time) => time * 1_000),
  );
const hours = (count: number, from = 0, step = 1) =>
  Array.from({ length: count }, (_, i) => FIRST * DAY + (from + i * step) * 3_600);
const daily = (made: Table, options: DailyTableOptions = temperature) => dailyTable(made, options);

/** One row of a long table. */
interface Row {
  readonly north: number;
  readonly member: string;
  readonly time: number;
  readonly value: number | null;
}

/** The daily mean by place, day and member, the slow and plain way: of days that all have `perDay` values. */
function plainMeans(rows: readonly Row[], perDay: number): Map<string, number> {
  const groups = new Map<string, (number | null)[]>();
  for (const { north, member, time, value } of rows) {
    const key = `${north} ${Math.floor(time / DAY)} ${member}`;
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  const means = new Map<string, number>();
  for (const [key, values] of groups) {
    if (values.length < perDay || values.includes(null)) continue;
    means.set(key, (values as number[]).reduce((a, b) => a + b, 0) / perDay - 273.15);
  }
  return means;
}

describe('daily rates', () => {
  const rates = (name: string) => table({ date: daysFrom('2024-01-01', 1), [name]: [2e-5] });

  it('without units are those of their CF standard name', () => {
    const { table: made, conversions } = dailyTable(rates('precipitation_flux'));
    expect(conversions).toEqual(['precipitation_flux, without units, taken as kg m-2 s-1', 'kg m-2 s-1 to mm']);
    expect(made.getChild('precipitation_flux')?.get(0)).toBeCloseTo(1.728, 12);
  });

  it('by other names need units', () => {
    expect(() => dailyTable(rates('tprate'))).toThrow('units: not stated, for values that are rates by their name');
    expect(dailyTable(rates('tprate'), { units: 'm s-1' }).conversions).toEqual(['m s-1 to mm']);
  });
});

describe('dailyTable', () => {
  it('gives the mean of every whole day of every place and member, in whatever order the rows are', () => {
    const examples = fc.record({
      places: fc.integer({ min: 1, max: 3 }),
      members: fc.integer({ min: 1, max: 3 }),
      step: fc.constantFrom(1, 3, 6, 12),
      from: fc.nat(30),
      steps: fc.integer({ min: 8, max: 60 }),
      missing: fc.array(fc.nat(300), { maxLength: 4 }),
      shuffle: fc.boolean(),
      seed: fc.nat(1_000),
    });
    fc.assert(
      fc.property(examples, ({ places, members, step, from, steps, missing, shuffle, seed }) => {
        const rows: Row[] = [];
        for (let place = 0; place < places; place++)
          for (let m = 0; m < members; m++)
            for (const time of hours(steps, from * step, step)) {
              const value = missing.includes(rows.length) ? null : 280 + ((rows.length * 37 + seed) % 101) / 7;
              rows.push({ north: 50 - place, member: `m${m}`, time, value });
            }
        const perDay = 24 / step;
        const means = plainMeans(rows, perDay);
        const mixed = shuffle ? rows.map((_, i) => rows[(i * 7_919 + seed) % rows.length]) : rows;
        fc.pre(new Set(mixed).size === rows.length);
        const made = table({
          latitude: mixed.map(({ north }) => north),
          longitude: mixed.map(() => 8),
          datetime: stampsOf(mixed.map(({ time }) => time)),
          member: mixed.map(({ member }) => member),
          value: mixed.map(({ value }) => value),
        });
        const covered = Math.floor((from * step) / 24 + steps / perDay) - Math.ceil((from * step) / 24);
        if (covered < 1) {
          expect(() => daily(made)).toThrow('no UTC day is covered');
          return;
        }
        if (means.size === 0) {
          expect(() => daily(made)).toThrow('no member has a value at all steps of a day');
          return;
        }
        const found = columnsOf(daily(made).table);
        const order = [...new Set(mixed.map(({ member }) => member))];
        const result = new Map<string, number>();
        order.forEach((member, m) => {
          found[`member_0${m}`].forEach((value, row) => {
            if (value !== null) result.set(`${found.latitude[row]} ${found.date[row]} ${member}`, value as number);
          });
        });
        expect([...result.keys()].sort()).toEqual([...means.keys()].sort());
        for (const [key, mean] of means) expect(result.get(key)).toBeCloseTo(mean, 10);
        expect(found.date.length).toBe(covered * places);
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  it('rejects a table without rows, dates or values', () => {
    const dates = ['2026-03-02', '2026-03-03'];
    const source = 'x.arrow';
    const fault = (given: Table) => messageOf(() => dailyTable(given, { source }));
    const missing = vectorFromArray([null, null], new Float64());
    for (const empty of [
      new Table({}),
      new Table({ date: vectorFromArray([], new Utf8()), temp_mean: vectorFromArray([], new Float64()) }),
    ])
      expect(fault(empty)).toBe('DataError x.arrow: no rows; allowed: at least one row');
    for (const column of [missing, vectorFromArray([null, null], new Null()), vectorFromArray([NaN, NaN])])
      expect(fault(new Table({ date: vectorFromArray(dates), m01: column, m02: column }))).toBe(
        'DataError x.arrow: has no value; received "only missing values in m01, m02"; allowed: a number on a day at least',
      );
    const undated = (type: Utf8 | Null) =>
      new Table({ date: vectorFromArray([null, null], type), temp_mean: vectorFromArray([1, 2]) });
    expect(fault(undated(new Utf8()))).toContain('x.arrow, row 1, column date: missing date; received null');
    expect(fault(undated(new Null()))).toContain('x.arrow, column date: no dates; received "only missing values"');
    const one = new Table({
      date: vectorFromArray(dates),
      m01: vectorFromArray([null, 2], new Float64()),
      m02: missing,
    });
    expect(dailyTable(one).table.numRows).toBe(2);
  });

  it('sums amounts, integrates rates over their steps and averages by their length where steps change', () => {
    const times = [...hours(8, 0, 3), ...hours(4, 24, 6)];
    const values = times.map((_, i) => (i < 8 ? 1 : 2));
    const of = (variable: string, units: string) => {
      const requested = { variable: findVariable(variable), units, accumulation: 'per-step' } as const;
      const made = daily(table({ time: stampsOf(times), value: values }), requested);
      return [columnsOf(made.table).member_00, made.conversions];
    };
    expect(of('precipitation', 'mm')).toEqual([
      [8, 8],
      ['amounts of each step, by the option accumulation', '3-hourly values to daily sums'],
    ]);
    expect(of('precipitation', 'mm h-1')).toEqual([
      [24, 48],
      ['mm h-1 to mm', '3-hourly values to daily sums'],
    ]);
    expect(of('solar_radiation', 'J m-2')[0]).toEqual([8e-6, 8e-6]);
    const mixed = [...hours(4, 0, 3), ...hours(6, 12, 6)];
    const wind = daily(table({ time: stampsOf(mixed), wind: [1, 1, 1, 1, 5, 5, 5, 5, 5, 5] }), {
      variable: findVariable('wind_speed'),
      units: 'm s-1',
    });
    expect(columnsOf(wind.table).member_00).toEqual([3, 5]);
  });

  it('has no value of a day that lacks steps or one of their values, and leaves such days out at the ends', () => {
    const whole = hours(24 * 6, 7);
    const incomplete = whole.filter((_, i) => i < 50 || i > 53);
    const rain = incomplete.map((time) => (time === whole[70] ? null : 1));
    const made = daily(table({ time: stampsOf(incomplete), rain }), {
      ...{ variable: findVariable('precipitation'), units: 'mm', accumulation: 'per-step' },
    });
    // The first day begins at 07:00; four steps lack on the third, a value on the fourth.
    expect(columnsOf(made.table)).toMatchObject({
      ...{ date: [1, 2, 3, 4, 5].map((day) => FIRST + day), member_00: [24, null, null, 24, 24] },
    });
  });

  it('takes times as the ends of their steps where the option says so', () => {
    const made = table({ time: stampsOf(hours(24, 1)), rain: Array(24).fill(1) });
    const requested = {
      ...{ variable: findVariable('precipitation'), units: 'mm', source: 'rain.csv' },
      accumulation: 'per-step' as const,
    };
    expect(columnsOf(daily(made, { ...requested, stamps: 'end' }).table)).toMatchObject({
      date: [FIRST],
      member_00: [24],
    });
    expect(() => daily(made, requested)).toThrow('rain.csv: no UTC day is covered by its time steps');
  });

  it.each([
    ['temp_min', 1],
    ['temp_max', 24],
    ['temp_mean', 12.5],
  ])('makes %s of steps that go by the standard name of temperature', (slug, expected) => {
    const value = Array.from({ length: 24 }, (_, i) => i + 1);
    const long = table({
      datetime: stampsOf(hours(24)),
      variable: Array(24).fill('air_temperature'),
      number: Array(24).fill(1),
      value,
      units: Array(24).fill('degC'),
    });
    const made = daily(long, { variable: findVariable(slug) });
    expect(columnsOf(made.table).member_00).toEqual([expected]);
    expect([...made.table.schema.metadata]).toEqual([
      ['variable', slug],
      ['units', 'degC'],
    ]);
  });

  it('reads times of every kind of column alike', () => {
    const times = hours(48);
    const texts = times.map((time) => new Date(time * 1_000).toISOString());
    const columns = [
      stampsOf(times),
      typed(
        new TimestampNanosecond(),
        times.map((time) => time * 1_000),
      ),
      typed(
        new Timestamp(TimeUnit.SECOND, 'UTC'),
        times.map((time) => time * 1_000),
      ),
      typed(new Utf8(), texts),
      typed(
        new Utf8(),
        texts.map((text) => text.slice(0, 16).replace('T', ' ')),
      ),
      typed(
        new Utf8(),
        times.map((time) => `${new Date((time + 5_400) * 1_000).toISOString().slice(0, 19)}+01:30`),
      ),
    ];
    for (const time of columns) {
      const made = daily(table({ time, t2m: times.map((_, i) => (i < 24 ? 273.15 : 283.15)) }));
      expect(columnsOf(made.table)).toMatchObject({ date: [FIRST, FIRST + 1], member_00: [0, 10] });
    }
  });

  it('takes wide tables and lists, whose members keep their order', () => {
    const wide = table({ time: stampsOf(hours(24)), b: Array(24).fill(280), a: Array(24).fill(290) });
    const { member_00, member_01 } = columnsOf(daily(wide).table);
    expect([member_00, member_01]).toEqual([[280 - 273.15], [290 - 273.15]].map(([v]) => [expect.closeTo(v, 10)]));
  });

  it('keeps metadata, coordinates in them too, and says which names of columns still hold', () => {
    const made = table(
      { when: stampsOf(hours(24)), t: Array(24).fill(280) },
      { latitude: '37.3', source: 'GEFS', pandas: '{}' },
    );
    const { table: found, columns } = daily(made, { ...temperature, columns: { date: 'when', value: 't' } });
    expect(Object.fromEntries(found.schema.metadata)).toEqual({
      latitude: '37.3',
      source: 'GEFS',
      variable: 'temp_mean',
      units: 'degC',
    });
    expect(columns).toEqual({});
  });
});

describe('dailyTable of daily values', () => {
  const dates = daysFrom('2024-01-05', 2);

  it('is the table itself where nothing is to be done', () => {
    for (const units of [undefined, 'degC', '°C']) {
      const made = table({ date: dates, m1: [1, 2], m2: [3, 4] }, units === undefined ? {} : { units });
      expect(daily(made, { variable: findVariable('temp_mean') })).toEqual({
        table: made,
        conversions: [],
        warnings:
          units === undefined
            ? [
                'units of m1 and others are not stated: taken for degC, the unit of temp_mean; the option units states others',
              ]
            : [],
        columns: {},
      });
    }
    const noon = table({ time: stampsOf([FIRST * DAY + 43_200, (FIRST + 1) * DAY + 43_200]), t2m_degC: [1, 2] });
    expect(daily(noon, {}).table).toBe(noon);
  });

  it.each([
    ['a column', { units: ['K', 'K'] }, {}, {}],
    ['the metadata', {}, { units: 'K' }, {}],
    ['the option', {}, {}, { units: 'K' }],
  ])('is converted from the units that %s states, other columns as they are', (_, column, metadata, option) => {
    const made = table(
      {
        latitude: [1, 1],
        longitude: [2, 2],
        date: dates,
        m1: [273.15, null],
        m2: typed(new Float32(), [283.15, 293.15]),
        ...column,
      },
      metadata,
    );
    const { table: found, conversions } = daily(made, { variable: findVariable('temp_mean'), ...option });
    expect(conversions).toEqual(['K to degC']);
    expect(columnsOf(found)).toEqual({
      ...{ latitude: [1, 1], longitude: [2, 2], date: [FIRST, FIRST + 1], m1: [0, null] },
      m2: [expect.closeTo(10, 4), expect.closeTo(20, 4)],
    });
    expect(found.schema.metadata.get('units')).toBe('degC');
  });

  it('is converted from the units in the name of the column of values, and from rates by the length of a day', () => {
    expect(columnsOf(daily(table({ date: dates, t2m_K: [273.15, 274.15] }), {}).table).t2m_K).toEqual([0, 1]);
    const rates = table({ date: dates, rain: [1, 2] }, { units: 'mm h-1', variable: 'precipitation' });
    expect(columnsOf(daily(rates, {}).table).rain).toEqual([24, 48]);
  });

  it('keeps Float32 and the rows of other variables in a long table', () => {
    const made = table({
      ...{ date: typed(new DateDay(), Array(3).fill(new Date('2024-01-05'))), member: typed(new Int32(), [1, 2, 1]) },
      ...{
        variable: ['t2m', 't2m', 'rain'],
        units: ['K', 'K', 'mm'],
        value: typed(new Float32(), [273.15, 283.15, 7]),
      },
    });
    const { table: found } = daily(made, {
      variable: findVariable('temp_mean'),
      columns: { units: 'units', value: 'value' },
    });
    expect(String(found.getChild('value')?.type)).toBe('Float32');
    expect(columnsOf(found).variable).toEqual(['t2m', 't2m', 'rain']);
    expect(columnsOf(found).value.slice(0, 2)).toEqual([expect.closeTo(0, 4), expect.closeTo(10, 4)]);
  });
});

describe('errors of dailyTable', () => {
  const time = stampsOf(hours(24));
  const values = Array(24).fill(280);
  const failure = (made: Table, options: DailyTableOptions) =>
    failureOf(() => dailyTable(made, { source: 'gefs', ...options }));
  const { variable } = temperature;

  it.each<[string, Table, DailyTableOptions, string]>([
    [
      'units that nothing states',
      table({ time, t2m: values }),
      { variable },
      'OptionError: gefs, units: not given, and values of several times a day may be in any; received "t2m"; allowed: a column named units, or units: \'K\', for instance, for temp_mean',
    ],
    [
      'units that contradict the table',
      table({ time, t2m: values }, { units: 'K' }),
      { variable, units: 'degC' },
      'OptionError: gefs, units: not those that the table states; received "degC"; allowed: K, or no units',
    ],
    [
      'units that cannot be converted',
      table({ time, t2m: values }),
      { variable, units: 'mm' },
      'OptionError: gefs, units: cannot be converted to those of temp_mean; received "mm"; allowed: degC, or units of the same kind',
    ],
    [
      'a variable that is not known',
      table({ time, eastward_wind: values }),
      { units: 'm s-1' },
      'OptionError: gefs, variable: nothing says whether time steps are summed or averaged; received "eastward_wind"; allowed: temp_mean,',
    ],
    [
      'a time that comes twice',
      table({ time: stampsOf([...hours(23), hours(23)[5]]), t2m: values, height: [...Array(23).fill('2 m'), '10 m'] }),
      temperature,
      'DataError: gefs, row 24, column time: time given twice, first in row 6, in rows that differ in height; received',
    ],
    [
      'an infinite value',
      table({ time, t2m: values.with(7, Number.POSITIVE_INFINITY) }),
      temperature,
      'DataError: gefs, row 8, column t2m: infinite value; received Infinity; allowed: a finite number, or a missing value',
    ],
    [
      'a missing time',
      table({
        time: typed(new TimestampMicrosecond(), [null, ...hours(23).map((t) => t * 1_000)]),
        t2m: values,
      }),
      temperature,
      'DataError: gefs, row 1, column time: missing date; received null; allowed: 2026-03-02',
    ],
    [
      'no whole day',
      table({ time: stampsOf(hours(24, 5)), t2m: values }),
      temperature,
      'DataError: gefs: no UTC day is covered by its time steps; allowed: the steps of 24 hours from 00:00 on, for one day at least',
    ],
  ])('name %s', async (_, made, options, expected) => {
    expect(await failure(made, options)).toContain(expected);
  });
});

it('takes the variable by its slug, or by a name that files use, as by its definition', () => {
  const hourly = table({ time: stampsOf(hours(24)), m1: Array.from({ length: 24 }, () => 280) });
  const byDefinition = columnsOf(daily(hourly).table);
  for (const variable of ['temp_mean', 't2m']) {
    expect(columnsOf(dailyTable(hourly, { variable, units: 'K' }).table)).toEqual(byDefinition);
  }
  expect(() => dailyTable(hourly, { variable: 'temp_meen', units: 'K' })).toThrow('the nearest is temp_mean');
});
