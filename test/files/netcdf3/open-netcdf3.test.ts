import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { FormatError, isPlumecastError, OptionError } from '../../../src/errors.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { isFullCheck } from '../../full-check.js';
import { readReferenceCsv } from '../../golden/reference-csv.js';
import { referenceFolder } from '../../reference/data-folder.js';
import { layoutBox, valuesOf, wholeBox } from '../stored-values.js';
import { type Netcdf3Content, type Netcdf3Type, writeNetcdf3 } from './write-netcdf3.js';

const VERSIONS = [1, 2, 5] as const;
const CLASSIC: readonly Netcdf3Type[] = ['int8', 'int16', 'int32', 'float32', 'float64'];
const MODERN: readonly Netcdf3Type[] = [...CLASSIC, 'uint8', 'uint16', 'uint32', 'int64', 'uint64'];
const count = (length: number) => Array.from({ length }, (_, i) => i);
const characters = (text: string) => [...new TextEncoder().encode(text)];

/** Fixed and growing variables of one, two and more bytes, with padding between records. */
const content: Netcdf3Content = {
  version: 1,
  records: 3,
  dimensions: [
    { name: 'time', length: 0 },
    { name: 'x', length: 5 },
    { name: 'length', length: 3 },
  ],
  attributes: [
    { name: 'title', type: 'text', values: 'Städte\0' },
    { name: 'several', type: 'int16', values: [1, -2, 3] },
    { name: 'one', type: 'float64', values: [0.5] },
  ],
  variables: [
    { name: 'bytes', type: 'int8', dimensions: [0, 1], values: count(15).map((i) => i - 7) },
    {
      name: 'halves',
      type: 'int16',
      dimensions: [0, 1],
      values: count(15).map((i) => i * 1000 - 7000),
      attributes: [{ name: 'units', type: 'text', values: 'K' }],
    },
    { name: 'x', type: 'float32', dimensions: [1], values: [0.5, 1, 1.5, 2, 2.5] },
    { name: 'time', type: 'float64', dimensions: [0], values: [1e300, -2, 3] },
    { name: 'names', type: 'text', dimensions: [1, 2], values: characters('ab\0é\0ghi\0\0\0xyz') },
    { name: 'single', type: 'int32', dimensions: [], values: [-70_000] },
  ],
};

