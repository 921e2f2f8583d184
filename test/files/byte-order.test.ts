import { describe, expect, it } from 'vitest';
import { swapBytes } from '../../src/files/array/byte-order.js';
import { swapBytesNatively } from '../../src/files/array/byte-order.node.js';

describe.each([
  ['swapBytes', swapBytes],
  ['swapBytesNatively', swapBytesNatively],
])('%s', (_, swap) => {
  it('turns round the bytes of each element, wherever they begin and however many they are', () => {
    for (const width of [1, 2, 4, 8]) {
      for (let start = 0; start < 8; start += width) {
        for (let elements = 0; elements < 12; elements++) {
          const all = Uint8Array.from({ length: 128 }, (_, i) => i + 100);
          const expected = [...all];
          for (let i = 0; i < elements; i++) {
            const at = start + i * width;
            expected.splice(at, width, ...expected.slice(at, at + width).reverse());
          }
          swap(all.subarray(start, start + elements * width), width);
          expect([...all], `${elements} of ${width} bytes from ${start}`).toEqual(expected);
        }
      }
    }
  });
});
