import type { Table, Vector } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { type DeriveOptions, deriveVariable } from '../../src/blend/index.js';
import { demoTables } from '../../src/demo/index.js';
import { formatDate } from '../../src/period/day.js';
import { dewPointOf as dewPointOfPressure } from '../../src/variable/humidity.js';
import type { DerivedVariable } from '../../src/variable/index.js';
import { twinDewPoint, twinEvapotranspiration, twinVaporPressureDeficit } from '../reference/derived.js';
import { dates, daysFrom, float32, messageOf, read, table } from '../table/tables.js';

const locations = [
  { latitude: 80, longitude: 15 },
  { latitude: 50.8, longitude: 4.35 },
  { latitude: -33.9, longitude: 18.4 },
];
/** From 13 January 2024, polar night at the first place, until after the leap day. */
const [firstDay, days] = [19_735, 50];
const demo = demoTables({ locations, days, members: 5, initDate: firstDay });
const elevations = [20, 100, 1500];

const column = (result: Table, name: string) => (result.getChild(name) as Vector).toArray();
const values = (result: Table, name: string): (number | null)[] => [...(result.getChild(name) as Vector)];

const EVAPOTRANSPIRATION = [
  'temp_min',
  'temp_max',
  'temp_mean',
  'relative_humidity',
  'wind_speed',
  'solar_radiation',
] as const;

/** Calls the twin with the inputs of each row of the result, for each member. */
function expectEqualsTwin(
  result: Table,
  inputs: readonly (keyof typeof demo)[],
  twin: (inputs: number[], row: number) => number,
) {
  for (let m = 0; m < 5; m++) {
    const name = `member_0${m}`;
    const columns = inputs.map((slug) => column(demo[slug], name));
    const found = column(result, name);
    expect(found).toBeInstanceOf(Float32Array);
    for (let row = 0; row < found.length; row++) {
      const expected = twin(
        columns.map((input) => input[row]),
        row,
      );
      // Rounding to Float32 is 6e-8 of a value; near 0, what counts is what was taken away.
      expect(Math.abs(found[row] - expected)).toBeLessThanOrEqual(6e-8 * Math.abs(expected) + 1e-9);
    }
  }
}