describe('openArrays', () => {
  test.each(VERSIONS)('reads what version %i has: attributes, dimensions, values and texts', async (version) => {
    const file = await openArrays(writeNetcdf3({ ...content, version }));
    expect(file.format).toBe('NetCDF3');
    expect([...file.attributes]).toEqual([
      ['title', 'Städte'],
      ['several', [1, -2, 3]],
      ['one', 0.5],
    ]);
    expect([...file.arrays.keys()]).toEqual(content.variables.map(({ name }) => name));
    const halves = file.arrays.get('halves');
    expect(halves).toMatchObject({ type: 'int16', dimensions: ['time', 'x'], shape: [3, 5] });
    expect([...(halves?.attributes ?? [])]).toEqual([['units', 'K']]);
    for (const { name, type, values } of content.variables) {
      if (type !== 'text') expect(await valuesOf(file.arrays.get(name)), name).toEqual(values);
    }
    const names = file.arrays.get('names');
    expect(names).toMatchObject({ type: 'text', dimensions: ['x'], shape: [5] });
    expect(await names?.readTexts()).toEqual(['ab', 'é', 'ghi', '', 'xyz']);
    expect(file.arrays.get('single')?.shape).toEqual([]);
  });

  it('reads the unsigned and the 64-bit types of version 5', async () => {
    const variables = MODERN.map((type) => ({ name: type, type, dimensions: [0], values: [1, 2, 100] }));
    const dimensions = [{ name: 'x', length: 3 }];
    const file = await openArrays(writeNetcdf3({ version: 5, records: 0, dimensions, variables }));
    for (const type of MODERN) {
      expect(file.arrays.get(type)?.type).toBe(type);
      expect(await valuesOf(file.arrays.get(type)), type).toEqual([1, 2, 100]);
    }
    const classic = writeNetcdf3({ version: 2, records: 0, dimensions, variables });
    await expect(openArrays(classic)).rejects.toThrow('input: has a damaged NetCDF3 header: there is no type 7');
  });

  it('finds no padding between the records of a variable that is the only one to grow', async () => {
    const variables = [content.variables[0], content.variables[2]];
    const file = await openArrays(writeNetcdf3({ ...content, variables }));
    expect(await valuesOf(file.arrays.get('bytes'))).toEqual(content.variables[0].values);
  });

  test.each(VERSIONS)(
    'counts the records of version %i by the size of the file where the header does not',
    async (version) => {
      const whole = writeNetcdf3({ ...content, version, isStream: true });
      const file = await openArrays(whole);
      expect(await valuesOf(file.arrays.get('halves'))).toEqual(content.variables[1].values);
      const cut = await openArrays(whole.slice(0, -1));
      expect(await valuesOf(cut.arrays.get('time'))).toEqual([1e300, -2]);
    },
  );

  it('reads long arrays with what is between the values, or without', async () => {
    const shape = [6, 80, 60, 11];
    const dimensions = shape.map((length, d) => ({ name: `d${d}`, length }));
    const values = count(6 * 80 * 60 * 11);
    const variables = [{ name: 'long', type: 'int32' as const, dimensions: [0, 1, 2, 3], values }];
    const file = await openArrays(writeNetcdf3({ version: 2, records: 0, dimensions, variables }));
    for (const size of [
      [6, 80, 60, 11],
      [6, 1, 1, 1],
      [6, 2, 1, 1],
      [6, 80, 1, 11],
      [6, 80, 60, 2],
      [3, 40, 30, 5],
      [1, 70, 60, 11],
      [4, 79, 60, 11],
    ]) {
      const box = { start: shape.map((length, d) => length - size[d]), count: size };
      const found = await valuesOf(file.arrays.get('long'), box);
      expect(found.length).toBe(size[0] * size[1] * size[2] * size[3]);
      const expected = layoutBox(values, shape, box);
      expect(found.findIndex((value, i) => value !== expected[i])).toBe(-1);
    }
  });

  it('reads every box of every array as its slow twin does', async () => {
    await fc.assert(
      fc.asyncProperty(arraysWithBoxes, async ({ version, types, shape, grows, starts, sizes }) => {
        const dimensions = shape.map((length, d) => ({ name: `d${d}`, length: grows && d === 0 ? 0 : length }));
        const values = count(shape.reduce((product, length) => product * length, 1)).map((i) => i % 128);
        const own = shape.map((_, d) => d);
        const variables = types.map((type, v) => ({ name: `v${v}`, type, dimensions: own, values }));
        const file = await openArrays(writeNetcdf3({ version, records: shape[0], dimensions, variables }));
        const start = shape.map((length, d) => Math.floor(starts[d] * length));
        const box = { start, count: shape.map((length, d) => Math.ceil(sizes[d] * (length - start[d]))) };
        for (const array of file.arrays.values()) {
          expect(await valuesOf(array, box)).toEqual(layoutBox(values, shape, box));
        }
      }),
      { numRuns: isFullCheck ? 200 : 66, seed: 20_221_002 },
    );
  });

  test.each(VERSIONS)('believes no value of version %i cut anywhere', async (version) => {
    const whole = writeNetcdf3({ ...content, version });
    for (let length = 0; length < whole.length; length++) {
      const opening = openArrays(whole.slice(0, length), { source: 'cut.nc' });
      await expect(opening, `${length} of ${whole.length} bytes`).rejects.toThrow(FormatError);
    }
    await expect(openArrays(whole.slice(0, -1), { source: 'cut.nc' })).rejects.toThrow(
      `cut.nc: is truncated: it has ${whole.length - 1} bytes and needs ${whole.length}`,
    );
  });

  it('either opens damaged bytes or states what is wrong with them', async () => {
    const whole = writeNetcdf3(content);
    await fc.assert(
      fc.asyncProperty(fc.nat(400), fc.nat(255), async (at, byte) => {
        const bytes = whole.slice();
        bytes[at] = byte;
        bytes.set(whole.subarray(0, 4));
        const file = await openArrays(bytes).catch((error) => {
          if (!isPlumecastError(error)) throw error;
        });
        for (const array of file?.arrays.values() ?? []) {
          if (array.type === 'text') await array.readTexts();
          else await valuesOf(array);
        }
      }),
      { numRuns: isFullCheck ? 500 : 166, seed: 20_221_002 },
    );
  });

  it('rejects boxes that are not within the array, and values of another type or too few', async () => {
    const file = await openArrays(writeNetcdf3(content));
    const halves = file.arrays.get('halves');
    const read = (start: number[], size: number[], into: Int16Array | Int32Array) =>
      halves?.read({ start, count: size }, into);
    await expect(read([0, 3], [3, 3], new Int16Array(9))).rejects.toThrow(
      'halves: box is not within the array; received "start 0, 3 count 3, 3"; allowed: 3 x 5',
    );
    await expect(read([-1, 0], [1, 1], new Int16Array(9))).rejects.toThrow(OptionError);
    await expect(read([0], [1], new Int16Array(9))).rejects.toThrow(OptionError);
    await expect(read([0, 0], [3, 5], new Int16Array(14))).rejects.toThrow(
      'halves: values do not fit; received "Int16Array of 14"; allowed: Int16Array of 15',
    );
    await expect(read([0, 0], [1, 5], new Int32Array(5))).rejects.toThrow(OptionError);
    await expect(halves?.readTexts()).rejects.toThrow('halves: is an array of numbers; allowed: read()');
    await expect(file.arrays.get('names')?.read({ start: [0], count: [1] }, new Uint8Array(9))).rejects.toThrow(
      'names: is an array of texts; allowed: readTexts()',
    );
  });
});

