import { decompress } from 'fzstd';
import { describe, expect, it } from 'vitest';
import { checkZstdFrames, withFittingWindows } from '../../../src/files/codecs/zstd-frame.js';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPED = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
/** A frame of blocks that repeat a byte, without its content size. */
const frame = (window: number, ...blocks: [byte: number, times: number][]) => [
  ...MAGIC,
  ...[0, window],
  ...blocks.flatMap(([byte, times], i) => {
    const header = (times << 3) | 2 | (i === blocks.length - 1 ? 1 : 0);
    return [header & 255, (header >> 8) & 255, header >> 16, byte];
  }),
];
/** Descriptors of windows of 1 KiB, 512 MiB and 1 GiB. */
const [SMALL, LARGE, LARGER] = [0, 19 << 3, 20 << 3];

describe('withFittingWindows', () => {
  it('shrinks windows to what the blocks of their frame can become', () => {
    const bytes = (one: number, two: number) =>
      Uint8Array.from([...frame(one, [7, 1000], [8, 100]), ...SKIPPED, ...frame(two, [9, 1024])]);
    expect(withFittingWindows(bytes(LARGE, LARGER))).toEqual(bytes(1 << 3, SMALL));
    expect([...decompress(withFittingWindows(bytes(LARGE, LARGER)))]).toEqual([
      ...new Array(1000).fill(7),
      ...new Array(100).fill(8),
      ...new Array(1024).fill(9),
    ]);
  });

  it('gives frames with small windows as they are', () => {
    const bytes = Uint8Array.from(frame(SMALL, [7, 5000]));
    expect(withFittingWindows(bytes)).toBe(bytes);
  });

  it('leaves frames of a single segment, which have no window, as they are', () => {
    const bytes = Uint8Array.from([...MAGIC, 0x20, 200, ...frame(0, [7, 200]).slice(6)]);
    expect(withFittingWindows(bytes)).toBe(bytes);
    expect(decompress(bytes)).toHaveLength(200);
  });
});

describe('checkZstdFrames', () => {
  it('rejects a frame that says it has more bytes than its blocks can have', () => {
    const bytes = Uint8Array.from([...MAGIC, 0x20, 201, ...frame(0, [7, 200]).slice(6)]);
    expect(() => checkZstdFrames(bytes, 1000)).toThrow('a frame of 200 bytes at most says 201');
    bytes[5] = 200;
    checkZstdFrames(bytes, 1000);
  });
});
