import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Climatology, climateKeys } from '../../src/climate/climatology.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { holds } from '../property/fuzz.js';
import { messageOf } from '../table/tables.js';
import { type History, seededHistory, tableOf } from './histories.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const samplesOf = ({ samples, keys }: Climatology, key: string) => samples[keys.indexOf(key)];

describe('several tables', () => {
  it('must be of one variable, in the same units and calendar, at the same places', () => {
    const [a, b] = [2001, 2002].map((year) => seededHistory({ from: [year, 1, 1], to: [year, 12, 31], places: 2 }));
    const rain = new Map([['variable', 'precipitation']]);
    const options = { reference: '2001-2002' };
    const heat = tableOf(b, false, new Map([['variable', 'temp_mean']]));
    expect(() => climatology(core, [tableOf(a, false, rain), heat], options)).toThrow(
      'table 2: another variable; received "temp_mean"; allowed: precipitation, as in table 1',
    );
    const tables = [tableOf(a, false, rain), tableOf({ ...b, places: 1, days: 730 }, false, rain)];
    expect(() => climatology(core, tables, { ...options, source: ['a.csv', 'b.csv'] })).toThrow(
      'b.csv: other locations',
    );
    const own = { variable: undefined, window: 'sum' } as const;
    const inches = tableOf(b, false, new Map([['units', 'inch']]));
    expect(() =>
      climatology(core, [tableOf(a, false, new Map([['units', 'mm']])), inches], { ...options, ...own }),
    ).toThrow('table 2: another unit; received "inch"; allowed: mm, as in table 1');
    const short = tableOf(b, false, new Map([...rain, ['calendar', 'noleap']]));
    expect(() => climatology(core, [tableOf(a, false, rain), short], options)).toThrow(
      'table 2: another calendar; received "noleap"; allowed: standard, as in table 1',
    );
    expect(() => climatology(core, [], options)).toThrow('tables: none are given');
  });
});

/** The days of a history from `from` up to, not including, `to`, places and values in its order. */
function piece(history: History, from: number, to: number): History {
  const members = history.members.map((values) =>
    Array.from({ length: history.places }, (_, place) =>
      values.slice(place * history.days + from, place * history.days + to),
    ).flat(),
  );
  return { ...history, firstDay: history.firstDay + from, days: to - from, members };
}

