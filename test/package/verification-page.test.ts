import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isWithin, worstDifference } from '../../scripts/verify/compare.mjs';

describe('what npm run verify counts as a difference', () => {
  it('is the largest one, relative to large numbers; the same infinite or missing numbers do not differ', () => {
    expect(worstDifference([1, 2, 3], [1, 2, 3])).toEqual({ difference: 0, numbers: 3 });
    expect(worstDifference([0.5, 200], [0.25, 100])).toEqual({ difference: 1, numbers: 2 });
    expect(worstDifference([Number.NaN, Number.POSITIVE_INFINITY], [null, Number.POSITIVE_INFINITY]).difference).toBe(
      0,
    );
  });

  it('is infinite where one has a number and the other has none', () => {
    for (const [ours, theirs] of [
      [1, null],
      [Number.NaN, 1],
      [1, Number.NaN],
    ] as const) {
      expect(isWithin({ ...worstDifference([ours], [theirs]), bound: 1e9 })).toBe(false);
    }
  });

  it('cannot be told of lists of other lengths, or of none', () => {
    expect(() => worstDifference([1], [1, 2])).toThrow('1 numbers of the library');
    expect(() => worstDifference([], [])).toThrow('0 numbers');
  });
});

it('the page states for each comparison a difference within its bound', () => {
  const page = readFileSync(new URL('../../docs/verification.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| beside'));
  expect(rows.length).toBeGreaterThan(100);
  for (const row of rows) {
    const [difference, bound] = row.split('|').slice(-3, -1).map(Number);
    expect(difference, row).toBeLessThanOrEqual(bound);
  }
});
