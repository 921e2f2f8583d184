import { beforeAll, describe, expect, it } from 'vitest';
import { blend } from '../../src/blend/blend.js';
import type { BlendOptions } from '../../src/blend/options.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { messageOf } from '../table/tables.js';
import { cairns, horizon, long, type Place, roanoke, short } from './horizon-table.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const message = (tables: ReturnType<typeof horizon>[], options: BlendOptions = {}) =>
  messageOf(() => blend(core, tables, options));

describe('blend rejects', () => {
  const temperature = { variable: 'temp_mean' };
  const of = (leads: [number, number], metadata: Record<string, string>) => horizon({ leads, members: 2, metadata });

  it('no horizon at all', () => {
    expect(message([])).toBe('OptionError horizons: none; allowed: a table for each, from the shortest on');
  });

  it('horizons that neither overlap nor touch, naming their files', () => {
    expect(message([short, horizon({ leads: [6, 9], members: 4 })], { sources: ['a.csv', 'b.csv'] })).toBe(
      'DataError b.csv: does not overlap or touch a.csv; received "2026-03-08 to 2026-03-11"; allowed: ' +
        'a horizon that begins by 2026-03-07; a.csv ends on 2026-03-06',
    );
  });

  it('a horizon that adds no day', () => {
    expect(message([long, horizon({ leads: [0, 9], members: 4 })])).toMatch(
      /^DataError horizon 2: adds no day to horizon 1; received "2026-03-04 to 2026-03-11"/,
    );
  });

  it('a horizon of one member among several', () => {
    expect(message([short, horizon({ leads: [2, 9], members: 1 })])).toBe(
      'DataError horizon 2: too few members to be joined to another horizon; received 1; allowed: an ensemble of at least 2 members',
    );
  });

  it('other locations', () => {
    const at = (place: Place, last: number) => horizon({ leads: [0, last], members: 2, places: [place] });
    expect(message([at(roanoke, 4), at(cairns, 9)], { names: ['near', 'far'] })).toBe(
      'DataError far: other locations: none at 37.3, -79.84; allowed: the 1 of near, in any order',
    );
  });

  it('other locations than in a pairing at each location', () => {
    const at = (place: Place, last: number) => horizon({ leads: [0, last], members: 2, places: [place] });
    const { pairing } = blend(core, [at(roanoke, 4), at(roanoke, 9)], { method: 'cell' });
    expect(message([at(cairns, 4), at(cairns, 9)], { pairing })).toBe(
      'DataError horizon 1: other locations: none at 37.3, -79.84; allowed: the 1 of the pairing, in any order',
    );
  });

  it('another variable, also where the first table does not state one', () => {
    const rain = of([0, 9], { variable: 'precipitation' });
    expect(message([of([0, 4], temperature), rain])).toBe(
      'DataError horizon 2: another variable; received "precipitation"; allowed: temp_mean, as in horizon 1',
    );
    expect(message([of([0, 4], {}), of([0, 6], temperature), rain])).toBe(
      'DataError seasonal: another variable; received "precipitation"; allowed: temp_mean, as in subseasonal',
    );
  });

  it('another unit', () => {
    expect(message([of([0, 4], { units: 'K' }), of([0, 9], { units: 'degC' })])).toBe(
      'DataError horizon 2: another unit; received "degC"; allowed: K, as in horizon 1',
    );
  });

  it('another calendar', () => {
    expect(message([of([0, 4], {}), of([0, 9], { calendar: 'noleap' })])).toBe(
      'DataError horizon 2: dates are not of the real calendar, and blending needs real dates; received "calendar noleap"; allowed: standard, gregorian or proleptic_gregorian; convert dates first, as by convert_calendar of xarray',
    );
  });

  it('an infinite value on the days used for pairing, with its place', () => {
    const infinite = (m: number, lead: number) => (m === 1 && lead === 3 ? 1 / 0 : m + lead);
    const tables = [short, horizon({ leads: [2, 9], members: 4, value: infinite })];
    const expected =
      'DataError b.csv, row 2, column run_1: infinite value; received Infinity; allowed: finite numbers; NaN or null where a value is missing';
    expect(message(tables, { sources: ['a.csv', 'b.csv'] })).toBe(expected);
    expect(message(tables, { sources: ['a.csv', 'b.csv'], method: 'cell' })).toBe(expected);
  });

  it('a pairing of other ensembles', () => {
    const { pairing } = blend(core, [short, long]);
    const last = horizon({ leads: [5, 12], members: 4 });
    expect(message([short, horizon({ leads: [2, 9], members: 5 })], { pairing })).toBe(
      'DataError horizon 2: another number of members than was paired; received 5; allowed: 4',
    );
    expect(message([short, long, last], { pairing })).toBe(
      'DataError horizon 3: a horizon beyond those that were paired; received 3; allowed: 2 horizons',
    );
    expect(message([short, horizon({ leads: [20, 29], members: 4 })], { pairing })).toBe(
      'DataError horizon 2: none of its days were paired; received "2026-03-22"; allowed: 2026-03-02 to 2026-03-11',
    );
  });

  it.each<[BlendOptions, string]>([
    [{ overlaps: [3, 7] }, 'overlaps: not one for each seam between two horizons; received 3, 7; allowed: a list of 1'],
    [{ overlaps: [0] }, 'overlaps: not a number of days; received 0; allowed: whole numbers from 1'],
    [{ overlaps: [2.5] }, 'overlaps: not a number of days; received 2.5; allowed: whole numbers from 1'],
    [{ lastLeads: [14] }, 'lastLeads: not one for each horizon; received 14; allowed: a list of 2'],
    [
      { lastLeads: [14, -1] },
      'lastLeads: not a number of days; received -1; allowed: whole numbers from 0, or null for all',
    ],
    [{ names: ['a'] }, 'names: not one for each horizon; received "a"; allowed: a list of 2'],
    [{ sources: ['a', 'b', 'c'] }, 'sources: not one for each horizon; received "a", "b", "c"; allowed: a list of 2'],
    [{ method: 'mean' as 'field' }, 'method: unknown; received "mean"; allowed: field, cell, splice'],
    [{ keepGaps: 'no' as never }, 'keepGaps: cannot be used; received "no"; allowed: true or false'],
  ])('the options %j', (options, expected) => {
    expect(message([short, long], options)).toBe(`OptionError ${expected}`);
  });

  it('an unknown option, naming the nearest known one', () => {
    expect(message([short, long], { overlap: [3] } as BlendOptions)).toMatch(
      /^OptionError options: unknown option, the nearest is overlaps; received "overlap"; allowed: names, sources, method/,
    );
  });
});
