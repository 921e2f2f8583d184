import { describe, expect, it } from 'vitest';
import { meanBand, membersForBand, quantileRanks, shareBand } from '../../../src/statistics/bands/sampling-bands.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99];
const SIZES = [1, 2, 3, 5, 11, 25, 31, 51, 100, 124, 399];
const QUANTILES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.95, 0.99, 1];

const SCIPY = `
import sys, json, warnings
import numpy as np
from scipy import stats
levels, sizes, quantiles = json.load(sys.stdin)
shares, means, ranks = [], [], []
for level in levels:
    for n in sizes:
        for k in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            ci = stats.binomtest(k, n).proportion_ci(level, method='wilson')
            shares.append([level, n, k, ci.low, ci.high])
        if n > 1:
            means.append([level, n, *stats.t.interval(level, n - 1, loc=3, scale=2 / np.sqrt(n))])
        for p in quantiles:
            if 0 < p < 1:
                ci = stats.quantile_test(np.arange(1, n + 1), p=p, q=0).confidence_interval(level)
                ends = [ci.low, ci.high]
            else:
                ends = [float(stats.binom.ppf((1 - level) / 2, n, p)) or np.nan, stats.binom.ppf((1 + level) / 2, n, p) + 1]
            ranks.append([level, n, p, *[None if np.isnan(end) or end > n else int(end) for end in ends]])
print(json.dumps([shares, means, ranks]))
`;

const isUsable = hasPython('scipy', 'numpy');

describe.skipIf(!isUsable)('bands', () => {
  const [shares, means, ranks]: number[][][] = isUsable
    ? JSON.parse(python(SCIPY, { input: JSON.stringify([LEVELS, SIZES, QUANTILES]) }))
    : [];

  it('of shares are those of scipy, binomtest with Wilson', () => {
    for (const [level, n, k, low, high] of shares) {
      const band = shareBand(k / n, n, level);
      expect(band[0], `${k} of ${n}`).toBeCloseTo(low, 11);
      expect(band[1], `${k} of ${n}`).toBeCloseTo(high, 11);
    }
    expect(shares.length).toBeGreaterThan(250);
  });

  it('of means are those of scipy, t.interval', () => {
    for (const [level, n, low, high] of means) {
      const band = meanBand(3, 2, n, level);
      expect(band[0] / low, `${n}, ${level}`).toBeCloseTo(1, 9);
      expect(band[1] / high, `${n}, ${level}`).toBeCloseTo(1, 9);
    }
  });

  it('of quantiles have the ranks of scipy, quantile_test', () => {
    for (const [level, n, p, low, high] of ranks) {
      const found = quantileRanks(p, n, level).map((rank) => (rank < 1 || rank > n ? null : rank));
      expect(found, `${p} of ${n}, ${level}`).toEqual([low, high]);
    }
  });
});

describe('membersForBand', () => {
  it('is the least number of members that has both ends', () => {
    for (const level of LEVELS) {
      for (const p of [0.01, 0.05, 0.1, 0.5, 0.9, 0.98]) {
        const least = membersForBand(p, level);
        const [low, high] = quantileRanks(p, least, level);
        expect(low >= 1 && high <= least).toBe(true);
        if (least === 1) continue;
        const [before, after] = quantileRanks(p, least - 1, level);
        expect(before >= 1 && after <= least - 1, `${p}, ${level}`).toBe(false);
      }
    }
    expect(membersForBand(0.01, 0.9)).toBe(299);
    expect(membersForBand(0, 0.9)).toBe(Number.POSITIVE_INFINITY);
  });
});
