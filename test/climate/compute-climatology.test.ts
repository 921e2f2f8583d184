import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Climatology } from '../../src/climate/climatology.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import type { ClimatologyOptions } from '../../src/climate/options.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { dayNumber } from '../../src/period/day.js';
import { parseThreshold, type QuantileType } from '../../src/statistics/options.js';
import { isFullCheck } from '../full-check.js';
import { holds } from '../property/fuzz.js';
import { climatologyTwin, type TwinRequest } from '../reference/climatology.js';
import { messageOf } from '../table/tables.js';
import { type History, seededHistory, seriesAt, tableOf } from './histories.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const decade = seededHistory({ from: [2001, 1, 1], to: [2010, 12, 31] });
const warm = { variable: 'temp_mean', reference: '2001-2010' } as const;

/** The entry of a key at the first place. */
function entryOf(result: Climatology, key: string, place = 0) {
  const at = place * result.keys.length + result.keys.indexOf(key);
  return {
    samples: result.samples[at],
    mean: result.mean[at],
    quantiles: [...result.quantileValues, ...result.limits].map((values) => values[at]),
    probabilities: result.probabilities.map((values) => values[at]),
  };
}

function expectTwin(histories: readonly History[], options: ClimatologyOptions, result: Climatology): void {
  const request: TwinRequest = {
    granularity: result.granularity as 'weekly',
    firstYear: result.reference?.firstYear as number,
    lastYear: result.reference?.lastYear as number,
    halfWidth: options.halfWidth ?? 7,
    window: result.window as 'mean',
    quantiles: [...result.quantiles, ...result.limits.map((_, k) => (k + 1) / result.categories)],
    quantileType: options.quantileType ?? 7,
    thresholds: result.thresholds,
    minSampleShare: options.minSampleShare ?? 0.8,
    round: result.mean instanceof Float32Array ? Math.fround : (x) => x,
  };
  const places = Array.from({ length: histories[0].places }, (_, place) => seriesAt(histories, place));
  climatologyTwin(places, request).forEach((expected, place) => {
    expect(expected.map(({ key }) => key)).toEqual(result.keys);
    for (const { key, ...entry } of expected)
      expect({ key, ...entryOf(result, key, place) }).toEqual({ key, ...entry });
  });
}

describe('climatology equals its slow twin to the last bit', () => {
  const requested = fc.record({
    pool: fc.constantFrom(
      ...[0, 1, 7, 182].map((halfWidth) => ({ granularity: 'daily' as const, halfWidth })),
      ...(['daily', 'weekly', 'monthly'] as const).map((granularity) => ({ granularity })),
    ),
    window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const),
    quantileType: fc.constantFrom<QuantileType>(1, 2, 3, 4, 5, 6, 7, 8, 9),
    categories: fc.constantFrom(0, 2, 3, 5, 7),
    minSampleShare: fc.constantFrom(0, 0.8, 1),
  });
  const history = fc.record({
    seed: fc.nat(),
    members: fc.constantFrom(1, 3),
    places: fc.constantFrom(1, 2),
    single: fc.boolean(),
    missing: fc.constantFrom(0, 0.005, 0.02),
  });
  const thresholds = ['>0', '>=0', '<0.1', '<=5'].map(parseThreshold);

  holds(
    'for histories and ensembles, float32 and float64, complete and with holes',
    isFullCheck ? 16 : 5,
    fc.tuple(requested, history, fc.boolean()),
    ([{ pool, ...options }, shape, byDay]) => {
      const made = seededHistory({ ...shape, from: [1998, 11, 20], to: [2002, 2, 10] });
      const request = { ...pool, ...options, thresholds, quantiles: [0, 0.05, 0.5, 0.975, 1], reference: '1999-2001' };
      expectTwin(
        [made],
        request,
        climatology(core, tableOf(made, byDay), { variable: 'temp_mean', ...request, fewerYears: true }),
      );
    },
  );

  holds('for runs that cover parts of the year with different members', 4, requested, ({ pool, ...options }) => {
    const runs = [1999, 2000, 2001].map((year, i) =>
      seededHistory({
        from: [year, 11, 3],
        to: [year + 1, 3, 20],
        members: 1 + i,
        places: 2,
        seed: year,
        missing: 0.004,
      }),
    );
    const request = { ...pool, ...options, thresholds, reference: '1999-2001', fewerYears: true };
    expectTwin(
      runs,
      request,
      climatology(
        core,
        runs.map((run, i) => tableOf(run, i === 1)),
        { variable: 'temp_mean', ...request },
      ),
    );
  });

  it('for pools of thousands', () => {
    const made = seededHistory({ from: [2001, 1, 1], to: [2001, 12, 31], members: 80, single: true });
    const request = { reference: '2001-2001', quantiles: [0.5], halfWidth: 30 };
    expectTwin([made], request, climatology(core, tableOf(made), { variable: 'temp_mean', ...request }));
  });
});

