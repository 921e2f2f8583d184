import { describe, expect, it } from 'vitest';
import { decompressLz4Frame, xxhash32 } from '../../../src/files/codecs/lz4-frame.js';

const text = (letters: string) => new TextEncoder().encode(letters);

/** Version 1, with the checksum of the header that is not looked at. */
function frame(flags: number, ...parts: (number | Uint8Array)[]): Uint8Array {
  const words = parts.map((part) => (typeof part === 'number' ? new Uint8Array(Uint32Array.of(part).buffer) : part));
  return Uint8Array.from([0x04, 0x22, 0x4d, 0x18, 0x40 | flags, 0x40, 0, ...words.flatMap((word) => [...word])]);
}

/** Five literals, then a match four bytes back that is eight long, then five literals. */
const block = Uint8Array.from([0x54, ...text('abcde'), 4, 0, 0x50, ...text('vwxyz')]);
const plain = 'abcdebcdebcdevwxyz';

describe('decompressLz4Frame', () => {
  it('decompresses blocks, plain ones too, and stops at the end mark', () => {
    const bytes = frame(0x20, block.length, block, (5 | 0x80000000) >>> 0, text('plain'), 0, text('behind'));
    expect(Buffer.from(decompressLz4Frame(bytes)).toString()).toBe(`${plain}plain`);
  });

  it('lets blocks copy from those before where they depend on each other, and else not', () => {
    const copies = Uint8Array.from([0x04, 5, 0, 0x50, ...text('12345')]);
    const linked = (flags: number) => frame(flags, block.length, block, copies.length, copies, 0);
    expect(Buffer.from(decompressLz4Frame(linked(0))).toString()).toBe(`${plain}vwxyzvwx12345`);
    expect(() => decompressLz4Frame(linked(0x20))).toThrow('an LZ4 match out of bounds');
  });

  it('looks at checksums of blocks and of the content, as Polars writes both', () => {
    const sums = (ofBlock: number, ofContent: number) => frame(0x14, block.length, block, ofBlock, 0, ofContent);
    const [ofBlock, ofContent] = [xxhash32(block), xxhash32(text(plain))];
    expect(Buffer.from(decompressLz4Frame(sums(ofBlock, ofContent))).toString()).toBe(plain);
    for (const wrong of [sums(ofBlock ^ 1, ofContent), sums(ofBlock, ofContent ^ 1)]) {
      expect(() => decompressLz4Frame(wrong)).toThrow('an LZ4 frame whose checksum is wrong');
    }
  });

  it('believes no length', () => {
    const size = Uint8Array.from([19, 0, 0, 0, 0, 0, 0, 0]);
    expect(() => decompressLz4Frame(frame(0x20, 1_000_000, block, 0))).toThrow('an LZ4 frame that ends early');
    for (let end = 7; end < frame(0x20, block.length, block, 0).length; end++) {
      expect(() => decompressLz4Frame(frame(0x20, block.length, block, 0).subarray(0, end))).toThrow(RangeError);
    }
    const withSize = Uint8Array.from([
      4,
      0x22,
      0x4d,
      0x18,
      0x68,
      0x40,
      ...size,
      0,
      ...frame(0, block.length, block, 0).slice(7),
    ]);
    expect(() => decompressLz4Frame(withSize)).toThrow('an LZ4 frame of another size');
    expect(() => decompressLz4Frame(frame(0x21, 0))).toThrow('an LZ4 frame that needs a dictionary');
  });
});

it('xxhash32 gives what its specification does', () => {
  // Of xxhsum, the program of the algorithm's author.
  expect(xxhash32(text(''))).toBe(0x02cc5d05);
  expect(xxhash32(text('a'))).toBe(0x550d7456);
  expect(xxhash32(text('abc'))).toBe(0x32d153ff);
  expect(xxhash32(text('Nobody inspects the spammish repetition'))).toBe(0xe2293b2f);
});
