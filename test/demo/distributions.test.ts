import { describe, expect, it } from 'vitest';
import { drawGamma, drawNormal, normalQuantile } from '../../src/demo/distributions.js';
import { createRandomStream } from '../../src/demo/random.js';
import { correlation, mean, variance } from './sample-statistics.js';

describe('normalQuantile', () => {
  it.each([
    // The check values of Wichura 1988, which reach all three ranges of the approximation.
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.26234008979841],
    [0.5, 0],
    [0.975, 1.959963984540054],
  ])('of %d is %d', (p, expected) => {
    expect(Math.abs(normalQuantile(p) - expected)).toBeLessThanOrEqual(2e-7 * Math.abs(expected));
  });

  it('is odd about 0.5', () => {
    for (const p of [0.01, 0.07, 0.2, 0.4]) expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 10);
  });
});

describe('drawNormal', () => {
  it('has mean 0, variance 1 and no autocorrelation', () => {
    const n = 20_000;
    const random = createRandomStream([1]);
    const draws = Array.from({ length: n }, () => drawNormal(random));
    expect(Math.abs(mean(draws))).toBeLessThan(4 / Math.sqrt(n));
    expect(Math.abs(variance(draws) - 1)).toBeLessThan(4 * Math.sqrt(2 / n));
    expect(Math.abs(correlation(draws.slice(1), draws.slice(0, -1)))).toBeLessThan(4 / Math.sqrt(n));
  });
});

describe('drawGamma', () => {
  it.each([0.05, 0.75, 1, 3.5])('has mean and variance %d for that shape', (shape) => {
    const n = 20_000;
    const random = createRandomStream([2]);
    const draws = Array.from({ length: n }, () => drawGamma(random, shape));
    expect(Math.abs(mean(draws) - shape)).toBeLessThan(4 * Math.sqrt(shape / n));
    // The variance of a sample variance is (2 + excess kurtosis) / n of its square; the excess kurtosis is 6 / shape.
    expect(Math.abs(variance(draws) / shape - 1)).toBeLessThan(4 * Math.sqrt((2 + 6 / shape) / n));
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
  });

  it('is exponential for shape 1', () => {
    const n = 20_000;
    const random = createRandomStream([3]);
    const beyondOne = Array.from({ length: n }, () => (drawGamma(random, 1) > 1 ? 1 : 0));
    const share = Math.exp(-1);
    expect(Math.abs(mean(beyondOne) - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / n));
  });

  it('is 0 for shape 0', () => {
    expect(drawGamma(createRandomStream([4]), 0)).toBe(0);
  });
});