it('cells are computed some at a time, with the results of each cell alone', () => {
  const made = seededHistory({ from: [2001, 1, 1], to: [2002, 12, 31], members: 300, places: 6 });
  const options = { variable: 'temp_mean', reference: '2001-2002' } as const;
  const all = climatology(core, tableOf(made), options);
  for (const place of [0, 3, 5]) {
    const values = made.members.map((member) => member.slice(place * made.days, (place + 1) * made.days));
    const { mean } = climatology(core, tableOf({ ...made, places: 1, members: values }), options);
    expect(all.mean.slice(place * 366, (place + 1) * 366)).toEqual(mean);
  }
});

describe('the samples of a key', () => {
  const one = { variable: 'precipitation', window: 'sum', quantiles: [0, 1] } as const;
  /** Each day has its day number. */
  const numbered = (from: readonly [number, number, number], to: readonly [number, number, number]) => {
    const history = seededHistory({ from, to });
    return tableOf({ ...history, members: [history.members[0].map((_, d) => history.firstDay + d)] });
  };
  const spanOf = (result: Climatology, key: string) => entryOf(result, key).quantiles.slice(0, 2);
  const sumOfWeek = (first: number) => 7 * first + 21;

  it('are the days up to seven days from a date, beyond the year but not beyond the reference', () => {
    const result = climatology(core, numbered([1999, 1, 1], [2004, 12, 31]), { ...one, reference: '2001-2002' });
    expect(entryOf(result, '01-01').samples).toBe(8 + 15);
    expect(spanOf(result, '01-01')).toEqual([dayNumber(2001, 1, 1), dayNumber(2002, 1, 8)]);
    expect(entryOf(result, '12-25').samples).toBe(29);
    expect(entryOf(result, '12-24').samples).toBe(30);
    expect(spanOf(result, '12-31')).toEqual([dayNumber(2001, 12, 24), dayNumber(2002, 12, 31)]);
  });

  it('of 29 February are those of 28 February in common years', () => {
    const common = climatology(core, numbered([2001, 1, 1], [2001, 12, 31]), { ...one, reference: '2001-2001' });
    expect(entryOf(common, '02-29')).toEqual(entryOf(common, '02-28'));
    const leap = climatology(core, numbered([2004, 1, 1], [2004, 12, 31]), { ...one, reference: '2004-2004' });
    expect(spanOf(leap, '02-29')).toEqual([dayNumber(2004, 2, 22), dayNumber(2004, 3, 7)]);
  });

  it('of a week are those of ISO years, including days outside the calendar years', () => {
    const result = climatology(core, numbered([2002, 12, 1], [2005, 1, 31]), {
      ...one,
      reference: '2003-2004',
      granularity: 'weekly',
    });
    expect(spanOf(result, 'W01')).toEqual([sumOfWeek(dayNumber(2002, 12, 30)), sumOfWeek(dayNumber(2003, 12, 29))]);
  });

  it('of weeks that extend outside the history are fewer by one', () => {
    const weeks = (first: number, last: number) => {
      const options = { ...one, reference: `${first}-${last}`, granularity: 'weekly' } as const;
      const result = climatology(core, numbered([first, 1, 1], [last, 12, 31]), options);
      return ['W01', 'W02', 'W51', 'W52', 'W53'].map((key) => entryOf(result, key).samples);
    };
    // 1993 begins on a Friday, 2002 on a Tuesday, 2004 on a Thursday; 2022 ends on a Saturday, 2017 on a Sunday, 2018
    // on a Monday.
    expect(weeks(1993, 2022)).toEqual([30, 30, 30, 29, 29]);
    expect(weeks(2002, 2017)).toEqual([15, 16, 16, 16, 15]);
    expect(weeks(2004, 2018)).toEqual([14, 15, 15, 15, 14]);
  });

  it('of W53 are the seven days from 28 December of every year', () => {
    const result = climatology(core, numbered([2002, 12, 1], [2005, 1, 31]), {
      ...one,
      reference: '2003-2004',
      granularity: 'weekly',
    });
    expect(entryOf(result, 'W53').samples).toBe(2);
    expect(spanOf(result, 'W53')).toEqual([sumOfWeek(dayNumber(2003, 12, 28)), sumOfWeek(dayNumber(2004, 12, 28))]);
  });

  it('of a month are its total or mean of each year', () => {
    const flat = seededHistory({ from: [2003, 1, 1], to: [2004, 12, 31] });
    const table = tableOf({ ...flat, members: [flat.members[0].map(() => 2)] });
    const options = { granularity: 'monthly', reference: '2003-2004', quantiles: [0, 1] } as const;
    expect(entryOf(climatology(core, table, { ...options, variable: 'precipitation' }), '02').quantiles).toEqual([
      56,
      58,
      56 + 2 / 3,
      56 + 4 / 3,
    ]);
    expect(entryOf(climatology(core, table, { ...options, variable: 'temp_mean' }), '02').mean).toBe(2);
  });
});

