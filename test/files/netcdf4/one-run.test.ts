import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNetcdf4 } from '../../../src/files/netcdf4/write-netcdf4.node.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';

const SHAPE = [4, 3, 5];
const values = Float32Array.from({ length: 60 }, (_, i) => Math.fround(Math.sin(i * i)));
const USER_BLOCK = new Uint8Array(512).fill(7);

let folder: string;
let path: string;
let written: Uint8Array;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-one-run-'));
  path = join(folder, 'values.nc');
  const dimensions = ['z', 'y', 'x'];
  await writeNetcdf4(path, {
    dimensions: new Map(dimensions.map((name, d) => [name, SHAPE[d]])),
    attributes: new Map(),
    arrays: [{ name: 'v', type: 'float32', dimensions, attributes: new Map(), values }],
  });
  written = new Uint8Array(await readFile(path));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a box of the array of a file, from the disk and from memory, which must agree. */
async function read(bytes: Uint8Array, start: number[], count: number[]): Promise<number[]> {
  await writeFile(path, bytes);
  const size = count.reduce((a, b) => a * b, 1);
  const found: number[][] = [];
  for (const file of [await openArrays(path), await openArrays(bytes)]) {
    const into = new Float32Array(size);
    const array = file.arrays.get('v');
    expect(array?.chunk).toBeUndefined();
    expect(await array?.read({ start, count }, into)).toEqual([]);
    await file.close();
    found.push([...into]);
  }
  expect(found[1]).toEqual(found[0]);
  return found[0];
}

function expected(start: readonly number[], count: readonly number[]): number[] {
  const found: number[] = [];
  for (let z = start[0]; z < start[0] + count[0]; z++)
    for (let y = start[1]; y < start[1] + count[1]; y++)
      for (let x = start[2]; x < start[2] + count[2]; x++) found.push(values[(z * SHAPE[1] + y) * SHAPE[2] + x]);
  return found;
}

describe('values that are one run of a NetCDF4 file', () => {
  it.each([
    [[0, 0, 0], SHAPE],
    [
      [1, 0, 0],
      [2, 3, 5],
    ],
    [
      [0, 1, 2],
      [4, 2, 2],
    ],
    [
      [3, 2, 4],
      [1, 1, 1],
    ],
    [
      [2, 0, 0],
      [0, 3, 5],
    ],
  ])('are read box by box: from %j, %j values', async (start, count) => {
    expect(await read(written, start, count)).toEqual(expected(start, count));
  });

  it('are found behind a user block, from which addresses count', async () => {
    const shifted = new Uint8Array([...USER_BLOCK, ...written]);
    expect(await read(shifted, [1, 1, 1], [2, 2, 3])).toEqual(expected([1, 1, 1], [2, 2, 3]));
  });

  it('are missing where the file ends before them', async () => {
    const cut = written.slice(0, written.length - 8);
    await writeFile(path, cut);
    await expect(openArrays(path)).rejects.toThrow('is truncated');
  });
});
