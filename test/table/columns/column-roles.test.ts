import { Bool, Float64, Int64 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { idsOf } from '../../../src/ensemble/place-labels.js';
import { COLUMN_ROLES } from '../../../src/table/columns/column-role.js';
import { readEnsemble } from '../../../src/table/rows/read-ensemble.js';
import { readPlaces } from '../../../src/table/rows/read-places.js';
import { dates, daysFrom, membersOf, messageOf, read, table, tableOfEntries, typed } from '../tables.js';

const two = daysFrom('2024-01-01', 2);

describe('columns are found', () => {
  it('by their usual names in any case, with blanks around', () => {
    for (const date of ['date', 'Time', 'DATETIME', 'valid_time', ' Date ', 'day', 'timestamp', 'valid_date']) {
      expect(membersOf(table({ [date]: two, x1: [1, 2] }))).toEqual({ x1: [1, 2] });
    }
    const members = [
      'member',
      'Number',
      'realization',
      'realisation',
      'parameter',
      'ensemble',
      'ens',
      'ensemble_member',
      'perturbation',
    ];
    for (const member of members) {
      const input = table({ date: two, [member]: ['a', 'a'], Prediction: [1, 2] });
      expect(membersOf(input)).toEqual({ a: [1, 2] });
    }
    const places: [string, string][] = [
      ['LAT', 'Lon'],
      ['latitude', 'longitude'],
      ['lat', 'lng'],
      ['Latitude', 'long'],
    ];
    for (const [lat, lon] of places) {
      expect(read(table({ [lat]: [1, 1], [lon]: [2, 2], date: two, m: [1, 2] })).parts[0].places).toEqual([[1, 2]]);
    }
  });

  it('by the names given, which come before the usual ones', () => {
    const input = table({ date: ['x', 'y'], when: two, run: ['b', 'b'], number: [1, 2], mm: [3, 4] });
    expect(membersOf(input, { columns: { date: 'when', member: 'run', value: 'mm' } })).toEqual({ b: [3, 4] });
    expect(membersOf(input, { columns: { date: 'when', member: 'number', value: 'mm' } })).toEqual({
      1: [3, Number.NaN],
      2: [Number.NaN, 4],
    });
    expect(membersOf(table({ date: two, m: [1, 2] }), { columns: { date: undefined } })).toEqual({ m: [1, 2] });
  });

  it('by the more exact of two names: valid_time before time, number before parameter, value before prediction', () => {
    const input = table({
      time: dates('2020-01-01', '2020-01-01'),
      valid_time: two,
      parameter: ['p', 'q'],
      number: ['a', 'a'],
      prediction: [8, 9],
      value: [1, 2],
    });
    expect(read(input).parts[0]).toMatchObject({ firstDay: 19_723, members: { a: [1, 2] } });
  });
});

describe('columns that are not members', () => {
  it('numbers of rows, such as pandas writes', () => {
    for (const name of [
      '__index_level_0__',
      '__null_dask_index__',
      'Unnamed: 0',
      'index',
      '',
      'level_0',
      'row',
      'id',
      'rownames',
    ]) {
      expect(membersOf(table({ [name]: [0, 1], date: two, m1: [1, 2], m2: [3, 4] }))).toEqual({
        m1: [1, 2],
        m2: [3, 4],
      });
    }
  });

  it('names of rows, runs and places, statistics over members, and parts of the date', () => {
    const names =
      'lead_time step elevation depth site_id Station No station_no cell_id city year month day hour mean std x y'.split(
        /(?<!Station) /,
      );
    const columns = Object.fromEntries(names.map((name) => [name, [1, 1]]));
    expect(membersOf(table({ ...columns, date: two, m1: [1, 2], m2: [3, 4] }))).toEqual({ m1: [1, 2], m2: [3, 4] });
  });

  it('texts, booleans and dates', () => {
    const input = table({ date: two, note: ['a', 'b'], ok: typed(new Bool(), [true, false]), made: two, m: [1, 2] });
    expect(membersOf(input)).toEqual({ m: [1, 2] });
  });

  it('unless they are named as the values', () => {
    const input = table({ date: two, mean: [1, 2], m: [3, 4] });
    expect(membersOf(input, { columns: { value: 'mean' } })).toEqual({ mean: [1, 2] });
  });
});

describe('wrong names of columns', () => {
  const input = table({ day: two, run: typed(new Int64(), [1n, 1n]), mm: [1, 2] });

  it('one that the table does not have', () => {
    expect(messageOf(() => read(input, { columns: { member: 'Run' }, source: 'a.csv' }))).toBe(
      'OptionError a.csv, column for member: not in the table; received "Run"; allowed: one of day, run, mm',
    );
    expect(messageOf(() => read(input, { columns: { member: 'Run' } }))).toBe(
      'OptionError column for member: not in the table; received "Run"; allowed: one of day, run, mm',
    );
  });

  it('an unknown role, even the name of an object property', () => {
    for (const role of ['members', 'constructor']) {
      expect(messageOf(() => read(input, { columns: { [role]: 'run' } }))).toBe(
        `OptionError columns: cannot be used; received "${role}"; allowed: date, member, value, latitude, longitude, id, variable, units, year, month, day, hour`,
      );
    }
    expect(COLUMN_ROLES.slice(0, 6)).toEqual(['date', 'member', 'value', 'latitude', 'longitude', 'id']);
    expect(COLUMN_ROLES.slice(6, 8)).toEqual(['variable', 'units']);
    expect(COLUMN_ROLES.slice(8)).toEqual(['year', 'month', 'day', 'hour']);
  });

  it('two roles for one column', () => {
    expect(messageOf(() => read(input, { columns: { member: 'run', value: 'run' } }))).toBe(
      'OptionError column run: given as member and as value; allowed: one role for a column',
    );
  });

  it('two columns of one name', () => {
    const column = typed(new Float64(), [1, 2]);
    const twice = tableOfEntries([
      ['date', two],
      ['m1', column],
      ['m1', column],
    ]);
    expect(messageOf(() => read(twice, { source: 'a.parquet' }))).toBe(
      'DataError a.parquet, column m1: two columns of this name; received "columns 2 and 3"; allowed: another name for each column',
    );
  });
});

const source = 'rain.csv';
const failure = (columns: Parameters<typeof table>[0]) => messageOf(() => read(table(columns), { source }));

describe('rows that must not be pooled', () => {
  it('several places that only have names are told apart by them, in every form of table', () => {
    const cells = (columns: Record<string, unknown>) =>
      readEnsemble(table(columns as never), { places: readPlaces }).parts.flatMap(({ labels }) => idsOf(labels));
    expect(cells({ date: two, site: ['a', 'b'], value: [1, 2] })).toEqual(['a', 'b']);
    expect(cells({ date: two, site: ['a', 'b'], m1: [1, 2], m2: [1, 2] })).toEqual(['a', 'b']);
    const same = dates('2024-01-01', '2024-01-01');
    expect(cells({ date: same, site: ['a', 'b'], member: [1, 2], value: [1, 2] })).toEqual(['a', 'b']);
  });

  it('places that have coordinates, or a single one, are read', () => {
    expect(read(table({ date: two, site: ['a', 'a'], value: [1, 2] })).parts).toHaveLength(1);
    const both = { date: two, site: ['a', 'b'], lat: [1, 2], lon: [3, 3], value: [1, 2] };
    expect(read(table(both)).parts).toHaveLength(2);
  });

  it('parameters of a distribution are not members', () => {
    const same = dates('2024-01-01', '2024-01-01');
    const normal = { date: same, family: ['normal', 'normal'], parameter: ['mu', 'sigma'], prediction: [1, 2] };
    expect(failure(normal)).toBe(
      'DataError rain.csv, row 1, column family: parameters of a distribution, not members; received "normal"; allowed: ensemble, sample',
    );
    expect(read(table({ ...normal, family: ['ensemble', 'ensemble'] })).parts).toHaveLength(1);
  });
});

describe('columns next to the members', () => {
  it('statistics are not counted as members', () => {
    const members = { date: two, m01: [1, 2], m02: [3, 4] };
    const beside = {
      min: [1, 2],
      max: [3, 4],
      ens_mean: [2, 3],
      median: [2, 3],
      total: [4, 6],
      q05: [1, 1],
      pct50: [2, 2],
    };
    expect(Object.keys(read(table({ ...members, ...beside })).parts[0].members)).toEqual(['m01', 'm02']);
    expect(failure({ date: two, min: [1, 2], max: [3, 4] })).toMatch(/^DataError rain.csv: no column of values;/);
  });

  it('perturbed members called p01 are members', () => {
    const gefs = { date: two, c00: [1, 2], p01: [3, 4], p02: [3, 4] };
    expect(Object.keys(read(table(gefs)).parts[0].members)).toEqual(['c00', 'p01', 'p02']);
  });

  it('units in brackets in the names of members count', () => {
    const kelvin = { date: two, 'm01 (K)': [280, 281], 'm02 (K)': [280, 281] };
    expect(messageOf(() => read(table(kelvin, { variable: 'temp_mean' }), { source }))).toMatch(
      /units are not those of temp_mean; received "K"; allowed: degC; convert the values first$/,
    );
    expect(failure({ date: two, 'm01 (mm)': [1, 2], 'm02 (cm)': [1, 2] })).toBe(
      'DataError rain.csv, column m02 (cm): mixed units; received "cm"; allowed: mm, as in column m01 (mm): convert it, no option does',
    );
  });
});
