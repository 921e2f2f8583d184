import { describe, expect, it } from 'vitest';
import { dates, daysFrom, messageOf, read, table } from '../tables.js';

const source = 'rain.csv';
const failure = (columns: Parameters<typeof table>[0]) => messageOf(() => read(table(columns), { source }));
const two = daysFrom('2024-01-01', 2);

describe('rows that must not be pooled', () => {
  it('several places that only have names are an error, in every form of table', () => {
    const message =
      'DataError rain.csv, row 2, column site: another place than in the rows before; received "b"; allowed: one place, a; several need columns of latitude and longitude, or a table each';
    expect(failure({ date: two, site: ['a', 'b'], value: [1, 2] })).toBe(message);
    expect(failure({ date: two, site: ['a', 'b'], m1: [1, 2], m2: [1, 2] })).toBe(message);
    const same = dates('2024-01-01', '2024-01-01');
    expect(failure({ date: same, site: ['a', 'b'], member: [1, 2], value: [1, 2] })).toBe(message);
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
      'DataError rain.csv, column m02 (cm): mixed units; received "cm"; allowed: mm, as in column m01 (mm)',
    );
  });
});
