import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExactSum } from '../../src/skill/exact-sum.js';
import { ExactSums } from '../../src/skill/exact-sums.js';

/** Numbers of all sizes, many of which cancel out, and numbers as scores are, of which there are long lists. */
const numbers = fc.oneof(
  fc.array(
    fc.oneof(
      fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
      fc.double({ noNaN: true, min: -1, max: 1 }),
      fc.constantFrom(0, 1, -1, 2 ** 53, -(2 ** 53), 1e-16, 2 ** -1074, 2 ** -53, -(2 ** -54), 1e16, 0.1, -0.1),
    ),
    { maxLength: 40 },
  ),
  fc.array(
    fc.double({ noNaN: true, min: 0, max: 30 }).map((x) => x * x),
    { minLength: 30, maxLength: 90 },
  ),
);

it('sums side by side have the values and the parts of single ones, however they were divided', () => {
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 3, maxLength: 3 }), fc.nat(), (lists, cut) => {
      const sums = new ExactSums(lists.length);
      const [row, others] = [sums.addRow(), sums.addRow()].map((place) => sums.rowAt(place));
      lists.forEach((list, k) => {
        list.forEach((value, i) => {
          (i < cut % 41 ? row : others).add(k, value);
        });
      });
      row.addRow(others, lists.length);
      lists.forEach((list, k) => {
        const single = new ExactSum(list);
        expect([row.value(k), ...row.parts(k)]).toEqual([single.value(), ...single.parts()]);
      });
    }),
    { numRuns: 600 },
  );
});

it('adds a row to itself, and keeps rows apart in all chunks', () => {
  const sums = new ExactSums(2);
  const rows = Array.from({ length: 200 }, () => sums.rowAt(sums.addRow()));
  rows.forEach((row, i) => {
    row.add(1, i + 0.1);
    row.add(1, 1e-20);
    row.addRow(row, 2);
  });
  rows.forEach((row, i) => {
    expect([row.value(0), row.parts(1)]).toEqual([0, new ExactSum([i + 0.1, i + 0.1, 2e-20]).parts()]);
  });
  sums.clear();
  expect(sums.rowAt(sums.addRow()).value(1)).toBe(0);
});

it('refuses sums that are not finite', () => {
  for (const values of [[Number.NaN], [Infinity], [1.7e308, 1.7e308]]) {
    const sums = new ExactSums(1);
    const row = sums.rowAt(sums.addRow());
    expect(() => {
      for (const value of values) row.add(0, value);
    }).toThrow(/too large to be added up/);
  }
});
