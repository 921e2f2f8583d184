import { describe, expect, test } from 'vitest';
import { variables } from '../../src/variable/index.js';
import { unitsAgree } from '../../src/variable/units-agree.js';

/** Each line is one unit in its spellings; those of different lines never agree. */
const UNITS = [
  [
    'degC',
    '°C',
    '℃',
    'ºC',
    'C',
    'Celsius',
    'celsius',
    'deg_C',
    'deg C',
    'degree_Celsius',
    'degrees_celsius',
    'degrees C',
  ],
  ['K', 'kelvin', 'Kelvin'],
  [
    'mm',
    'mm/day',
    'mm d-1',
    'mm day-1',
    'mm per day',
    'millimetres',
    'kg m-2',
    'kg/m2',
    'kg m**-2',
    'kg m-2 day-1',
    'kg/m²/d',
  ],
  ['m'],
  ['m d-1', 'm/day', 'metres per day'],
  ['kg m-2 s-1', 'kg/m2/s', 'kg m^-2 s^-1', 'mm/s'],
  ['mm h-1', 'mm/hr', 'mm/hour'],
  ['m s-1', 'm/s', 'm s**-1', 'm·s⁻¹', 'm.s-1', 'ms-1', 'mps', 's-1 m', 'metres per second'],
  ['km h-1', 'km/h', 'km/hour'],
  ['kPa', 'kpa', 'kilopascal'],
  ['hPa'],
  ['Pa'],
  ['%', 'percent', 'pct', '％'],
  ['1', 'kg kg-1', 'm/m'],
  ['MJ m-2 d-1', 'MJ/m²/d', 'MJ m-2', 'MJ/m2/day', 'MJ m**-2 day**-1', 'MJ m^-2', 'd-1 MJ m-2'],
  ['J m-2', 'J/m2', 'J m**-2'],
  ['mJ m-2'],
  ['W m-2', 'W/m²', 'W m**-2'],
  ['degC d', '°C day', 'degC days'],
  [''],
  ['0.1 mm'],
  ['index (0-5)'],
];

describe('unitsAgree', () => {
  test.each(UNITS.map((spellings) => [spellings[0], spellings] as const))(
    '%j agrees with its spellings',
    (unit, spellings) => {
      for (const a of spellings) {
        for (const b of spellings) expect(unitsAgree(` ${a}`, `${b} `), `${a} and ${b}`).toBe(true);
      }
      expect(unitsAgree(unit, `${unit}x`)).toBe(false);
    },
  );

  test('different units never agree, in whichever spelling and order', () => {
    for (const [i, spellings] of UNITS.entries()) {
      for (const others of UNITS.slice(i + 1)) {
        for (const a of spellings) {
          for (const b of others) expect([a, b, unitsAgree(a, b), unitsAgree(b, a)]).toEqual([a, b, false, false]);
        }
      }
    }
  });

  test('the unit and the label of every built-in variable agree', () => {
    expect(variables.filter(({ units, label }) => !unitsAgree(units, label))).toEqual([]);
  });

  test('a slash holds for the one factor after it', () => {
    expect(unitsAgree('J/m2 d', 'J m-2 d')).toBe(true);
    expect(unitsAgree('J/m2/d', 'J m-2 d-1')).toBe(true);
  });

  test('texts that are not products of powers agree only if they are equal', () => {
    expect(unitsAgree('J/(m2 d)', 'J/(m2 d)')).toBe(true);
    expect(unitsAgree('J/(m2 d)', 'J m-2 d-1')).toBe(false);
    expect(unitsAgree('constructor', 'toString')).toBe(false);
  });
});
