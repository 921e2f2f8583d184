import { describe, expect, it } from 'vitest';
import { HeldBytes } from '../../src/worker/held-bytes.js';

describe('HeldBytes', () => {
  it('gives all blocks in their order, those beyond its memory from a temporary file', () => {
    const blocks = [4, 6, 1, 5, 2].map((length, i) => new Uint8Array(length).fill(i + 1));
    for (const memoryBytes of [0, 4, 9, 100]) {
      const held = new HeldBytes(memoryBytes);
      for (const block of blocks) held.add(block);
      expect([...held.blocks()]).toEqual(blocks);
      held.close();
    }
  });
});
