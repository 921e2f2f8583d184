import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { cutBox } from '../../../src/files/netcdf4/stored-array.js';
import { holds } from '../../property/fuzz.js';

const PIECE_BYTES = 8_388_608;

const boxes = fc.integer({ min: 0, max: 4 }).chain((rank) => {
  const each = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: rank, maxLength: rank });
  return fc.record({
    start: each(9),
    count: each(12),
    chunk: each(5),
    // Large elements stand for long dimensions.
    elementBytes: fc.constantFrom(4, 65_536, 1_000_000, 9_000_000),
  });
});

describe('cutBox', () => {
  holds('covers the box once, in pieces of bounded size, with no chunk in two of them', 100, boxes, (example) => {
    const { start, count, chunk, elementBytes } = example;
    const pieces = [...cutBox({ start, count }, chunk, elementBytes)];
    const taken = new Map<string, number>();
    const chunks = new Map<string, number>();
    for (const [p, piece] of pieces.entries()) {
      const size = piece.count.reduce((product, length) => product * length, elementBytes);
      const oneChunk = chunk.reduce((product, length) => product * length, elementBytes);
      expect(size).toBeLessThanOrEqual(Math.max(PIECE_BYTES, oneChunk));
      for (const corner of corners(piece.start, piece.count)) {
        const isWithin = corner.every((at, d) => at >= start[d] && at < start[d] + count[d]);
        const key = corner.map((at, d) => Math.floor(at / chunk[d])).join();
        if (!isWithin || (chunks.get(key) ?? p) !== p) expect.fail(`${corner} in chunk ${key}`);
        chunks.set(key, p);
      }
      taken.set(piece.start.join(), (taken.get(piece.start.join()) ?? 0) + 1);
    }
    const volume = (lengths: readonly number[]) => lengths.reduce((product, length) => product * length, 1);
    expect(pieces.reduce((sum, piece) => sum + volume(piece.count), 0)).toBe(volume(count));
    expect(Math.max(...taken.values())).toBe(1);
  });
});

/** All corners of a box. */
function corners(start: readonly number[], count: readonly number[]): number[][] {
  return start.reduce<number[][]>(
    (found, first, d) =>
      found.flatMap((corner) => [
        [...corner, first],
        [...corner, first + count[d] - 1],
      ]),
    [[]],
  );
}
