import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isPlumecastError } from '../../../src/errors.js';
import { decompressZstd } from '../../../src/files/codecs/zstd.js';
import { Manifest } from '../../../src/files/icechunk/manifest.js';
import { readMetadataFile } from '../../../src/files/icechunk/metadata-file.js';
import { unpackLocation } from '../../../src/files/icechunk/unpack-location.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { isFullCheck } from '../../full-check.js';
import { Fixture } from '../zarr/zarr-fixture.js';

const FOLDER = fileURLToPath(new URL('../../fixtures/icechunk', import.meta.url));
const HEADER_BYTES = 39;

/** The objects of a small repository. */
function repository(format: 1 | 2): Fixture {
  const folder = join(FOLDER, `format-${format}`);
  const fixture = new Fixture();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) fixture.values.set(relative(folder, path), new Uint8Array(readFileSync(path)));
  }
  return fixture;
}

function keysOf(fixture: Fixture, folder: string): string[] {
  return [...fixture.values.keys()].filter((key) => key.startsWith(folder));
}

/** All values of a repository. */
async function read(fixture: Fixture, version = 'main'): Promise<string> {
  const file = await openArrays(fixture, { version, source: 'the repository' });
  const [rain, t] = [new Float32Array(24), new Int32Array(4)];
  const absent = await file.arrays.get('run/rain')?.read({ start: [0, 0], count: [4, 6] }, rain);
  await file.arrays.get('run/t')?.read({ start: [0], count: [4] }, t);
  return JSON.stringify([[...rain], [...t], absent]);
}

/** A file with its buffer not compressed. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const buffer = await decompressZstd(bytes.subarray(HEADER_BYTES), 1e6);
  const file = new Uint8Array(HEADER_BYTES + buffer.length);
  file.set(bytes.subarray(0, HEADER_BYTES));
  file[HEADER_BYTES - 1] = 0;
  file.set(buffer, HEADER_BYTES);
  return file;
}

const ROUNDS = isFullCheck ? 2000 : 300;

/** Numbers from 0 up to a limit, the same each time. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Bytes after the header with some changed, sometimes cut. */
function mutated(bytes: Uint8Array, roll: (limit: number) => number): Uint8Array {
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 1 + roll(4); i++) {
    const at = HEADER_BYTES + roll(bytes.length - HEADER_BYTES);
    if (roll(2) === 0) bytes[at] = [0, 1, 255, 128, bytes[at] ^ (1 << roll(8)), roll(256)][roll(6)];
    else if (at + 4 <= bytes.length) view.setUint32(at, [0, 0xffffffff, 0x7fffffff, roll(400)][roll(4)], true);
  }
  return roll(20) === 0 ? bytes.subarray(0, roll(bytes.length)) : bytes;
}

