import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';

const folder = await mkdtemp(join(tmpdir(), 'plumecast-rewritten-'));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, 'plain.h5');
const good = new Uint8Array(await readFile(join(import.meta.dirname, '../../fixtures/arrays/plain.h5')));

async function described(): Promise<string> {
  let file: ArrayFile | undefined;
  try {
    file = await openArrays(path);
    const arrays = [...file.arrays.values()].map(({ name, dimensions, shape, attributes }) => {
      return [name, dimensions, shape, [...attributes]];
    });
    return JSON.stringify(arrays);
  } catch (error) {
    return (error as Error).name;
  } finally {
    await file?.close();
  }
}

describe('a file that is written anew in its place', () => {
  it('is read as it is now, and is not held open, after one that was damaged', async () => {
    await writeFile(path, good);
    const expected = await described();
    expect(expected).not.toBe('FormatError');
    const stale: number[] = [];
    // The library leaves objects open from the first of these on.
    for (let at = 20_008; at < 21_000; at += 61) {
      const damaged = good.slice();
      damaged[at] ^= 0x15;
      await writeFile(path, damaged);
      await described();
      await writeFile(path, good);
      if ((await described()) !== expected) stale.push(at);
    }
    expect(stale).toEqual([]);
    if (process.platform !== 'linux') return;
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open.filter((name) => name === path)).toEqual([]);
  });

  it('is read, after damaged ones of which the library left objects open, in no more memory', async () => {
    await writeFile(path, good);
    const expected = await described();
    const damaged = good.slice();
    damaged[20_008] ^= 0x15;
    await writeFile(path, damaged);
    const { HEAPU8: before } = (await (await import('h5wasm/node')).ready) as unknown as { HEAPU8: Uint8Array };
    for (let i = 0; i < 100; i++) await described();
    const { HEAPU8: after } = (await (await import('h5wasm/node')).ready) as unknown as { HEAPU8: Uint8Array };
    expect(after.length).toBe(before.length);
    await writeFile(path, good);
    expect(await described()).toBe(expected);
  });

  it('leaves files alone that others have open in the library when a damaged one is closed', async () => {
    const { File, ready } = await import('h5wasm/node');
    await ready;
    const own = join(folder, 'own.h5');
    await writeFile(own, good);
    const file = new File(own, 'r');
    const names = file.keys();
    const damaged = good.slice();
    damaged[20_008] ^= 0x15;
    await writeFile(path, damaged);
    await described();
    expect(file.keys()).toEqual(names);
    expect(names.length).toBeGreaterThan(0);
    file.close();
  });
});
