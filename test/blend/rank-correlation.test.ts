import { describe, expect, it } from 'vitest';
import { mean, rankCorrelation, variance } from '../../src/blend/seam-report.js';

describe('rankCorrelation', () => {
  it("is Spearman's: -29/165 of hours of television against IQ, the example of Wikipedia's article on it", () => {
    const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
    const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
    expect(rankCorrelation(iq, hours)).toBeCloseTo(-29 / 165, 14);
  });

  it('gives equal values the mean of their ranks: 3 / sqrt(10) of 1, 2, 2, 3 against 1, 2, 3, 4', () => {
    expect(rankCorrelation([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(3 / Math.sqrt(10), 14);
    expect(rankCorrelation([5, 0, 0, 0], [0, 0, -0, 7])).toBeCloseTo(-1 / 3, 14);
  });

  it('depends on order only, and is 1 or -1 for the same or the opposite order', () => {
    expect(rankCorrelation([1, 2, 3, 4], [1, 10, 100, 1000])).toBeCloseTo(1, 14);
    expect(rankCorrelation([1, 2, 3, 4], [9, 1, 0, -5])).toBeCloseTo(-1, 14);
  });

  it('ignores pairs with a missing value', () => {
    const nan = Number.NaN;
    expect(rankCorrelation([1, nan, 2, 3, 9], [3, 8, 2, 1, nan])).toBeCloseTo(-1, 14);
  });

  it('is NaN for fewer than two pairs, and where one side does not vary', () => {
    expect(rankCorrelation([], [])).toBeNaN();
    expect(rankCorrelation([1, Number.NaN], [1, 2])).toBeNaN();
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNaN();
  });
});

describe('mean and variance', () => {
  it('are the arithmetic mean and the sample variance, with n - 1', () => {
    const values = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(mean(values)).toBe(5);
    expect(variance(values)).toBeCloseTo(32 / 7, 14);
    expect([mean([]), variance([3])]).toEqual([Number.NaN, Number.NaN]);
  });
});