describe('deriveVariable', () => {
  it('computes the dew point of each member and day', () => {
    const result = deriveVariable('dew_point', demo);
    expectEqualsTwin(result, ['temp_mean', 'relative_humidity'], ([temperature, humidity]) =>
      Math.min(temperature, twinDewPoint(temperature, humidity)),
    );
  });

  it('computes the vapour pressure deficit of each member and day', () => {
    const result = deriveVariable('vapor_pressure_deficit', demo);
    const inputs = ['temp_min', 'temp_max', 'relative_humidity', 'temp_mean'] as const;
    expectEqualsTwin(result, inputs, ([tempMin, tempMax, humidity, tempMean]) =>
      twinVaporPressureDeficit(tempMin, tempMax, humidity, tempMean),
    );
  });

  it.each([
    ['one for each place', Float64Array.from(elevations)],
    ['a plain list', elevations],
    ['a function', (latitude: number) => elevations[locations.findIndex((place) => place.latitude === latitude)]],
  ])('computes evapotranspiration of each member and day; elevation is %s', (_, elevation) => {
    const result = deriveVariable('evapotranspiration', demo, { elevation });
    let earlier: { solarRadiation: number; date: string }[] = [];
    expectEqualsTwin(result, EVAPOTRANSPIRATION, ([tempMin, tempMax, tempMean, humidity, wind, solar], row) => {
      const place = Math.floor(row / days);
      if (row % days === 0) earlier = [];
      const day = { tempMin, tempMax, tempMean, humidity, windSpeed10m: wind, solarRadiation: solar };
      const where = { ...locations[place], elevation: elevations[place], date: formatDate(firstDay + (row % days)) };
      const expected = twinEvapotranspiration({ ...day, ...where }, earlier);
      earlier.push({ ...day, ...where });
      return expected;
    });
  });

  it('gives 3.9 mm for example 18 of FAO-56, with the dew point of its vapour pressure', () => {
    const place = { latitude: [50.8], longitude: [4.35], date: daysFrom('2015-07-06', 1) };
    const result = deriveVariable(
      'evapotranspiration',
      {
        temp_min: table({ ...place, value: [12.3] }),
        temp_max: table({ ...place, value: [21.5] }),
        dew_point: table({ ...place, value: [dewPointOfPressure(1.409)] }),
        wind_speed: table({ ...place, value: [10 / 3.6] }),
        solar_radiation: table({ ...place, value: [22.07] }),
      },
      { elevation: 100 },
    );
    expect(column(result, 'member_00')).toBeInstanceOf(Float64Array);
    expect(column(result, 'member_00')[0]).toBeCloseTo(3.88, 2);
  });

  it('creates a wide table by location and day, with variable, units, member names and common metadata', () => {
    const result = deriveVariable('dew_point', demo);
    expect(column(result, 'latitude')).toEqual(column(demo.temp_mean, 'latitude'));
    expect(column(result, 'longitude')).toEqual(column(demo.temp_mean, 'longitude'));
    expect(column(result, 'date')).toEqual(column(demo.temp_mean, 'date'));
    expect(Object.fromEntries(result.schema.metadata)).toEqual({
      ...Object.fromEntries(demo.temp_mean.schema.metadata),
      variable: 'dew_point',
      units: 'degC',
      member_names: JSON.stringify(['member_00', 'member_01', 'member_02', 'member_03', 'member_04']),
    });
  });

  it('leaves out metadata that differ', () => {
    const place = { date: daysFrom('2024-01-01', 1), value: [20] };
    const result = deriveVariable('dew_point', {
      temp_mean: table(place, { init_time: '2024-01-01T00:00:00Z', version: 'a', pandas: '{}' }),
      relative_humidity: table(place, { init_time: '2024-01-01T00:00:00Z', version: 'b', pandas: '{}' }),
    });
    expect([...result.schema.metadata.keys()].sort()).toEqual(['init_time', 'member_names', 'units', 'variable']);
  });

  it('makes a value missing where an input of its member and day is', () => {
    const result = dewPointOf({ m1: [10, null, 10], m2: [10, 10, 10] }, { m1: [50, 50, 50], m2: [50, 50, null] });
    expect(values(result, 'member_00').map((value) => value === null)).toEqual([false, true, false]);
    expect(values(result, 'member_01').map((value) => value === null)).toEqual([false, false, true]);
  });

  it('makes a dew point missing where the humidity is 0', () => {
    expect(values(dewPointOf({ m1: [10] }, { m1: [0] }), 'member_00')).toEqual([null]);
  });

  it('makes evapotranspiration missing at a place without elevation', () => {
    const result = deriveVariable('evapotranspiration', demo, { elevation: Float64Array.of(20, Number.NaN, 1500) });
    const missing = values(result, 'member_03').map((value) => value === null);
    expect(missing).toEqual(Array.from({ length: 3 * days }, (_, row) => Math.floor(row / days) === 1));
  });

  it('has the days that all inputs have', () => {
    const result = deriveVariable('dew_point', {
      temp_mean: table({ date: daysFrom('2024-01-01', 3), value: [10, 20, 30] }),
      relative_humidity: table({ date: daysFrom('2024-01-02', 3), value: [100, 100, 50] }),
    });
    const [part] = read(result).parts;
    expect([formatDate(part.firstDay), part.days]).toEqual(['2024-01-02', 2]);
    expect(part.members.member_00[0]).toBeCloseTo(20, 10);
    expect(part.members.member_00[1]).toBeCloseTo(30, 10);
  });

  it('reads long tables, and pairs members by name whatever their order', () => {
    const long = (names: string[], numbers: number[]) =>
      table({ date: dates('2024-01-01', '2024-01-01'), member: names, value: numbers });
    const result = deriveVariable('dew_point', {
      temp_mean: long(['c00', 'p01'], [10, 20]),
      relative_humidity: long(['p01', 'c00'], [50, 100]),
    });
    expect(column(result, 'member_00')[0]).toBeCloseTo(10, 10);
    expect(column(result, 'member_01')[0]).toBeCloseTo(twinDewPoint(20, 50), 10);
    expect(result.schema.metadata.get('member_names')).toBe('["c00","p01"]');
  });

  it('pairs members by the names in the metadata, which columns of numbers do not have', () => {
    const date = daysFrom('2024-01-01', 1);
    const result = deriveVariable('dew_point', {
      temp_mean: table({ date, member_00: [10], member_01: [20] }, { member_names: '["a","b"]' }),
      relative_humidity: table({ date, member_00: [50], member_01: [100] }, { member_names: '["b","a"]' }),
    });
    expect(column(result, 'member_00')[0]).toBeCloseTo(10, 10);
  });

  it('pairs members by place where names have nothing in common', () => {
    const result = dewPointOf({ tmean_01: [10], tmean_02: [20] }, { rh_01: [100], rh_02: [100] });
    expect(column(result, 'member_00')[0]).toBeCloseTo(10, 10);
    expect(column(result, 'member_01')[0]).toBeCloseTo(20, 10);
    expect(result.schema.metadata.has('member_names')).toBe(false);
  });

  it('does not change its inputs', () => {
    const before = Array.from(column(demo.temp_min, 'member_02'));
    deriveVariable('evapotranspiration', demo, { elevation: 0 });
    expect(Array.from(column(demo.temp_min, 'member_02'))).toEqual(before);
  });
});

