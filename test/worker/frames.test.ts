import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pieces } from '../../src/files/byte-source.js';
import { FrameReader } from '../../src/worker/frames.js';
import { count, frame } from './talk.js';

/** Bytes that come in pieces of these sizes, over and over; as a pipe, they can be read into memory that is there. */
function pipe(bytes: Uint8Array, sizes: readonly number[]): Pieces {
  let [at, turn] = [0, 0];
  const take = (most: number) => {
    const piece = bytes.slice(at, at + Math.min(most, sizes[turn++ % sizes.length]));
    at += piece.length;
    return piece;
  };
  return {
    async *[Symbol.asyncIterator]() {
      while (at < bytes.length) yield take(Number.POSITIVE_INFINITY);
    },
    async readInto(target) {
      const piece = take(target.length);
      target.set(piece);
      return piece.length;
    },
  };
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const payloads = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 });

describe('the data of a request', () => {
  it('are the same in pieces, read into memory, and both in turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        payloads,
        sizes,
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }),
        async (...given) => {
          const [data, pieces, reads] = given;
          const bytes = Buffer.concat([
            frame('Q', '{}'),
            ...data.map((each) => frame('D', each)),
            frame('E', count(7)),
          ]);
          const frames = new FrameReader(pipe(Buffer.concat([bytes, bytes]), pieces));
          for (const _ of [1, 2]) {
            expect(Buffer.from((await frames.request()) as Uint8Array).toString()).toBe('{}');
            const source = frames.data();
            const iterator = source[Symbol.asyncIterator]();
            const found: Uint8Array[] = [];
            for (let turn = 0; ; turn++) {
              const length = reads[turn % reads.length];
              const target = new Uint8Array(length);
              const piece =
                length === 0
                  ? ((await iterator.next()).value as Uint8Array | undefined)
                  : target.subarray(0, await source.readInto?.(target));
              if (piece === undefined || piece.length === 0) break;
              found.push(piece);
            }
            expect(Buffer.concat(found)).toEqual(Buffer.concat(data));
            expect(await frames.end()).toBe(7);
          }
          expect(await frames.request()).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([1, 7, 11, 12])(
    'that are cut off after %d bytes are an error where they are read into memory',
    async (length) => {
      const bytes = Buffer.concat([frame('Q', '{}'), frame('D', 'data'), frame('E', count(1))]);
      const frames = new FrameReader(pipe(bytes.subarray(0, 7 + length), [3]));
      await frames.request();
      const read = async () => {
        while (((await frames.data().readInto?.(new Uint8Array(8))) ?? 0) > 0);
      };
      await expect(read()).rejects.toThrow('request: is cut off before its end frame');
      expect(frames.fault?.message).toContain('is cut off');
    },
  );
});