describe.each([1, 2] as const)('a repository of format %i', (format) => {
  it('has its values, and absent boxes where nothing was written', async () => {
    const all = [0, 1, 2, 0, 0, 0, 3, 4, 5, 0, 0, 0, 6, 7, 8, 0, 0, 0, 9, 10, 11, 0, 0, 0];
    const absent = [0, 2].map((start) => ({ start: [start, 3], count: [2, 3] }));
    expect(JSON.parse(await read(repository(format), 'v1'))).toEqual([all, [0, 1, 2, 3], absent]);
  });

  const [reference] = keysOf(repository(format), format === 1 ? 'refs/branch' : 'repo');
  it.each([
    [/no such|no repository/, reference, undefined],
    [/a snapshot is not in the repository/, 'snapshots/', undefined],
    [/a manifest is not in the repository/, 'manifests/', undefined],
    [/is not in the repository, though a manifest has it/, 'chunks/', undefined],
    [/a chunk is cut/, 'chunks/', (bytes: Uint8Array) => bytes.subarray(0, 20)],
    [/is no snapshot of Icechunk/, 'snapshots/', () => new TextEncoder().encode('<html>')],
    [/a manifest is cut, or another one/, 'manifests/', () => new Uint8Array()],
    [/a snapshot of Icechunk is damaged or cut/, 'snapshots/', (bytes: Uint8Array) => bytes.subarray(0, 300)],
    [/is cut/, 'snapshots/', (bytes: Uint8Array) => bytes.subarray(0, 39)],
    [/a manifest is cut, or another one/, 'manifests/', (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ] as const)('with what is missing or cut is an error (%s)', async (message, prefix, change) => {
    const fixture = repository(format);
    for (const key of keysOf(fixture, prefix)) {
      const bytes = change?.(fixture.values.get(key) as Uint8Array);
      if (bytes === undefined) fixture.values.delete(key);
      else fixture.values.set(key, bytes);
    }
    await expect(read(fixture)).rejects.toThrow(message);
  });

  it.each([
    [36, 3, /is of a version of Icechunk that is not read; received 3; allowed: 1 and 2/],
    [37, 4, /is a file of another type; received "transaction log"; allowed: snapshot/],
    [37, 99, /received "a file of type 99"/],
    [38, 2, /is compressed in a way that is not read; received 2/],
    [60, 255, /a snapshot of Icechunk is damaged or cut/],
  ] as const)('with a wrong byte %i in a snapshot is an error', async (at, value, message) => {
    const fixture = repository(format);
    for (const key of keysOf(fixture, 'snapshots/')) (fixture.values.get(key) as Uint8Array)[at] = value;
    await expect(read(fixture)).rejects.toThrow(message);
    await expect(read(fixture)).rejects.toMatchObject({ tag: 'format' });
  });

  it.each(['snapshots/', 'manifests/'])('with the files of %s exchanged is an error', async (prefix) => {
    const fixture = repository(format);
    const keys = keysOf(fixture, prefix);
    const files = keys.map((key) => fixture.values.get(key) as Uint8Array);
    expect(keys.length).toBeGreaterThan(1);
    for (const [i, key] of keys.entries()) fixture.values.set(key, files[(i + 1) % keys.length]);
    await expect(read(fixture)).rejects.toThrow(/is not the file that its name says|a manifest is cut, or another one/);
  });

  it.each(['snapshots/', 'repo'])(
    'gives its values or an error of its own for each of many mutations of %s',
    async (prefix) => {
      const whole = await read(repository(format));
      const roll = dice(format);
      let errors = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const fixture = repository(format);
        for (const key of keysOf(fixture, prefix)) {
          fixture.values.set(key, mutated(await unpacked(fixture.values.get(key) as Uint8Array), roll));
        }
        try {
          JSON.parse(await read(fixture));
        } catch (error) {
          if (!isPlumecastError(error)) throw error;
          errors++;
        }
      }
      if (keysOf(repository(format), prefix).length > 0) expect(errors).toBeGreaterThan(ROUNDS / 15);
      expect(await read(repository(format))).toBe(whole);
    },
  );
});

describe.each([1, 2] as const)('a manifest of format %i', (format) => {
  it('gives places or an error of its own for each of many mutations', async () => {
    const roll = dice(format + 7);
    const fixture = repository(format);
    const counts = { places: 0, errors: 0 };
    for (const key of keysOf(fixture, 'manifests/')) {
      const whole = await unpacked(fixture.values.get(key) as Uint8Array);
      const name = key.slice('manifests/'.length);
      const array = (await readMetadataFile(whole, 'manifest', key)).tables(1).get(0);
      const node = array.struct(0, 8) as Uint8Array;
      const rank = array.tables(1).get(0).uint32s(0, 2).length;
      for (let round = 0; round < ROUNDS; round++) {
        try {
          const root = await readMetadataFile(mutated(whole.slice(), roll), 'manifest', key);
          const manifest = new Manifest(root, name, key);
          for (const place of [
            [0, 0],
            [1, 0],
            [0, 1],
            [7, 7],
          ]) {
            const found = await manifest.find(node, place.slice(0, rank), unpackLocation);
            if (found !== undefined) counts.places++;
            if (found !== undefined && 'offset' in found) expect(found.offset + found.length).toBeLessThan(2 ** 53);
          }
        } catch (error) {
          if (!isPlumecastError(error)) throw error;
          counts.errors++;
        }
      }
    }
    expect(counts.places).toBeGreaterThan(ROUNDS / 2);
    expect(counts.errors).toBeGreaterThan(ROUNDS / 4);
  });
});

describe('a store that names a version', () => {
  it('of no repository is an error', async () => {
    await expect(openArrays(new Fixture(), { version: 'main' })).rejects.toThrow(/there is no repository of Icechunk/);
    await expect(openArrays(new Fixture())).rejects.toThrow(/there is no Zarr store/);
    await expect(openArrays(new Fixture(), { version: 7 as never })).rejects.toMatchObject({ tag: 'option' });
  });
});
