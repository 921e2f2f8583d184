import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { shuffle } from '../../../src/files/netcdf4/shuffle.js';
import { writeNetcdf4 } from '../../../src/files/netcdf4/write-netcdf4.node.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';

const LENGTH = 3000;
const CHUNK = 1000;
/** Values that cannot be made shorter. */
const values = Float32Array.from({ length: LENGTH }, (_, i) => Math.fround(Math.sin(i * i)));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-chunks-'));
  for (const deflate of [0, 1]) {
    const box = { start: [0], count: [LENGTH], values };
    const array = { name: 'v', type: 'float32' as const, dimensions: ['x'], attributes: new Map(), chunk: [CHUNK] };
    await writeNetcdf4(
      join(folder, `${deflate}.nc`),
      {
        dimensions: new Map([['x', LENGTH]]),
        attributes: new Map(),
        arrays: [
          {
            ...array,
            values: (async function* () {
              yield box;
            })(),
          },
        ],
      },
      { deflate },
    );
  }
});
afterAll(() => rm(folder, { recursive: true }));

const FACES: readonly (readonly [string, (bytes: Uint8Array) => Promise<ArrayFile>])[] = [
  [
    'of a file',
    async (bytes) => {
      await writeFile(join(folder, 'changed.nc'), bytes);
      return openArrays(join(folder, 'changed.nc'));
    },
  ],
  ['in memory', (bytes) => openArrays(bytes, { source: 'memory.nc' })],
];

const stored = (chunk: number, length = CHUNK) => {
  const part = values.slice(chunk * CHUNK, chunk * CHUNK + length);
  return deflateSync(shuffle(new Uint8Array(part.buffer), 4), { level: 1 });
};

/** The deflated file with other bytes in place of the second chunk, from whose beginning on they are written. */
async function withChunk(bytes: Uint8Array): Promise<Uint8Array> {
  const file = new Uint8Array(await readFile(join(folder, '1.nc')));
  const own = stored(1);
  expect(bytes.length).toBeLessThanOrEqual(own.length);
  file.set(bytes, Buffer.from(file.buffer).indexOf(own));
  return file;
}

/** The file with another length of the second chunk in the index of chunks: the third has the same one. */
async function withLength(deflate: 0 | 1, length: number): Promise<Uint8Array> {
  const file = new Uint8Array(await readFile(join(folder, `${deflate}.nc`)));
  const view = new DataView(file.buffer);
  const tree = Buffer.from(file.buffer).indexOf('TREE');
  const key = tree + 24 + (8 + 8 * 2 + 8);
  expect(view.getUint32(key, true)).toBe(deflate === 0 ? 4 * CHUNK : stored(1).length);
  view.setUint32(key, length, true);
  return file;
}

async function read(
  open: (bytes: Uint8Array) => Promise<ArrayFile>,
  bytes: Uint8Array,
  from = 0,
): Promise<Float32Array> {
  const file = await open(bytes);
  try {
    const into = new Float32Array(LENGTH - from);
    await file.arrays.get('v')?.read({ start: [from], count: [LENGTH - from] }, into);
    return into;
  } finally {
    await file.close();
  }
}

describe.each(FACES)('a chunk of NetCDF4 %s', (_, open) => {
  const damaged = (message: string) => ({ tag: 'format', message: expect.stringContaining(message) });

  it('is read where it is whole', async () => {
    expect(await read(open, new Uint8Array(await readFile(join(folder, '1.nc'))))).toEqual(values);
    expect(await read(open, await withChunk(stored(1)))).toEqual(values);
    expect(await read(open, new Uint8Array(await readFile(join(folder, '0.nc'))), 1500)).toEqual(values.slice(1500));
  });

  it('is rejected where it becomes more bytes than its array has', async () => {
    const bomb = deflateSync(new Uint8Array(3_000_000));
    await expect(read(open, await withChunk(bomb))).rejects.toMatchObject(damaged('chunk 1: a chunk is damaged'));
  });

  it('is rejected where it becomes fewer: what is behind it in memory is no value', async () => {
    await expect(read(open, await withChunk(stored(1, 500)))).rejects.toMatchObject(
      damaged('received "it becomes 2000 bytes"; allowed: 4000 bytes when it is decoded'),
    );
  });

  it('is rejected where its checksum is wrong', async () => {
    const changed = Uint8Array.from(stored(1));
    changed[changed.length - 1] ^= 1;
    await expect(read(open, await withChunk(changed))).rejects.toMatchObject(damaged('chunk 1: a chunk is damaged'));
  });

  it.each([0, 1, 3999, 4001, 100_000])(
    'is rejected where the index gives it %d bytes, and it is not deflated',
    async (length) => {
      await expect(read(open, await withLength(0, length))).rejects.toMatchObject({ tag: 'format' });
    },
  );

  it.each([0, 1, 100, 2 ** 31, 2 ** 32 - 1])(
    'is rejected where the index gives it %d bytes, and it is deflated',
    async (length) => {
      await expect(read(open, await withLength(1, length))).rejects.toMatchObject({ tag: 'format' });
    },
  );
});
