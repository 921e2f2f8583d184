import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AttributeValue } from '../../../src/files/array/array-file.js';
import { writeNetcdf4 } from '../../../src/files/netcdf4/write-netcdf4.node.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const DAYS = 4;
const X = 15;
type Library = typeof import('h5wasm/node').Module;

/** Writes the files of members, compressed: the second one has noise after its values, in an array that nobody reads. */
const WRITE = `
import sys, numpy as np, netCDF4
days, x = map(int, sys.argv[3:])
for member, path in enumerate(sys.argv[1:3], 1):
    with netCDF4.Dataset(path, 'w') as file:
        file.history = 'split'
        file.createDimension('time', days)
        file.createDimension('x', x)
        noise = file.createVariable('noise', 'f8', ('time', 'x'), zlib=True, chunksizes=(1, x))
        v = file.createVariable('v', 'f4', ('time', 'x'), zlib=True)
        number = file.createVariable('number', 'i4')
        noise[:] = np.random.default_rng(1).random((days, x)) if member == 2 else 0
        v[:] = (np.arange(days * x) * (member + 7) / 8).reshape(days, x)
        number[:] = member
`;

let folder: string;
let library: Library;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-known-headers-'));
  library = await (await import('h5wasm/node')).ready;
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

function valuesOf(member: number): Float32Array {
  return Float32Array.from({ length: DAYS * X }, (_, i) => (i * (member + 7)) / 8);
}

/** Writes the file of a member, which our writer stores as one run. */
async function write(name: string, member: number, history: AttributeValue = 'split'): Promise<string> {
  const path = join(folder, name);
  await writeNetcdf4(path, {
    dimensions: new Map([
      ['time', DAYS],
      ['x', X],
    ]),
    attributes: new Map([['history', history]]),
    arrays: [
      {
        ...{ name: 'v', type: 'float32', dimensions: ['time', 'x'], attributes: new Map([['units', 'mm']]) },
        values: valuesOf(member),
      },
      { name: 'number', type: 'int32', dimensions: [], attributes: new Map(), values: Int32Array.of(member) },
    ],
  });
  return path;
}

/** What a file has, and whether the library had to open it. */
async function read(path: string): Promise<{ v: Float32Array; number: number; history: unknown; isOpened: boolean }> {
  const opening = vi.spyOn(library, 'open').mockClear();
  const file = await openArrays(path);
  const v = new Float32Array(DAYS * X);
  await file.arrays.get('v')?.read({ start: [0, 0], count: [DAYS, X] }, v);
  const number = new Int32Array(1);
  await file.arrays.get('number')?.read({ start: [], count: [] }, number);
  const isOpened = opening.mock.calls.length > 0;
  const history = file.attributes.get('history');
  await file.close();
  await expect(file.arrays.get('v')?.read({ start: [0, 0], count: [DAYS, X] }, v)).rejects.toThrow('is closed');
  return { v, number: number[0], history, isOpened };
}

describe('a file with the headers of the one before', () => {
  it('has its own values, and the library does not open it', async () => {
    const [one, other] = [await write('1.nc', 1), await write('2.nc', 2)];
    expect(await read(one)).toMatchObject({ v: valuesOf(1), number: 1 });
    expect(await read(other)).toEqual({ v: valuesOf(2), number: 2, history: 'split', isOpened: false });
  });

  it.runIf(hasPython('netCDF4', 'numpy'))(
    'may lie elsewhere and be longer, as the NetCDF library compresses values',
    async () => {
      const paths = [1, 2].map((member) => join(folder, `packed-${member}.nc`));
      python(WRITE, { args: [...paths, String(DAYS), String(X)] });
      expect((await stat(paths[0])).size).not.toBe((await stat(paths[1])).size);
      expect(await read(paths[0])).toMatchObject({ v: valuesOf(1), number: 1 });
      expect(await read(paths[1])).toEqual({ v: valuesOf(2), number: 2, history: 'split', isOpened: false });
    },
  );

  it('is opened where an attribute is another one', async () => {
    const [one, other] = [await write('1.nc', 1), await write('2.nc', 2, 'SPLIT')];
    await read(one);
    expect(await read(other)).toMatchObject({ number: 2, history: 'SPLIT', isOpened: true });
  });

  it('is an error where the place of its values is damaged', async () => {
    const one = await write('1.nc', 1);
    await read(one);
    const [good, path] = [await readFile(one), join(folder, 'damaged.nc')];
    const stored = Buffer.from(valuesOf(1).buffer);
    const address = Buffer.alloc(8);
    address.writeBigUInt64LE(BigInt(good.indexOf(stored.subarray(0, 256))));
    const at = good.indexOf(address, good.indexOf('OHDR'));
    expect(at).toBeGreaterThan(0);
    const damaged = Buffer.from(good);
    damaged[at] ^= 8;
    await writeFile(path, damaged);
    await expect(read(path)).rejects.toThrow(/cannot be read|damaged|corrupt/);
    // The file before it is still known, or read anew.
    expect((await read(one)).v).toEqual(valuesOf(1));
  });
});
