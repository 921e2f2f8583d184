import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortestFloat32 } from '../../src/files/csv/shortest-number.js';
import { isFullCheck } from '../full-check.js';
import { shortestFloat32BySearch } from '../reference/shortest-float32.js';

/** The slow twin: the fewest digits at which any of the decimals around `size` reads back. */
function fewestDigits(size: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
    const middle = Number(mantissa.replace('.', ''));
    for (const candidate of [middle - 1, middle, middle + 1]) {
      if (Math.fround(Number(`${candidate}e${Number(exponent) - digits + 1}`)) === size) return digits;
    }
  }
  return 9;
}

const significantDigits = (value: number) => Math.abs(value).toExponential().split('e')[0].replace('.', '').length;

describe('shortestFloat32', () => {
  test('gives the decimal that a float32 was written as', () => {
    for (const text of ['0.1', '0.3', '9.2', '273.15', '-16.7', '1e-7', '3.4028235e+38', '1e-45', '1.1754944e-38']) {
      expect(String(shortestFloat32(Math.fround(Number(text))))).toBe(text);
    }
  });

  test('keeps zeros, infinities, NaN and whole numbers', () => {
    for (const value of [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 5, -99999]) {
      expect(shortestFloat32(value)).toBe(value);
    }
    expect(String(shortestFloat32(-0))).toBe('0');
  });

  test('finds 1.5474251e+26 for 2^87, which the nearest 8 digits, 1.547425e+26, miss', () => {
    expect(Math.fround(1.547425e26)).not.toBe(2 ** 87);
    expect(shortestFloat32(2 ** 87)).toBe(1.5474251e26);
  });

  test('has the fewest digits that read back, for every power of two', () => {
    for (let exponent = -149; exponent < 128; exponent++) {
      const value = 2 ** exponent;
      const shortest = shortestFloat32(value);
      expect(Math.fround(shortest)).toBe(value);
      expect(significantDigits(shortest)).toBeLessThanOrEqual(fewestDigits(value));
    }
  });

  test('has the fewest digits that read back, for any float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const shortest = shortestFloat32(value);
        expect(Math.fround(shortest)).toBe(value);
        if (value !== 0) expect(significantDigits(shortest)).toBeLessThanOrEqual(fewestDigits(Math.abs(value)));
      }),
      { numRuns: isFullCheck ? 3000 : 1000 },
    );
  });

  test('equals its slow twin for any bits, and for magnitudes that weather has', () => {
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    const anyBits = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    // Exponents from 2^-15 to 2^31, beyond both ends of what is found without a search.
    const usual = fc.record({
      sign: fc.boolean(),
      exponent: fc.integer({ min: 112, max: 158 }),
      mantissa: fc.integer({ min: 0, max: 2 ** 23 - 1 }),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          anyBits,
          usual.map(({ sign, exponent, mantissa }) => (sign ? 2 ** 31 : 0) + exponent * 2 ** 23 + mantissa),
        ),
        (pattern) => {
          bits[0] = pattern;
          expect(shortestFloat32(float[0])).toBe(shortestFloat32BySearch(float[0]));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test('equals its slow twin around every power of ten and of two', () => {
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    const powers = [
      ...Array.from({ length: 83 }, (_, i) => Number(`1e${i - 44}`)),
      ...Array.from({ length: 276 }, (_, i) => 2 ** (i - 148)),
    ];
    for (const power of powers) {
      for (let step = -20; step <= 20; step++) {
        float[0] = power;
        bits[0] += step;
        expect(shortestFloat32(float[0])).toBe(shortestFloat32BySearch(float[0]));
      }
    }
  });
});
