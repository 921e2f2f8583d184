import { describe, expect, it } from 'vitest';
import { bytesInMemory, storedBytes } from '../../../src/files/grib/packing/section-bytes.js';

/** A file whose bytes count up. */
const access = {
  size: 1000,
  read: async (at: number, into: Uint8Array) => {
    for (let i = 0; i < into.length; i++) into[i] = (at + i) & 255;
  },
};

describe('the bytes of a section', () => {
  it('are read into memory that was taken back, which belongs to one read at a time', async () => {
    const section = storedBytes(access as never, { offset: 100, length: 400 });
    const first = await section.read(0, 200);
    section.reuse?.(first);
    const [one, other] = await Promise.all([section.read(10, 160), section.read(50, 250)]);
    expect([one.buffer === first.buffer, other.buffer === first.buffer].filter(Boolean)).toHaveLength(1);
    expect([one[0], one.at(-1), one.length]).toEqual([110, (100 + 159) & 255, 150]);
    expect([other[0], other.at(-1), other.length]).toEqual([150, (100 + 249) & 255, 200]);
  });

  it('are of memory of their own where what was taken back is too small, or nothing was', async () => {
    const section = storedBytes(access as never, { offset: 0, length: 400 });
    section.reuse?.(await section.read(0, 10));
    const longer = await section.read(0, 300);
    expect([longer.length, longer[299]]).toEqual([300, 299 & 255]);
    expect(bytesInMemory(longer).reuse).toBeUndefined();
  });
});
