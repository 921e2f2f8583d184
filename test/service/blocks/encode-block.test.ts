import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { BlockShape } from '../../../src/service/blocks/block-format.js';
import { BlockEncoder, type EncodeOptions } from '../../../src/service/blocks/encode-block.js';
import { holds } from '../../property/fuzz.js';
import { normalStream } from '../../reference/autoregressive.js';
import { ReferenceEncoder } from '../../reference/encode-block.js';
import { blocks, floats, NAN_BITS } from './some-blocks.js';

const encoder = await BlockEncoder.load();
const twin = new ReferenceEncoder();
afterAll(() => encoder.end());

/** Both have encoded the same blocks before, so that they know the same grid. */
function expectSame(values: Float32Array, shape: BlockShape, options: EncodeOptions = {}): Uint8Array {
  const expected = twin.encode(values, shape, options);
  const bytes = encoder.encode(values, shape, options);
  // The comparison of vitest takes longer than both.
  const at = expected.findIndex((byte, i) => byte !== bytes[i]);
  expect({ length: bytes.length, at }).toEqual({ length: expected.length, at: -1 });
  return expected;
}

/** Members and days of a run, and shapes at the edges: of groups, lanes and what a block may have. */
const SHAPES = [
  [1, 12_000],
  [101, 46],
  [31, 214],
  [1, 1],
  [2, 1],
  [1, 2],
  [1, 95],
  [1, 97],
  [2, 33],
  [3, 5],
  [4, 4],
  [5, 13],
  [64, 3],
  [65, 3],
  [65_535, 1],
  [1, 65_535],
  [2000, 30],
].map(([members, days]) => ({ members, days }));

const flagsOf = (block: Uint8Array) => ({ kind: block[1], flags: block[2] });

