import fc from 'fast-check';
import lz4 from 'lz4js';
import { describe, expect, test } from 'vitest';
import { lz4Frame } from '../../src/files/codecs/load-encoder.js';
import { lz4Block } from '../../src/files/codecs/lz4-block.js';
import { decompressLz4Frame } from '../../src/files/codecs/lz4-frame.js';
import { hasPython, python } from '../reference/foreign-programs.js';

/** Bytes with runs and repeats, which compress, and without. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 40 })), { maxLength: 20 })
  .map((runs) => Uint8Array.from(runs.flatMap(([run, times]) => Array.from({ length: times }, () => [...run]).flat())));

describe('lz4Frame', () => {
  test('can be decompressed, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, fc.uint8Array({ maxLength: 3000 })), (plain) => {
        const frame = lz4Frame(plain);
        expect(Buffer.compare(decompressLz4Frame(frame), plain)).toBe(0);
        expect(Buffer.compare(lz4.decompress(frame), plain)).toBe(0);
        expect(frame.length).toBeLessThanOrEqual(plain.length + 15);
      }),
    );
  });

  test('compresses what repeats, far and near', () => {
    expect(lz4Frame(new Uint8Array(100_000)).length).toBeLessThan(500);
    let state = 1;
    const noise = Uint8Array.from({ length: 60_000 }, () => (state = Math.imul(state, 48_271) & 0x7fffffff) >> 12);
    expect(lz4Frame(noise).length).toBeGreaterThan(noise.length);
    expect(lz4Frame(Uint8Array.from([...noise, ...noise])).length).toBeLessThan(noise.length * 1.02);
  });

  test('has several blocks where there is much', () => {
    const plain = new Uint8Array(9_000_000).map((_, i) => (i >> 5) ^ (i % 7));
    const frame = lz4Frame(plain);
    expect(frame.length).toBeLessThan(plain.length / 2);
    expect(Buffer.compare(lz4.decompress(frame), plain)).toBe(0);
  });

  test.runIf(hasPython('pyarrow'))("ends its blocks as LZ4's own library asks", () => {
    const plain = Uint8Array.from({ length: 4000 }, (_, i) => (i * i) >> 5);
    const cases = Array.from({ length: 300 }, (_, i) => {
      // Repeats that end at every distance from the end.
      const part = plain.subarray(0, 40 + i);
      return Buffer.concat([part, part.subarray(0, i % 40), Buffer.alloc(i % 17, i)]);
    });
    const code = `
import json, sys, pyarrow
for frame, plain in json.load(sys.stdin):
    found = pyarrow.decompress(bytes.fromhex(frame), len(plain) // 2, codec='lz4', asbytes=True)
    assert found == bytes.fromhex(plain)
print('ok')
`;
    const input = JSON.stringify(
      cases.map((plainBytes) => [Buffer.from(lz4Frame(plainBytes)).toString('hex'), plainBytes.toString('hex')]),
    );
    expect(python(code, { input }).trim()).toBe('ok');
    const raw = JSON.stringify(
      cases.map((plainBytes) => [Buffer.from(lz4Block(plainBytes)).toString('hex'), plainBytes.toString('hex')]),
    );
    expect(python(code.replace("'lz4'", "'lz4_raw'"), { input: raw }).trim()).toBe('ok');
  });
});