describe('samples that are missing', () => {
  const without = (isHole: (day: number) => boolean) => ({
    ...decade,
    members: [decade.members[0].map((x, d) => (isHole(decade.firstDay + d) ? Number.NaN : x))],
  });
  const withHole = (from: number, to: number) => without((day) => day >= from && day <= to);

  it('are skipped; with fewer valid samples than minSampleShare requires, statistics are missing and the count is stated', () => {
    const missingDays = [dayNumber(2003, 5, 4), dayNumber(2004, 5, 31), dayNumber(2005, 5, 1), dayNumber(2003, 6, 30)];
    const table = tableOf(without((day) => missingDays.includes(day)));
    const strict = climatology(core, table, { ...warm, granularity: 'monthly' });
    expect(entryOf(strict, '05')).toMatchObject({ samples: 7, mean: Number.NaN });
    expect(entryOf(strict, '06').samples).toBe(9);
    expect(entryOf(strict, '06').mean).not.toBeNaN();
    const lenient = climatology(core, table, { ...warm, granularity: 'monthly', minSampleShare: 0.7 });
    expect(entryOf(lenient, '05').mean).not.toBeNaN();
    expect(
      entryOf(climatology(core, table, { ...warm, granularity: 'monthly', minSampleShare: 0.71 }), '05').mean,
    ).toBeNaN();
  });

  it('for an entire reference year are an error that names the years and the available days', () => {
    const table = tableOf(decade);
    expect(() => climatology(core, table, { variable: 'temp_mean', source: 'rain.csv' })).toThrow(
      `rain.csv: the reference 1993-2022 has years without a day; received "1993-2000", "2011-2022"; allowed: reference: '2001-2010', within the days available, 2001-01-01 to 2010-12-31; or fewerYears: true, to use the available years only`,
    );
    const hole = tableOf(withHole(dayNumber(2003, 1, 1), dayNumber(2003, 12, 31)));
    expect(() => climatology(core, hole, warm)).toThrow('years without a day; received "2003";');
    const midMonths = Array.from({ length: 12 }, (_, month) => dayNumber(2003, month + 1, 15));
    const cutMonths = tableOf(without((day) => midMonths.includes(day)));
    expect(() => climatology(core, cutMonths, { ...warm, granularity: 'monthly' })).toThrow(
      'years without a complete month; received "2003"',
    );
    expect(() => climatology(core, table, { ...warm, reference: '2001-2011', granularity: 'monthly' })).toThrow(
      'years without a complete month; received "2011"',
    );
    expect(() => climatology(core, table, { ...warm, reference: '2000-2010', granularity: 'weekly' })).toThrow(
      'years without a complete ISO week; received "2000"',
    );
  });

  it('for entire reference years are not expected with fewerYears', () => {
    const hole = tableOf(withHole(dayNumber(2003, 1, 1), dayNumber(2006, 12, 31)));
    const result = climatology(core, hole, { ...warm, reference: '1993-2022', fewerYears: true });
    expect(entryOf(result, '07-01').samples).toBe(6 * 15);
    expect(entryOf(result, '07-01').mean).not.toBeNaN();
    expect(result.metadata.get('lacking_years')).toBe('1993-2000, 2003-2006, 2011-2022');
  });

  it('for all reference years are an error also with fewerYears', () => {
    for (const fewerYears of [false, true]) {
      expect(messageOf(() => climatology(core, tableOf(decade), { ...warm, reference: '1950-1960', fewerYears }))).toBe(
        'DataError input: the reference 1950-1960 has years without a day; received "1950-1960"; allowed: reference: \'2001-2010\', within the days available, 2001-01-01 to 2010-12-31',
      );
    }
  });
});