const folder = referenceFolder('gefs-fcre-2022');
describe.skipIf(folder === undefined)('the NetCDF3 file of the reference data', () => {
  test.each(['precip', 't2m'])('has the daily values of %s that its table has', async (name) => {
    const file = await openArrays(readFileSync(join(folder as string, 'daily_nc3_f64.nc')), {
      source: 'daily_nc3_f64.nc',
    });
    const array = file.arrays.get(name);
    expect(array).toMatchObject({ type: 'float64', dimensions: ['number', 'time'], shape: [31, 35] });
    const csv = readReferenceCsv(
      join(folder as string, `${name === 'precip' ? 'precip_mm' : 't2m_degC'}_members_daily.csv`),
    );
    const members = csv.names.filter((column) => column !== 'date').map((column) => csv.numbers(column));
    expect(await valuesOf(array)).toEqual(members.flat());
    expect(array && wholeBox(array)).toEqual({ start: [0, 0], count: [31, 35] });
  });
});

const arraysWithBoxes = fc
  .record({ version: fc.constantFrom(...VERSIONS), rank: fc.integer({ min: 1, max: 4 }), grows: fc.boolean() })
  .chain(({ version, rank, grows }) => {
    const each = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: rank, maxLength: rank });
    const share = fc.double({ min: 0, max: 0.99, noNaN: true });
    return fc.record({
      version: fc.constant(version),
      grows: fc.constant(grows),
      types: fc.array(fc.constantFrom(...(version === 5 ? MODERN : CLASSIC)), { minLength: 1, maxLength: 3 }),
      shape: each(fc.integer({ min: 1, max: 7 })),
      starts: each(share),
      sizes: each(share),
    });
  });
