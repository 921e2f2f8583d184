import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DIGIT_BYTES, putDecimal, putInteger } from '../../src/files/text/text-bytes.js';

function text(put: (view: DataView, at: number) => number): string {
  const bytes = new Uint8Array(3 + MAX_DIGIT_BYTES);
  const end = put(new DataView(bytes.buffer), 3);
  return new TextDecoder().decode(bytes.subarray(3, end));
}

describe('putInteger', () => {
  it('writes what String writes', () => {
    const integer = fc.oneof(fc.integer({ min: -0x7fffffff }), fc.integer({ min: -2000, max: 2000 }));
    fc.assert(fc.property(integer, (value) => text((view, at) => putInteger(view, at, value)) === String(value)));
    expect(text((view, at) => putInteger(view, at, -0))).toBe('0');
  });
});

describe('putDecimal', () => {
  it('writes m / 10^k with all its digits, and no zeros at the end', () => {
    const decimal = (m: number, k: number) => {
      const digits = String(m).padStart(k + 1, '0');
      const fraction = digits.slice(digits.length - k).replace(/0+$/, '');
      return digits.slice(0, digits.length - k) + (k === 0 || fraction === '' ? '' : `.${fraction}`);
    };
    const m = fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 2000 }), fc.constant(1e9));
    fc.assert(
      fc.property(m, fc.integer({ min: 0, max: 12 }), (m, k) => {
        expect(text((view, at) => putDecimal(view, at, m, k))).toBe(decimal(m, k));
      }),
      { numRuns: 1000 },
    );
    expect(text((view, at) => putDecimal(view, at, 5, 12))).toBe('0.000000000005');
  });
});