describe('tables of a single member are one history', () => {
  const years = { variable: 'temp_mean', reference: '2001-2003' } as const;
  const whole = seededHistory({ from: [2000, 12, 1], to: [2004, 1, 31], places: 3, missing: 0.004 });
  const yearly = [0, 31, 396, 761, 1126, whole.days];
  const pieces = yearly.slice(1).map((to, i) => piece(whole, yearly[i], to));

  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: whole.days - 1 }), { maxLength: 12 });
  const shuffled = cuts.chain((ends) => {
    const bounds = [0, ...ends.sort((a, b) => a - b), whole.days];
    const made = bounds.slice(1).map((to, i) => piece(whole, bounds[i], to));
    return fc.shuffledSubarray(made, { minLength: made.length });
  });
  const granularity = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const);
  holds(
    'however its days are cut and in whatever order the tables and their rows are',
    12,
    fc.tuple(shuffled, granularity, fc.boolean()),
    ([tables, granularity, byDay]) => {
      const options = { ...years, granularity };
      const made = tables.map((each, i) => tableOf(each, byDay !== (i % 2 === 0)));
      expect(climatology(core, made, options)).toEqual(climatology(core, tableOf(whole), options));
    },
  );

  it('with places in any order; the first table decides on the order', () => {
    const [first, ...others] = pieces;
    const turned = (history: History, places: readonly number[]): History => ({
      ...history,
      members: history.members.map((values) =>
        places.flatMap((place) => values.slice(place * history.days, (place + 1) * history.days)),
      ),
    });
    const order = [2, 0, 1];
    const tables = [tableOf(first), ...others.map((each) => tableOf(turned(each, order), true, new Map(), order))];
    expect(climatology(core, tables, years)).toEqual(climatology(core, tableOf(whole), years));
  });

  it('in which a missing day between two tables makes the week missing', () => {
    const [, y2001, y2002, y2003] = pieces.map((each) => piece({ ...each, places: 1 }, 0, each.days));
    const options = { ...years, granularity: 'weekly', minSampleShare: 0 } as const;
    const joined = climatology(
      core,
      [y2001, y2002, y2003].map((each) => tableOf(each)),
      options,
    );
    // 2002-W01 and 2003-W01 begin in the year before; 2001-W01 begins with the first day.
    expect(samplesOf(joined, 'W01')).toBe(3);
    const holed = { ...y2002, members: [y2002.members[0].map((x, d) => (d === 364 ? Number.NaN : x))] };
    const missing = climatology(
      core,
      [y2001, holed, y2003].map((each) => tableOf(each)),
      options,
    );
    expect(samplesOf(missing, 'W01')).toBe(2);
  });

  it('in which days that no table has count as missing samples', () => {
    const [, y2001, , y2003] = pieces;
    const options = { ...years, granularity: 'monthly' } as const;
    const june = piece(pieces[2], 0, 150);
    const cut = climatology(
      core,
      [y2001, june, y2003].map((each) => tableOf(each)),
      { ...options, quantiles: [0.5] },
    );
    expect(samplesOf(cut, '07')).toBeLessThan(3);
    expect(cut.mean[cut.keys.indexOf('07')]).toBeNaN();
  });

  it('in which a day may be missing in one table and have a value in another, but not a value in both', () => {
    const { days } = whole;
    const [earlier, later] = [
      { ...whole, members: [whole.members[0].map((x, row) => (row % days < 500 ? x : Number.NaN))] },
      piece(whole, 500, days),
    ];
    expect(climatology(core, [tableOf(later), tableOf(earlier)], years)).toEqual(
      climatology(core, tableOf(whole), years),
    );
    const solid = seededHistory({ from: [2001, 1, 1], to: [2002, 12, 31], places: 2 });
    const [a, b] = [piece(solid, 0, 366), piece(solid, 365, 730)].map((each) => tableOf(each));
    const options = { variable: 'temp_mean', reference: '2001-2002' };
    const twice = (row: number, other: string) =>
      `row ${row}, column member_00: a day that ${other} also has; received "2002-01-01"; allowed: each day in one table, as tables of one member are joined to one history; members of a run in one table`;
    expect(messageOf(() => climatology(core, [a, b], { ...options, source: ['a.csv', 'b.csv'] }))).toBe(
      `DataError b.csv, ${twice(1, 'a.csv')}`,
    );
    expect(messageOf(() => climatology(core, [b, a], options))).toBe(`DataError table 2, ${twice(366, 'table 1')}`);
  });

  it('in which the error for an infinite value names its place in its table', () => {
    const [, y2001, y2002] = pieces;
    const values = [...y2002.members[0]];
    values[365 + 9] = Number.POSITIVE_INFINITY;
    const tables = [{ ...y2002, members: [values] }, y2001].map((each) => tableOf(each));
    expect(messageOf(() => climatology(core, tables, { ...years, reference: '2001-2002' }))).toMatch(
      'DataError table 1, row 375, column member_00: infinite value; received Infinity',
    );
  });
});

describe('tables with members are runs', () => {
  const season = [2001, 2002].map((year) =>
    seededHistory({ from: [year, 5, 1], to: [year, 9, 30], members: 4, seed: year }),
  );
  const options = { variable: 'temp_mean', reference: '2001-2002' } as const;
  const hindcast = (runs: readonly History[]) =>
    climatology(
      core,
      runs.map((run) => tableOf(run)),
      options,
    );

  it('which have samples for their own dates only, fewer at their ends', () => {
    const result = hindcast(season);
    const counts = ['04-30', '05-01', '05-02', '05-08', '07-01', '09-29', '09-30', '10-01'].map((key) =>
      samplesOf(result, key),
    );
    expect(counts).toEqual([0, 8, 9, 15, 15, 9, 8, 0].map((days) => 2 * 4 * days));
    expect(result.mean[result.keys.indexOf('05-01')]).not.toBeNaN();
    expect(result.mean[result.keys.indexOf('04-30')]).toBeNaN();
  });

  it('each with samples for its own dates', () => {
    const result = hindcast([season[0], piece(season[1], 10, 100)]);
    const counts = ['05-10', '05-11', '08-08', '08-09'].map((key) => samplesOf(result, key));
    expect(counts).toEqual([4 * 15, 4 * (15 + 8), 4 * (15 + 8), 4 * 15]);
  });

  it('which may have the same days, and days across the turn of the year', () => {
    const winters = [2000, 2001, 2001].map((year, seed) =>
      seededHistory({ from: [year, 12, 20], to: [year + 1, 1, 10], members: 2, seed }),
    );
    const result = hindcast(winters);
    const inReference = (key: string) => samplesOf(result, key);
    expect(climateKeys('daily').filter((key) => inReference(key) > 0)).toHaveLength(10 + 12);
    expect(inReference('12-20')).toBe(2 * 2 * 8);
    // 2000-12-20 and its days are not in the reference; for 2001-01-01 there are the 8 days from it on.
    expect(inReference('01-01')).toBe(2 * 8 + 2 * 2 * 15);
  });
});
