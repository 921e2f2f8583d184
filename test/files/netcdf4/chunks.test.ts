import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChunkAssembler, product } from '../../../src/files/array/chunk-assembler.js';
import { chunkShape } from '../../../src/files/array/chunk-shape.js';
import type { ValueBox } from '../../../src/files/netcdf4/netcdf-content.js';
import { shuffle, unshuffle } from '../../../src/files/netcdf4/shuffle.js';
import { boxesOf, placesOf, splits } from './boxes.js';

describe('chunkShape', () => {
  test.each([
    [[10], [10]],
    [
      [52, 721, 1440],
      [1, 181, 1440],
    ],
    [
      [40, 5, 72, 144],
      [5, 5, 72, 144],
    ],
    [
      [3, 2_000_000],
      [1, 250_000],
    ],
  ])('cuts %j float32 values into whole trailing dimensions of about 1 MiB', (shape, expected) => {
    expect(chunkShape(shape, 4)).toEqual(expected);
  });

  test('is never empty, never beyond the array, and at most 1 MiB', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 }), (shape) => {
        const chunk = chunkShape(shape, 8);
        expect(chunk.every((length, d) => length >= 1 && length <= shape[d])).toBe(true);
        expect(product(chunk)).toBeLessThanOrEqual(131_072);
      }),
    );
  });
});

describe('ChunkAssembler', () => {
  test('gives the same chunks however an array is parted into boxes, and in whatever order they come', () => {
    fc.assert(
      fc.property(splits, ({ shape, chunk, cuts, order }) => {
        const assembler = new ChunkAssembler(shape, chunk, () => new Int32Array(product(chunk)).fill(-1));
        const found = new Map<string, Int32Array>();
        for (const box of boxesOf(shape, cuts, order)) {
          for (const { start, values } of assembler.add(box as ValueBox)) {
            expect(found.has(String(start))).toBe(false);
            found.set(String(start), values as Int32Array);
          }
        }
        expect([...assembler.rest()]).toEqual([]);
        const starts = placesOf(shape.map((length, d) => Math.ceil(length / chunk[d]))).map((at) =>
          at.map((place, d) => place * chunk[d]),
        );
        expect([...found.keys()].sort()).toEqual(starts.map(String).sort());
        for (const start of starts) {
          const expected = placesOf(chunk).map((within) => {
            const at = within.map((place, d) => place + start[d]);
            if (at.some((place, d) => place >= shape[d])) return -1;
            return at.reduce((index, place, d) => index * shape[d] + place, 0);
          });
          expect([...(found.get(String(start)) as Int32Array)]).toEqual(expected);
        }
      }),
    );
  });

  test('holds what boxes leave open, with fill values where nothing came', () => {
    const assembler = new ChunkAssembler([4], [3], () => new Float32Array(3).fill(-9));
    expect([...assembler.add({ start: [1], count: [1], values: Float32Array.of(5) })]).toEqual([]);
    expect([...assembler.rest()].map(({ start, values }) => [start, [...values]])).toEqual([[[0], [-9, 5, -9]]]);
  });
});

test('shuffle puts the first bytes of all elements first', () => {
  expect([...shuffle(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4)]).toEqual([1, 5, 2, 6, 3, 7, 4, 8]);
  expect([...shuffle(Uint8Array.of(1, 2, 3), 1)]).toEqual([1, 2, 3]);
});

test('unshuffle puts them back, for elements of any width and number, wherever the bytes begin', () => {
  const elements = { width: fc.constantFrom(1, 2, 3, 4, 8), count: fc.nat(33), from: fc.nat(7), rest: fc.nat(3) };
  fc.assert(
    fc.property(fc.record(elements), fc.infiniteStream(fc.nat(255)), ({ width, count, from, rest }, bytes) => {
      const plain = Uint8Array.from({ length: width * count }, () => bytes.next().value);
      const after = Uint8Array.from({ length: width === 1 ? 0 : rest % width }, () => bytes.next().value);
      const stored = new Uint8Array(from + plain.length + after.length).subarray(from);
      stored.set(shuffle(plain, width));
      stored.set(after, plain.length);
      expect([...unshuffle(stored, width)]).toEqual([...plain, ...after]);
    }),
  );
});
