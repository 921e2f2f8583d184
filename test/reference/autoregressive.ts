import type { EnsembleField } from '../../src/core/field.js';
import { MemberColumn } from '../../src/core/member-column.js';

/**
 * A stream of independent standard normal numbers, the same in every run: xoshiro128++ (Blackman and Vigna 2021) and
 * Marsaglia's polar method.
 */
export function normalStream(seed: number): () => number {
  const uniform = uniformStream(seed);
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
}

/**
 * A stream of numbers above 0 and below 1: xoshiro128++, its first numbers, which depend on the seed too simply,
 * skipped.
 */
function uniformStream(seed: number): () => number {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9 ^ seed, 0x243f6a88 | 0, 0xb7e15162 | 0];
  const next = () => {
    const sum = (a + d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + a) | 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return ((result >>> 0) + 0.5) / 2 ** 32;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}

export interface ProcessOptions {
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  readonly members: number;
  /** The lag-1 correlation. */
  readonly coefficient: number;
}

/** Members that are independent stationary Gaussian AR(1) processes of mean 0 and variance 1, day fastest. */
export function autoregressiveField(options: ProcessOptions, normal: () => number): EnsembleField {
  const { firstDay, days, cells, members, coefficient } = options;
  const noise = Math.sqrt(1 - coefficient * coefficient);
  const columns = Array.from({ length: members }, (_, m) => {
    const values = new Float32Array(cells * days);
    for (let row = 0; row < values.length; row++) {
      values[row] = row % days === 0 ? normal() : coefficient * values[row - 1] + noise * normal();
    }
    return new MemberColumn(`m${m}`, [{ values }]);
  });
  return { type: 'float32', order: 'day-fastest', firstDay, days, cells, members: columns };
}
