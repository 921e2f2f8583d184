import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExactSum } from '../../src/skill/exact-sum.js';
import { isFullCheck } from '../full-check.js';

/** A float64 as a whole number of 2^-1074. */
function units(value: number): bigint {
  const bits = new BigInt64Array(Float64Array.of(value).buffer)[0];
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits < 0n ? -size : size;
}

/** The nearest float64 to a number of units; of two, the even one. */
function nearest(total: bigint): number {
  const size = total < 0n ? -total : total;
  const bits = size.toString(2).length;
  const dropped = BigInt(Math.max(0, bits - 53));
  let kept = size >> dropped;
  const rest = size - (kept << dropped);
  const half = dropped === 0n ? 1n : 1n << (dropped - 1n);
  if (dropped > 0n && (rest > half || (rest === half && kept & 1n))) kept += 1n;
  // Whole, so that each product is exact.
  let value = Number(kept);
  for (let shift = Number(dropped) - 1074; shift !== 0; ) {
    const step = Math.max(-1000, Math.min(1000, shift));
    value *= 2 ** step;
    shift -= step;
  }
  return total < 0n ? -value : value;
}

/** Numbers of all sizes, many of which cancel out. */
const numbers = fc.array(
  fc.oneof(
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
    fc.double({ noNaN: true, min: -1, max: 1 }),
    fc.constantFrom(1, -1, 2 ** 53, -(2 ** 53), 1e-16, 2 ** -1074, 2 ** -53, -(2 ** -54), 1e16, 0.1, -0.1),
  ),
  { maxLength: 60 },
);

function sumOf(values: readonly number[]): ExactSum {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum;
}

it('the value is the sum in whole numbers, rounded once', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const total = values.reduce((sum, value) => sum + units(value), 0n);
      expect(sumOf(values).value() + 0).toBe(nearest(total) + 0);
    }),
    { numRuns: isFullCheck ? 600 : 200 },
  );
});

it('the parts are the whole sum, and the same for all orders and divisions', () => {
  fc.assert(
    fc.property(numbers, fc.nat(), fc.nat(), (values, seed, cut) => {
      const total = values.reduce((sum, value) => sum + units(value), 0n);
      const parts = sumOf(values).parts();
      expect(parts.reduce((sum, part) => sum + units(part), 0n)).toBe(total);
      const turned = values.map((value, k) => [value, (k * 7919 + seed) % 61] as const).sort((a, b) => a[1] - b[1]);
      const at = cut % (values.length + 1);
      const first = sumOf(turned.slice(0, at).map(([value]) => value));
      const second = new ExactSum(sumOf(turned.slice(at).map(([value]) => value)).parts());
      second.addSum(first);
      expect(second.parts()).toEqual(parts);
    }),
    { numRuns: isFullCheck ? 600 : 200 },
  );
});

it('adds a sum to itself', () => {
  const sum = sumOf([0.1, 1e-20, 7]);
  sum.addSum(sum);
  expect(sum.parts()).toEqual(sumOf([0.1, 1e-20, 7, 7, 1e-20, 0.1]).parts());
});

it('refuses sums that are not finite', () => {
  for (const values of [[Number.NaN], [Infinity], [1.7e308, 1.7e308]])
    expect(() => sumOf(values)).toThrow(/too large to be added up/);
});
