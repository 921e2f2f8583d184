import { describe, expect, test } from 'vitest';
import { variables } from '../../src/variable/index.js';
import { unitConversion, unitsAgree } from '../../src/variable/unit-conversion.js';

/**
 * A value of the first unit, the value of the second unit that it is, and the seconds of its time step where it is a
 * rate.
 */
const KNOWN: readonly (readonly [number, string, number, string, number | undefined])[] = [
  [273.15, 'K', 0, 'degC', undefined],
  [300, 'kelvin', 26.85, '°C', undefined],
  [-40, 'degF', -40, 'degC', undefined],
  [212, 'degrees Fahrenheit', 100, 'Celsius', undefined],
  [32, '°F', 273.15, 'K', undefined],
  [25, 'degree_Celsius', 77, 'degF', undefined],
  [0, 'K', -459.67, 'deg_F', undefined],
  [0.0123, 'm', 12.3, 'mm', undefined],
  [0.0123, 'm of water equivalent', 12.3, 'mm', undefined],
  [1.5, 'cm', 15, 'mm', undefined],
  [2, 'in', 50.8, 'mm', undefined],
  [1, 'inches', 25.4, 'mm', undefined],
  [7, 'kg m-2', 7, 'mm', undefined],
  [7, 'mm', 7, 'kg m**-2', undefined],
  [0.001, 'kg m-2 s-1', 3.6, 'mm', 3600],
  [0.001, 'kg m**-2 s**-1', 10.8, 'mm', 10800],
  [0.001, 'mm/s', 86.4, 'mm', 86400],
  [2, 'mm h-1', 12, 'mm', 21600],
  [2, 'mm/hr', 2, 'mm', 3600],
  [1e-6, 'm s-1', 86.4, 'mm', 86400],
  [24, 'mm/day', 1, 'mm', 3600],
  [24, 'mm d-1', 24, 'mm', 86400],
  [24, 'kg m-2 d-1', 24, 'mm d-1', 86400],
  [0.5, 'in/day', 12.7, 'mm', 86400],
  [200, 'W m-2', 17.28, 'MJ m-2 d-1', 86400],
  [200, 'W/m²', 0.72, 'MJ m-2', 3600],
  [7200000, 'J m**-2', 7.2, 'MJ m-2 d-1', undefined],
  [7200, 'kJ m-2', 7.2, 'MJ m-2 d-1', undefined],
  [5, 'kWh m-2', 18, 'MJ m-2 d-1', undefined],
  [5, 'kWh/m2/day', 18, 'MJ m-2 d-1', 86400],
  [7.2, 'MJ m-2', 7.2, 'MJ m-2 d-1', undefined],
  [7.2, 'MJ m-2', 7200000, 'J m-2', undefined],
  [36, 'km/h', 10, 'm s-1', undefined],
  [36, 'km h-1', 10, 'm s-1', undefined],
  [36, 'kph', 10, 'm s-1', undefined],
  [900, 'kt', 463, 'm s-1', undefined],
  [900, 'knots', 463, 'm s-1', undefined],
  [100, 'mph', 44.704, 'm s-1', undefined],
  [100, 'miles/hour', 44.704, 'm s-1', undefined],
  [1234, 'Pa', 1.234, 'kPa', undefined],
  [12.5, 'hPa', 1.25, 'kPa', undefined],
  [12.5, 'mbar', 1.25, 'kPa', undefined],
  [12.5, 'millibars', 1250, 'Pa', undefined],
  [0.75, '1', 75, '%', undefined],
  [0.75, '', 75, '%', undefined],
  [0.75, '(0 - 1)', 75, '%', undefined],
  [75, 'percent', 0.75, '1', undefined],
];

/** Units that are not converted, as no number makes one of the other. */
const STRANGE = [
  ['K', 'mm'],
  ['mm', 'degC'],
  ['m s-1', '%'],
  ['mm', 'm s-1'],
  ['W m-2', 'kPa'],
  ['kg kg-1', 'mm'],
  ['', 'mm'],
  ['1', 'degC'],
  ['furlong', 'm'],
  ['mm month-1', 'mm'],
  ['index (0-5)', '1'],
  ['degC d', 'K'],
];

describe('unitConversion', () => {
  test.each(KNOWN)('%d %s is %d %s', (value, from, expected, to, seconds) => {
    const conversion = unitConversion(from, to);
    expect(conversion).toBeDefined();
    const { factor, offset, perSecond } = conversion!;
    expect(perSecond).toBe(seconds !== undefined);
    const scaled = value * (perSecond ? factor * (seconds ?? Number.NaN) : factor) + offset;
    expect(scaled).toBeCloseTo(expected, 11);
  });

  test.each(STRANGE)('%j and %j do not agree', (from, to) => {
    expect(unitConversion(from, to)).toBeUndefined();
  });

  test('says what it does, and nothing if daily values do not change', () => {
    expect(unitConversion(' K', 'degC')?.text).toBe('K to degC');
    expect(unitConversion('kg m-2', 'mm')?.text).toBeUndefined();
    expect(unitConversion('', '%')?.text).toBe('1 to %');
    for (const { units } of variables) {
      const isRate = units.endsWith('d-1');
      const expected = { factor: isRate ? 1 / 86400 : 1, offset: 0, perSecond: isRate, text: undefined };
      expect(unitConversion(units, units)).toEqual(expected);
    }
    expect(unitConversion('°C', 'degC')).toEqual({ factor: 1, offset: 0, perSecond: false, text: undefined });
    expect(unitConversion('index (0-5)', 'index (0-5)')?.text).toBeUndefined();
  });

  test('rates of a day over 86400 seconds are exact', () => {
    for (const unit of ['mm/day', 'kg m-2 d-1']) {
      const { factor } = unitConversion(unit, 'mm') ?? { factor: 0 };
      expect(factor * 86400).toBe(1);
    }
  });
});

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