describe('deriveVariable rejects', () => {
  const series = { date: daysFrom('2024-01-01', 1), value: [10] };
  const evapotranspirationOf = (options: DeriveOptions, tables: Record<string, Table> = demo) =>
    messageOf(() => deriveVariable('evapotranspiration', tables, options));

  it('a variable that is not derived', () => {
    expect(messageOf(() => deriveVariable('temp_mean' as DerivedVariable, demo))).toBe(
      'OptionError variable: is not derived from others; received "temp_mean"; allowed: evapotranspiration, dew_point, vapor_pressure_deficit',
    );
  });

  it('a missing input', () => {
    expect(messageOf(() => deriveVariable('dew_point', { temp_mean: table(series) }))).toBe(
      'OptionError inputs of dew_point: no table of relative_humidity; received "temp_mean"; allowed: a table each of temp_mean, relative_humidity',
    );
  });

  it('a missing elevation, as evapotranspiration depends on it', () => {
    expect(evapotranspirationOf({})).toMatch(/^OptionError elevation: missing, and evapotranspiration depends on it;/);
    const nowhere = [
      Number.NaN,
      [Number.NaN, Number.NaN, Number.NaN],
      () => Number.NaN,
      () => undefined as never,
      null as never,
    ];
    for (const elevation of nowhere) {
      expect(evapotranspirationOf({ elevation })).toMatch(/^OptionError elevation: missing/);
    }
    expect(evapotranspirationOf({ elevation: '145' as never })).toMatch(
      /^OptionError elevation: not a number in range; received "145"/,
    );
  });

  it('unknown options, with the nearest name', () => {
    expect(evapotranspirationOf({ elevtion: 5 } as never)).toMatch(
      /unknown option, the nearest is elevation; received "elevtion"/,
    );
  });

  it('inputs that are not tables', () => {
    expect(() => deriveVariable('dew_point', undefined as never)).toThrow('inputs of dew_point: no table of temp_mean');
    expect(() => deriveVariable('dew_point', { temp_mean: 5 } as never)).toThrow(
      'temp_mean, table: cannot be used; received 5; allowed: an Arrow table',
    );
  });

  it('an elevation out of range, and too few of them', () => {
    expect(evapotranspirationOf({ elevation: 20_000 })).toBe(
      'OptionError elevation: not a number in range; received 20000; allowed: metres from -1000 to 10000',
    );
    expect(evapotranspirationOf({ elevation: Float64Array.of(1, 2) })).toMatch(/not one for each place; received 2;/);
  });

  it('evapotranspiration without a latitude', () => {
    const tables = Object.fromEntries(Object.keys(demo).map((slug) => [slug, table(series)]));
    expect(evapotranspirationOf({ elevation: 0 }, tables)).toMatch(/^DataError input: no latitude/);
  });

  it('days that inputs do not share, naming the input', () => {
    const later = { date: daysFrom('2024-01-02', 2), value: [10, 11] };
    expect(
      messageOf(() => deriveVariable('dew_point', { temp_mean: table(series), relative_humidity: table(later) })),
    ).toBe(
      'DataError relative_humidity: no day in common with temp_mean; received "2024-01-02 to 2024-01-03"; allowed: days up to 2024-01-01',
    );
  });

  it('other places, naming the input', () => {
    const at = (latitude: number) => table({ ...series, latitude: [latitude], longitude: [0] });
    expect(messageOf(() => deriveVariable('dew_point', { temp_mean: at(1), relative_humidity: at(2) }))).toMatch(
      /^DataError relative_humidity: other locations/,
    );
  });

  it('another number of members, and members of which only some have the same name, naming the input', () => {
    expect(messageOf(() => dewPointOf({ m1: [1], m2: [1] }, { m1: [1], m2: [1], m3: [1] }))).toBe(
      'DataError relative_humidity: not as many members as temp_mean; received 3; allowed: 2',
    );
    expect(messageOf(() => dewPointOf({ m1: [1], m2: [1] }, { m2: [1], m3: [1] }))).toMatch(
      /^DataError relative_humidity: a member of temp_mean is missing; received "m2, m3"/,
    );
  });

  it('another variable or unit than the input’s name requires', () => {
    const kelvin = table(series, { units: 'K' });
    expect(messageOf(() => deriveVariable('dew_point', { ...demo, temp_mean: kelvin }))).toMatch(
      /^DataError temp_mean, column value: units are not those of temp_mean; received "K"/,
    );
    expect(messageOf(() => deriveVariable('dew_point', { ...demo, temp_mean: demo.temp_max }))).toMatch(
      /^DataError temp_mean: does not hold temp_mean; received "temp_max"/,
    );
  });

  it('an infinite value, naming its place', () => {
    expect(messageOf(() => dewPointOf({ m1: [1, 2], m2: [3, 4] }, { m1: [5, 6], m2: [7, Infinity] }))).toBe(
      'DataError relative_humidity, row 2, column m2: infinite value; received Infinity; allowed: finite numbers; NaN or null where a value is missing',
    );
  });
});

type Members = Record<string, (number | null)[]>;

function dewPointOf(temperature: Members, humidity: Members): Table {
  const wide = (members: Members) => {
    const date = daysFrom('2024-01-01', Object.values(members)[0].length);
    const columns = Object.entries(members).map(([name, numbers]) => [name, float32(...numbers)] as const);
    return table({ date, ...Object.fromEntries(columns) });
  };
  return deriveVariable('dew_point', { temp_mean: wide(temperature), relative_humidity: wide(humidity) });
}
