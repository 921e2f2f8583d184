import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { FileError, FormatError } from '../../../src/errors.js';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { layoutBox, valuesOf } from '../stored-values.js';

const fixture = (name: string) => join(import.meta.dirname, '../../fixtures/arrays', name);
const NETCDF = fixture('arrays.nc');
const HDF5 = fixture('plain.h5');
const grid = Array.from({ length: 63 }, (_, i) => Math.floor(i / 9) * 10 + (i % 9) / 4);
const whole = grid.map((value) => value * 8 - 300);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-netcdf4-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function using<T>(opening: Promise<ArrayFile>, use: (file: ArrayFile) => Promise<T>): Promise<T> {
  const file = await opening;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

describe.each([
  ['openArrays', openArrays],
  ['openArrays', async (path: string) => openArrays(new Uint8Array(await readFile(path)), { source: path })],
])('%s', (_, open) => {
  let netcdf: ArrayFile;
  let hdf5: ArrayFile;
  beforeAll(async () => {
    netcdf = await open(NETCDF);
    hdf5 = await open(HDF5);
  });
  afterAll(() => Promise.all([netcdf.close(), hdf5.close()]));

  it('gives the arrays of a NetCDF4 file, in the order of the file, without those that are neither numbers nor texts', async () => {
    expect(netcdf.format).toBe('NetCDF4');
    expect(netcdf.source).toBe(NETCDF);
    expect([...netcdf.arrays.keys()].join()).toBe(
      'deflate,shuffle,fletcher32,szip,zstd,bzip2,blosc,big_endian,unwritten,unfilled,' +
        'int8,uint8,int16,uint16,int32,uint32,int64,uint64,float64,x,y,strings,characters,scalar,long,short,group/inner',
    );
  });

  it('reads the attributes that people gave, texts in UTF-8 however long', async () => {
    expect(Object.fromEntries(netcdf.attributes)).toEqual({
      title: 'Städte',
      note: '10 m³',
      names: ['a', 'b'],
      empty: '',
      one: 5,
      several: [1, 2, 3],
    });
    expect([...(netcdf.arrays.get('unwritten')?.attributes ?? [])]).toEqual([['_FillValue', -9]]);
    expect(netcdf.arrays.get('x')?.attributes.size).toBe(0);
  });

  it('names dimensions by their scales, also those of groups, of coordinates in two dimensions, and of texts', async () => {
    const dimensions = (name: string) => netcdf.arrays.get(name)?.dimensions.join();
    expect(dimensions('deflate')).toBe('y,x');
    expect(dimensions('y')).toBe('y,x');
    expect(dimensions('x')).toBe('x');
    expect(dimensions('characters')).toBe('y');
    expect(dimensions('scalar')).toBe('');
    expect(dimensions('group/inner')).toBe('group/z,x');
  });

  test.each(['deflate', 'shuffle', 'fletcher32', 'szip', 'zstd', 'big_endian', 'y'])(
    'reads values stored as %s',
    async (name) => {
      expect(netcdf.arrays.get(name)).toMatchObject({ type: 'float32', shape: [7, 9] });
      expect(await valuesOf(netcdf.arrays.get(name))).toEqual(grid);
    },
  );

  test.each(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float64'])(
    'reads %s',
    async (type) => {
      expect(netcdf.arrays.get(type)?.type).toBe(type);
      expect(await valuesOf(netcdf.arrays.get(type))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    },
  );

  it('reads single values, and texts of any and of fixed length', async () => {
    expect(await valuesOf(netcdf.arrays.get('scalar'))).toEqual([3.5]);
    expect(await netcdf.arrays.get('strings')?.readTexts()).toEqual(['é0', 'é1', 'é2', 'é3', 'é4', 'é5', 'é6']);
    expect(await netcdf.arrays.get('characters')?.readTexts()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
  });

  it('rejects values that a filter has packed that is not known here, and names it', async () => {
    await expect(valuesOf(netcdf.arrays.get('bzip2'))).rejects.toThrow(
      `${NETCDF}, array bzip2: is stored with the filter bzip2 (307), which is not decoded; allowed: deflate, shuffle`,
    );
  });

  it('reads what was never written as the fill value, or as NaN where filling was turned off', async () => {
    // What is left in the library's memory by other arrays must not come out.
    await valuesOf(netcdf.arrays.get('deflate'));
    expect(await valuesOf(netcdf.arrays.get('unwritten'))).toEqual(grid.map(() => -9));
    expect(await valuesOf(netcdf.arrays.get('unfilled'))).toEqual(grid.map(() => Number.NaN));
  });

  it('states what an array that grows has not of its dimension', async () => {
    const short = netcdf.arrays.get('short');
    expect(short?.shape).toEqual([5, 9]);
    const into = new Int32Array(12).fill(-5);
    expect(await short?.read({ start: [1, 2], count: [3, 4] }, into)).toEqual([{ start: [2, 2], count: [2, 4] }]);
    expect([...into.subarray(0, 4)]).toEqual([11, 12, 13, 14]);
    expect(await short?.read({ start: [3, 2], count: [2, 4] }, into)).toEqual([{ start: [3, 2], count: [2, 4] }]);
  });

  it('gives the arrays of plain HDF5, after a user block, with dimensions by their lengths where they have no scales; links are not followed', async () => {
    expect(hdf5.format).toBe('HDF5');
    const listed = [...hdf5.arrays].map(([name, { dimensions }]) => `${name} ${dimensions.join()}`.trim());
    expect(listed).toEqual([
      'deflate phony_dim_0,phony_dim_1',
      'fixed phony_dim_2',
      'group/same phony_dim_0,phony_dim_1',
      'lzf phony_dim_0,phony_dim_1',
      'nbit_17 phony_dim_0,phony_dim_1',
      'nbit_32 phony_dim_0,phony_dim_1',
      'place place',
      'scaled place,phony_dim_3',
      'scaleoffset phony_dim_0,phony_dim_1',
      'square phony_dim_3,phony_dim_4',
      'virtual phony_dim_5',
    ]);
    expect([...hdf5.attributes].map(String)).toEqual(['empty,', 'reference,a reference of 8 bytes']);
    expect(await valuesOf(hdf5.arrays.get('deflate'))).toEqual(grid);
    expect(await valuesOf(hdf5.arrays.get('scaleoffset'))).toEqual(whole);
    expect(await valuesOf(hdf5.arrays.get('nbit_32'))).toEqual(whole);
    expect(await hdf5.arrays.get('fixed')?.readTexts()).toEqual(['ab', 'c']);
  });

  it('rejects numbers of fewer bits than bytes, other filters, and values of other files', async () => {
    const reading = (name: string) => expect(valuesOf(hdf5.arrays.get(name))).rejects;
    await reading('nbit_17').toThrow('nbit_17: is stored with the filter nbit (5), which is not decoded');
    await reading('lzf').toThrow('lzf: is stored with the filter lzf (32000), which is not decoded');
    await reading('virtual').toThrow('virtual: is virtual: its values are in other files; received "other.h5"');
  });

  it('reads every box as it is in the whole', async () => {
    const share = fc.double({ min: 0, max: 0.99, noNaN: true });
    const names = fc.constantFrom('shuffle', 'big_endian', 'long', 'group/inner');
    await fc.assert(
      fc.asyncProperty(names, fc.tuple(share, share), fc.tuple(share, share), async (name, starts, sizes) => {
        const array = netcdf.arrays.get(name);
        const shape = array?.shape ?? [];
        const start = shape.map((length, d) => Math.floor(starts[d] * length));
        const box = { start, count: shape.map((length, d) => Math.ceil(sizes[d] * (length - start[d]))) };
        expect(await valuesOf(array, box)).toEqual(layoutBox(await valuesOf(array), shape, box));
      }),
      { numRuns: 60, seed: 20_221_002 },
    );
  });

  it.each([NETCDF, HDF5])('believes nothing of %s cut anywhere, and states how long it should be', async (path) => {
    const bytes = await readFile(path);
    const cut = join(folder, 'cut.nc');
    for (let length = 0; length < bytes.length; length += length < 600 ? 37 : 2_999) {
      await writeFile(cut, bytes.subarray(0, length));
      await expect(open(cut), `${length} bytes`).rejects.toThrow(FormatError);
    }
    await writeFile(cut, bytes.subarray(0, -1));
    await expect(open(cut)).rejects.toThrow(
      `${cut}: is truncated: it has ${bytes.length - 1} bytes and needs ${bytes.length}`,
    );
  });

  it('names a chunk whose checksum is wrong', async () => {
    const bytes = new Uint8Array(await readFile(NETCDF));
    const part = new Uint8Array(Float32Array.from(grid.slice(0, 4)).buffer);
    const places = [...bytes.keys()].filter((at) => part.every((byte, i) => bytes[at + i] === byte));
    const damaged = join(folder, 'damaged.nc');
    let faults = 0;
    for (const at of places) {
      const copy = bytes.slice();
      copy[at] ^= 1;
      await writeFile(damaged, copy);
      await using(open(damaged), async (file) => {
        await valuesOf(file.arrays.get('fletcher32')).catch((error) => {
          expect(error).toBeInstanceOf(FormatError);
          expect(error.message).toContain(`${damaged}, array fletcher32, chunk `);
          faults++;
        });
      });
    }
    expect(faults).toBe(1);
  });

  it('has several files open at once, and none after it closed them', async () => {
    const [first, second, third] = await Promise.all([open(NETCDF), open(HDF5), open(NETCDF)]);
    expect(await valuesOf(first.arrays.get('shuffle'))).toEqual(grid);
    expect(await valuesOf(second.arrays.get('scaleoffset'))).toEqual(whole);
    await first.close();
    await first.close();
    expect(await valuesOf(third.arrays.get('shuffle'))).toEqual(grid);
    await expect(valuesOf(first.arrays.get('shuffle'))).rejects.toThrow(FileError);
    await second.close();
    await third.close();
    await expect(valuesOf(second.arrays.get('scaleoffset'))).rejects.toThrow(`${HDF5}: is closed`);
  });
});

describe('openArrays', () => {
  it('reports that a file changed while it was read', async () => {
    const path = join(folder, 'changing.nc');
    await copyFile(NETCDF, path);
    await using(openArrays(path), async (file) => {
      await appendFile(path, 'more');
      await expect(valuesOf(file.arrays.get('shuffle'))).rejects.toThrow(`${path}: was changed while it was read`);
    });
  });

  it.skipIf(!existsSync('/proc/self/fd'))('leaves no file open, whether it could be opened or not', async () => {
    const path = join(folder, 'whole.nc');
    const broken = join(folder, 'broken.nc');
    const bytes = await readFile(NETCDF);
    await writeFile(path, bytes);
    await writeFile(broken, bytes.fill(7, 48, 300));
    for (let i = 0; i < 5; i++) {
      await using(openArrays(path), async (file) => {
        expect(await openFiles()).toContain(path);
        expect(await valuesOf(file.arrays.get('shuffle'))).toEqual(grid);
      });
      await expect(openArrays(broken)).rejects.toThrow(FormatError);
      expect(await openFiles()).not.toContain(path);
      expect(await openFiles()).not.toContain(broken);
    }
  });

  it('names a file that is not there', async () => {
    await expect(openArrays(join(folder, 'absent.nc'))).rejects.toThrow(FileError);
  });
});

/** The paths of all files that this process has open. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  return Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
}