describe('blocks have the bytes of the twin', () => {
  holds('whatever the values', 600, blocks, ({ members, values }) => {
    expectSame(values, { members, days: values.length / members });
  });

  const precisions = fc.constantFrom(0.05, 0.1, 1, 1 / 3, 1e-30, 1e30, 5e-324, 2 ** -20);
  holds('rounded to a precision', 300, fc.tuple(blocks, precisions), ([{ members, values }, precision]) => {
    expectSame(values, { members, days: values.length / members }, { precision });
  });

  const fields = fc.record({
    quantum: fc.constantFrom(0.01, 2 ** -9 / 8, 1 / 3, 1e-30, 1e30, 0),
    span: fc.constantFrom(0, 1, 300, 3e9),
    odd: fc.constantFrom(0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, -0),
    others: fc.constantFrom(0, 0.003, 0.05, 0.9),
    missing: fc.constantFrom(0, 0.003, 0.05, 0.9),
    zeros: fc.constantFrom(0, 0.1, 0.7),
    seed: fc.nat(1000),
  });
  holds(
    'on a grid of fields',
    600,
    fc.tuple(blocks, fields),
    ([{ members, values }, { quantum, span, odd, others, missing, zeros, seed }]) => {
      const shape = { members, days: values.length / members };
      const normal = normalStream(seed);
      const below = (share: number) => Math.abs(normal()) % 1 < share;
      const origin = Float64Array.from(values, () => (below(zeros) ? 0 : 20 * normal()));
      const some = values.map((value, i) => {
        if (below(missing)) return Number.NaN;
        if (below(others)) return value;
        return below(zeros) ? 0 : origin[i] + quantum * Math.round(span * normal());
      });
      expectSame(some, shape, { fields: { ...shape, quantum, origin } });
      if (odd !== 0) origin[origin.length >> 1] = odd;
      expectSame(some, shape, { fields: { ...shape, quantum, origin } });
    },
  );

  it.each(SHAPES)('of $members members and $days days', ({ members, days }) => {
    const shape = { members, days };
    const length = members * days;
    const normal = normalStream(length);
    const origin = Float64Array.from({ length }, () => 280 + 5 * normal());
    const quantum = 2 ** -9 / 4;
    const onFields = Float32Array.from(origin, (start) => start + quantum * Math.round(900 * normal()));
    const red = Float32Array.from({ length }, () => 0);
    for (let i = 0; i < length; i++) red[i] = Math.round(0.9 * (i % days === 0 ? 0 : red[i - 1]) + 500 * normal());
    const rain = Float32Array.from({ length }, () => Math.max(0, Math.round(100 * (normal() - 1))) / 16);
    const sea = Float32Array.from(red, (value, i) => (i % days < days / 2 ? Number.NaN : value / 64));
    const noise = Float32Array.from({ length }, () => normal() * 10 ** (10 * normal()));
    const kinds = new Set<string>();
    for (const values of [onFields, red, rain, sea, noise]) {
      for (const options of [{}, { precision: 0.05 }, { fields: { ...shape, quantum, origin } }]) {
        const { kind, flags } = flagsOf(expectSame(values, shape, options));
        kinds.add(`${kind} ${flags}`);
      }
    }
    if (length < 1000 || days === 1) return;
    // Dense and sparse ones, with missing values, of fields, rounded, and without a grid.
    for (const kind of ['2 0', '2 1', '2 2', '2 4', '2 8', '2 10']) expect(kinds).toContain(kind);
  });

  it('where values lie half a quantum from two integers, or on both sides of the largest one', () => {
    const shape = { members: 8, days: 64 };
    const fields = { ...shape, quantum: 0.25, origin: new Float64Array(512).fill(1 / 3) };
    for (const scale of [1, 2 ** 28, 2 ** 29, 2 ** 30, 2 ** 31, 2 ** 40]) {
      for (const offset of [0, 0.125, -0.125, 0.5]) {
        const values = Float32Array.from({ length: 512 }, (_, i) => (i % 2 ? 1 : -1) * (scale + offset + i / 8) * 0.25);
        expectSame(values, shape, { precision: 0.25 });
        expectSame(values, shape, { fields });
        expectSame(values, shape);
      }
    }
  });

  it('where differences of integers wrap', () => {
    const shape = { members: 4, days: 50 };
    const edges = [0x7f7fffff, 0xff7fffff, 0x00000001, 0x80000001, 0, 0x80000000, NAN_BITS, 0x7f000000, 0xff000000];
    const normal = normalStream(3);
    for (let turn = 0; turn < 100; turn++) {
      const some = edges.slice(0, 2 + (turn % 8));
      const bits = Array.from({ length: 200 }, () => some[Math.floor(Math.abs(normal()) * 1000) % some.length]);
      expectSame(floats(bits), shape);
      expectSame(floats(bits), shape, { precision: 1e30 });
    }
  });

  it('where some values are exceptions, up to more than a sixteenth and than 65,535 of them', () => {
    const shape = { members: 100, days: 100 };
    const normal = normalStream(4);
    for (const others of [1, 39, 40, 41, 156, 157, 624, 625, 626, 700]) {
      for (const missing of [0, 1, 156, 157, 5000]) {
        const values = Float32Array.from({ length: 10_000 }, () => Math.round(50 * normal()) / 8);
        values.fill(Number.POSITIVE_INFINITY, 0, others);
        values.fill(Number.NaN, 3000, 3000 + missing);
        expectSame(values, shape);
      }
    }
    const large = { members: 1100, days: 1000 };
    for (const [others, missing] of [
      [60_000, 5_000],
      [60_000, 6_000],
      [65_536, 0],
      [68_760, 0],
    ]) {
      const values = Float32Array.from({ length: 1_100_000 }, (_, i) => ((i * 7) % 101) / 8);
      values.fill(Number.NEGATIVE_INFINITY, 0, others);
      values.fill(Number.NaN, 500_000, 500_000 + missing);
      expectSame(values, large);
    }
  });

  it('where integers are multiples, so that a coarser grid is found', () => {
    const shape = { members: 10, days: 30 };
    const normal = normalStream(5);
    const fine = Float32Array.from({ length: 300 }, () => Math.round(100 * normal()) / 64);
    const coarse = fine.map((value) => 4 * value);
    expectSame(fine, shape);
    expect(expectSame(coarse, shape)[1]).toBe(2);
  });

  it('where values lie in a part of another array', () => {
    const all = Float32Array.from({ length: 3 * 217 + 7 }, (_, i) => ((i * 37) % 101) / 8);
    for (let from = 0; from < 7; from++) expectSame(all.subarray(from, from + 651), { members: 3, days: 217 });
  });
});

it('an encoder that takes the memory of one before knows nothing of it', async () => {
  const shape = { members: 3, days: 40 };
  const values = Float32Array.from({ length: 120 }, (_, i) => Math.round(100 * Math.sin(i)) / 64);
  const coarse = values.map((value) => Math.round(value));
  const first = await BlockEncoder.load();
  first.encode(values, shape);
  first.end();
  const second = await BlockEncoder.load();
  expect(second.encode(coarse, shape)).toEqual(new ReferenceEncoder().encode(coarse, shape));
  second.end();
});
