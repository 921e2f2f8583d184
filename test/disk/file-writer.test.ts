import type { FileHandle } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FileWriter } from '../../src/disk/file-writer.node.js';

/** A file that takes at most `most` bytes a call, and in all `room` bytes. */
function fakeFile(most: number, buffer = Number.POSITIVE_INFINITY) {
  const file = { bytes: Buffer.alloc(0) };
  const handle = {
    async writev(blocks: readonly Uint8Array[]) {
      await new Promise(setImmediate);
      if (file.bytes.length >= buffer) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const some = Buffer.concat(blocks).subarray(0, Math.min(most, buffer - file.bytes.length));
      file.bytes = Buffer.concat([file.bytes, some]);
      return { bytesWritten: some.length, buffers: blocks };
    },
  };
  return { file, handle: handle as unknown as FileHandle };
}

describe('FileWriter', () => {
  it('writes all blocks in order, even if each call writes only a part', async () => {
    const { file, handle } = fakeFile(3);
    const writer = new FileWriter(handle);
    for (const block of [[1, 2], [], [3, 4, 5, 6, 7], [8]]) await writer.write(Uint8Array.from(block));
    await writer.end();
    expect([...file.bytes]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('lets the caller continue while it writes, until some megabytes wait', async () => {
    const { file, handle } = fakeFile(Number.POSITIVE_INFINITY);
    const writer = new FileWriter(handle);
    await writer.write(new Uint8Array(10));
    expect(file.bytes.length).toBe(0);
    await writer.write(new Uint8Array(10));
    await writer.write(new Uint8Array(5_000_000));
    expect(file.bytes.length).toBeGreaterThan(0);
    await writer.end();
    expect(file.bytes.length).toBe(5_000_020);
  });

  it('throws a failure at the next write and at the end', async () => {
    const { handle } = fakeFile(4, 6);
    const writer = new FileWriter(handle);
    await writer.write(new Uint8Array(10));
    await expect(writer.end()).rejects.toThrow('full');
    await expect(writer.write(new Uint8Array(1))).rejects.toThrow('full');
  });
});