it('an infinite value is an error that names its place', () => {
  const values = [...decade.members[0]];
  values[400] = Number.POSITIVE_INFINITY;
  const table = tableOf({ ...decade, members: [values] });
  for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
    expect(() => climatology(core, table, { ...warm, granularity, source: 'a.csv' })).toThrow(
      'row 401, column member_00: infinite value; received Infinity',
    );
  }
});

it('an infinite value is found in its place where cells are computed some at a time', () => {
  const made = seededHistory({ from: [2001, 1, 1], to: [2002, 12, 31], members: 300, places: 6 });
  const members = made.members.map((member) => [...member]);
  members[99][5 * made.days + 10] = Number.NEGATIVE_INFINITY;
  expect(() =>
    climatology(core, tableOf({ ...made, members }), { variable: 'temp_mean', reference: '2001-2002' }),
  ).toThrow(`row ${5 * made.days + 11}, column member_099: infinite value; received -Infinity`);
});

it('scratch is released', () => {
  const before = core.memory.mark();
  climatology(core, tableOf(decade), warm);
  expect(core.memory.mark()).toBe(before);
});

describe('options', () => {
  const errorMessage = (options: object) => {
    try {
      climatology(core, tableOf(decade), { ...warm, ...options });
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };

  it('that cannot be used are errors that state what is allowed', () => {
    expect(errorMessage({ halfwidth: 3 })).toMatch(
      'options: unknown option, the nearest is halfWidth; received "halfwidth"',
    );
    expect(errorMessage({ startDate: '2001-01-01' })).toMatch('options: unknown option');
    expect(errorMessage({ halfWidth: 183 })).toBe(
      'halfWidth: not a number of days; received 183; allowed: a whole number from 0 to 182',
    );
    expect(errorMessage({ categories: 1 })).toBe(
      'categories: not a number of categories; received 1; allowed: a whole number from 2 to 20, such as 3 for terciles, or 0 for none',
    );
    expect(errorMessage({ reference: '2010-2001' })).toBe(
      'reference: ends before it begins; received "2010-2001"; allowed: a first and a last year, such as 1993-2022, or { firstYear, lastYear }',
    );
    expect(errorMessage({ reference: { firstYear: 2001, lastYear: 2000 } })).toMatch(
      'reference: ends before it begins',
    );
    expect(errorMessage({ reference: { firstYear: 2001, lastYear: 2010.5 } })).toMatch(
      'reference: not a reference period',
    );
    expect(errorMessage({ reference: '2010-0000' })).toMatch('reference: not a reference period');
    expect(errorMessage({ halfWidth: 7, granularity: 'weekly' })).toBe(
      'halfWidth: is for days and rolling windows, not for a weekly climatology; received 7; allowed: granularity daily, or none',
    );
    expect(errorMessage({ minSampleShare: 80 })).toBe(
      'minSampleShare: cannot be used; received 80; allowed: a number from 0 to 1',
    );
    expect(errorMessage({ fewerYears: 1 })).toMatch('fewerYears: cannot be used');
    expect(errorMessage({ quantiles: [2] })).toMatch('quantiles: outside [0, 1]');
  });

  it('and what are not tables are errors', () => {
    const messages = ([null, 'weekly'] as unknown[]).map((options) =>
      messageOf(() => climatology(core, tableOf(decade), options as object)),
    );
    expect(messages).toEqual(
      ['null', '"weekly"'].map((text) =>
        expect.stringMatching(
          `^OptionError options: cannot be used; received ${text}; allowed: an object with granularity, `,
        ),
      ),
    );
    const none = ([undefined, null, 5, {}, [undefined]] as unknown[]).map((tables) =>
      messageOf(() => climatology(core, tables as Table, warm)),
    );
    expect(none).toEqual(
      ['undefined', 'null', '5', 'an object {  }', 'undefined'].map(
        (text) => `OptionError table: cannot be used; received ${text}; allowed: an Arrow table`,
      ),
    );
    expect(messageOf(() => climatology(core, [tableOf(decade), null as unknown as Table], warm))).toMatch(
      'OptionError table 2, table: cannot be used',
    );
  });

  it('take the reference as a text or as years', () => {
    const years = climatology(core, tableOf(decade), { ...warm, reference: { firstYear: 2001, lastYear: 2010 } });
    expect(years.reference).toEqual({ firstYear: 2001, lastYear: 2010 });
    expect(errorMessage({ reference: '2001-2010' })).toBe('accepted');
  });
});
