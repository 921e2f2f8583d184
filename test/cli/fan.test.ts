import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fan, fanAxis, fanScale } from '../../src/cli/fan.js';

const scale = { min: 0, max: 32 };

describe('fan', () => {
  it('shades the outer interval lightly and the inner one darker, and marks the median', () => {
    expect(fan([3, 8, 12, 20, 29], scale)).toBe('   ░░░░░▒▒▒▒█▒▒▒▒▒▒▒▒░░░░░░░░░  ');
  });

  it('draws in ASCII on request', () => {
    expect(fan([3, 8, 12, 20, 29], scale, { ascii: true })).toBe('   -----====|========---------  ');
  });

  it.each([
    [[5], '     █          '],
    [[2, 9], '  ░░░░░░░░      '],
    [[2, 4, 9], '  ░░█░░░░░      '],
    [[1, 3, 7, 9], ' ░░▒▒▒▒▒░░      '],
    [[1, 3, 5, 7, 9, 11, 13], ' ░░▒▒▓▓█▓▓▒▒░░  '],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], '░░▒▒▓█▓▒▒░░     '],
  ])('nests the quantiles %j from the outside', (values, expected) => {
    expect(fan(values, { min: 0, max: 16 }, { width: 16 })).toBe(expected);
  });

  it('accepts quantiles in any order', () => {
    expect(fan([12, 29, 3, 20, 8], scale)).toBe(fan([3, 8, 12, 20, 29], scale));
  });

  it('draws coinciding quantiles as their median', () => {
    expect(fan([0, 0, 0, 0, 0], scale, { width: 8 })).toBe('█       ');
  });

  it('includes the upper end of the scale, and draws values beyond the ends at the ends', () => {
    expect(fan([32], scale, { width: 8 })).toBe('       █');
    expect(fan([-5, 16, 99], scale, { width: 8 })).toBe('░░░░█░░░');
  });

  it('draws in the middle if the ends of the scale coincide', () => {
    expect(fan([4, 4, 4], { min: 4, max: 4 }, { width: 7 })).toBe('   █   ');
  });

  it.each([[[1, null, 3]], [[1, Number.NaN, 3]], [[1, 2, Number.POSITIVE_INFINITY]]])(
    'is blank where a value is missing: %j',
    (values) => {
      expect(fan(values, scale, { width: 8 })).toBe('        ');
    },
  );

  it('is blank without a scale', () => {
    expect(fan([], undefined, { width: 4 })).toBe('    ');
  });

  it('has the requested width, and one run of ink from the least to the greatest value', () => {
    const anyRow = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(anyRow, fc.integer({ min: 1, max: 80 }), fc.boolean(), (row, width, ascii) => {
        const line = fan(row, fanScale([row]), { width, ascii });
        expect([...line].length).toBe(width);
        expect(line.trim()).not.toBe('');
        expect(line.trim()).not.toContain(' ');
      }),
      { seed: 1 },
    );
  });

  it('does not change the values of the caller', () => {
    const values = [3, 1, 2];
    fan(values, scale);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('fanScale', () => {
  it.each([
    [
      [
        [2.84, 7],
        [1.2, 61.3],
      ],
      { min: 1, max: 62 },
    ],
    [[[0, 0.07]], { min: 0, max: 0.07 }],
    [[[-12.34, 21.4]], { min: -13, max: 22 }],
    [[[10130.2, 13999.9]], { min: 10100, max: 14000 }],
    [[[-0.4, 0]], { min: -0.4, max: 0 }],
    [[[21.04, 22.31]], { min: 21, max: 22.4 }],
    [[[5], [5]], { min: 5, max: 5 }],
    [[[0, 5e-324]], { min: 0, max: 5e-324 }],
    [[[1e6, 1e6 + 1e-9]], { min: 1e6, max: 1e6 + 1e-9 }],
  ])('widens the extremes of %j to round numbers', (rows, expected) => {
    expect(fanScale(rows)).toEqual(expected);
  });

  it('ignores missing values', () => {
    expect(fanScale([[null, 3], [Number.NaN, 9], [Number.POSITIVE_INFINITY]])).toEqual({ min: 3, max: 9 });
  });

  it('is undefined if all values are missing', () => {
    expect(fanScale([[null], []])).toBeUndefined();
  });

  it('contains every value, except for rounding, and is at most a fifth wider than their range', () => {
    const anyRow = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(anyRow, (row) => {
        const [low, high] = [Math.min(...row), Math.max(...row)];
        fc.pre(high - low > 1e-3);
        const { min, max } = fanScale([row])!;
        const tolerance = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
        expect(min).toBeLessThanOrEqual(low + tolerance);
        expect(max).toBeGreaterThanOrEqual(high - tolerance);
        expect(max - min).toBeLessThanOrEqual(1.2 * (high - low) + tolerance);
      }),
      { seed: 1 },
    );
  });
});

describe('fanAxis', () => {
  it('labels both ends of the scale', () => {
    expect(fanAxis({ min: 0, max: 62 })).toBe('├ 0 ─────────────────────── 62 ┤');
    expect(fanAxis({ min: -13, max: 21.5 }, { units: '°C' })).toBe('├ -13 ──────────────── 21.5 °C ┤');
  });

  it('is drawn in ASCII on request', () => {
    expect(fanAxis({ min: 0, max: 62 }, { ascii: true, units: 'mm', width: 24 })).toBe('| 0 ------------ 62 mm |');
  });

  it('keeps its labels if the width is too small for them', () => {
    expect(fanAxis({ min: 0, max: 62 }, { width: 5 })).toBe('├ 0 ─ 62 ┤');
  });

  it('is blank without a scale', () => {
    expect(fanAxis(undefined, { width: 3 })).toBe('   ');
  });
});
