import { describe, expect, it } from 'vitest';
import { checkQuantiles, DEFAULT_QUANTILES, parseQuantiles } from '../../src/statistics/options.js';
import { messageOf } from '../table/tables.js';

const ALLOWED = 'allowed: at most 99 plain decimals from 0 to 1, each of at most 6 places';

describe('quantiles', () => {
  it('are plain decimals, with blanks around', () => {
    expect(parseQuantiles('0.05, .5,0.95')).toEqual([0.05, 0.5, 0.95]);
    expect(parseQuantiles('0,0.,0.0,1,1.,1.000000')).toEqual([0, 1]);
    expect(parseQuantiles('0.000001,0.999999')).toEqual([0.000001, 0.999999]);
  });

  it('keep the requested order; duplicates collapse', () => {
    expect(parseQuantiles('0.5,0.10,0.9,0.1,0.50')).toEqual([0.5, 0.1, 0.9]);
    expect(checkQuantiles([0.5, 0.1, 0.5, 0, -0])).toEqual([0.5, 0.1, 0]);
    expect(checkQuantiles(DEFAULT_QUANTILES)).toEqual([0.05, 0.25, 0.5, 0.75, 0.95]);
    expect(checkQuantiles([])).toEqual([]);
  });

  it('are at most 99', () => {
    const all = Array.from({ length: 101 }, (_, i) => i / 100);
    expect(checkQuantiles(all.slice(1, 100))).toHaveLength(99);
    expect(messageOf(() => checkQuantiles(all.slice(0, 100)))).toBe(
      `OptionError quantiles: too many; received 100; ${ALLOWED}`,
    );
  });

  it('are not read from a text that is not a list of quantiles', () => {
    const problems: [string, string, string][] = [
      ['', 'an empty item', '""'],
      ['0.5,', 'an empty item', '"0.5,"'],
      ['0.5,,0.9', 'an empty item', '"0.5,,0.9"'],
      ['0.5,x', 'not a number', '"x"'],
      ['0.5 0.9', 'not a number', '"0.5 0.9"'],
      ['1.5', 'outside [0, 1]', '"1.5"'],
      ['-0.1', 'outside [0, 1]', '"-0.1"'],
      ['Infinity', 'outside [0, 1]', '"Infinity"'],
      ['5e-2', 'not a plain decimal of at most 6 places', '"5e-2"'],
      ['0.1234567', 'not a plain decimal of at most 6 places', '"0.1234567"'],
      ['0x1', 'not a plain decimal of at most 6 places', '"0x1"'],
    ];
    for (const [text, problem, received] of problems) {
      expect(messageOf(() => parseQuantiles(text))).toBe(
        `OptionError quantiles: ${problem}; received ${received}; ${ALLOWED}`,
      );
    }
  });

  it('are read from typed arrays, rounded to six places', () => {
    expect(checkQuantiles(Float32Array.of(0.05, 0.5, 0.95))).toEqual([0.05, 0.5, 0.95]);
    expect(checkQuantiles(Float64Array.of(0.1, 1 / 3))).toEqual([0.1, 0.333333]);
    expect(() => checkQuantiles(Float32Array.of(2))).toThrow('quantiles: outside [0, 1]; received 2');
    expect(() => checkQuantiles(Int32Array.of(1) as never)).toThrow('quantiles: not a list; received an Int32Array');
  });

  it('are not numbers of another form, or anything that is not a list of numbers', () => {
    const problems: [unknown, string, string][] = [
      [[1.1], 'outside [0, 1]', '1.1'],
      [[-1e-9], 'outside [0, 1]', '-1e-9'],
      [[Number.NaN], 'not a number', 'NaN'],
      [[0.1 + 0.2], 'not a plain decimal of at most 6 places', '0.30000000000000004'],
      [[1e-7], 'not a plain decimal of at most 6 places', '1e-7'],
      [['0.5'], 'not a number', '"0.5"'],
      [[null], 'not a number', 'null'],
      [[true], 'not a number', 'true'],
      [0.5, 'not a list', '0.5'],
      ['0.5', 'not a list', '"0.5"'],
    ];
    for (const [quantiles, problem, received] of problems) {
      expect(messageOf(() => checkQuantiles(quantiles as number[]))).toBe(
        `OptionError quantiles: ${problem}; received ${received}; ${ALLOWED}`,
      );
    }
  });
});
