import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AttributeValue, type StoredArray, UnreadAttribute } from '../../../src/files/array/array-file.js';
import { textAttribute } from '../../../src/files/cf/attribute-values.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { clearMissing, scaleValues, takeDecoded, valueCoding } from '../../../src/files/cf/value-coding.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { zarrFixture } from '../zarr/zarr-fixture.js';
import { memoryFile } from './memory-file.js';

function coding(attributes: Record<string, AttributeValue | UnreadAttribute>) {
  const { arrays } = memoryFile({ tas: { type: 'int16', dimensions: { x: 1 }, values: [1], attributes } });
  return valueCoding(arrays.get('tas') as StoredArray, 'test.nc');
}

describe('attributes that say how numbers are stored', () => {
  it.each<[string, AttributeValue, string]>([
    ...([Infinity, -Infinity, Number.NaN, 0, 5e-324, -1e-308, '0.1', 'tenth', '', [1, 2], []] as AttributeValue[]).map(
      (value) => ['scale_factor', value, 'one finite number other than 0'] as [string, AttributeValue, string],
    ),
    ...([Infinity, Number.NaN, 'warm', [1, 2]] as AttributeValue[]).map(
      (value) => ['add_offset', value, 'one finite number'] as [string, AttributeValue, string],
    ),
    ['_FillValue', 'none', 'numbers'],
    ['missing_value', ['-99', 'gone'], 'numbers'],
    ['missing_value', [], 'numbers'],
    ['_Unsigned', 1, 'true or false'],
    ['valid_min', Number.NaN, 'one number'],
    ['valid_max', [1, 2], 'one number'],
    ['valid_range', 5, 'two numbers, the lower one first'],
    ['valid_range', [2, 1], 'two numbers, the lower one first'],
    ['valid_range', [0, Number.NaN], 'two numbers, the lower one first'],
  ])('are an error: %s %s', (name, value, allowed) => {
    expect(() => coding({ [name]: value })).toThrow(
      `test.nc, column tas: the attribute ${name} cannot be used; received "${[value].flat().join(', ')}"; allowed: ${allowed}`,
    );
  });

  it('may be in lists of one, NaN, infinite limits, and several fill values', () => {
    const found = coding({
      ...{ scale_factor: [0.5], add_offset: 1, _FillValue: Number.NaN, missing_value: [-99, -98] },
      valid_range: [0, Infinity],
    });
    expect(found).toMatchObject({ scale: 0.5, offset: 1, fills: [-99, -98], lowest: 0, highest: Infinity });
    expect(coding({ _FillValue: 'NaN', valid_min: -Infinity }).fills).toEqual([]);
  });

  it('are an error where a file is opened, for coordinates, too', async () => {
    const time = { dimensions: { time: 2 }, values: [0, 1], attributes: { units: 'days since 2026-03-02' } };
    const tas = { dimensions: { time: 2 }, values: [1, 2], attributes: { units: 'degC' } };
    const scaled = <T extends { attributes: object }>(array: T) => ({
      ...array,
      attributes: { ...array.attributes, scale_factor: Infinity },
    });
    await expect(gridEnsemble(memoryFile({ time, tas: scaled(tas) }))).rejects.toThrow(
      'column tas: the attribute scale_factor',
    );
    await expect(gridEnsemble(memoryFile({ time: scaled(time), tas }))).rejects.toThrow(
      'column time: the attribute scale_factor',
    );
  });

  it.each(['scale_factor', 'add_offset', '_FillValue', 'missing_value', 'valid_min', 'valid_range', '_Unsigned'])(
    'are an error where they are of a type that is not read: %s',
    (name) => {
      const unread = new UnreadAttribute('a compound of 8 bytes', { source: 'test.nc', column: 'tas' });
      const message = `test.nc, column tas: the attribute ${name} cannot be used; received "a compound of 8 bytes"`;
      expect(() => coding({ [name]: unread })).toThrow(message);
      expect(coding({ other: unread }).scale).toBe(1);
    },
  );

  it('are an error in HDF5 in types that are not read, which do no harm to others', async () => {
    const path = join(import.meta.dirname, '../../fixtures/arrays/odd-attributes.h5');
    const file = await openArrays(new Uint8Array(await readFile(path)), { source: 'odd.h5' });
    const fault = (name: string) => {
      try {
        return String(valueCoding(file.arrays.get(name) as StoredArray, 'odd.h5').scale);
      } catch (error) {
        return /^odd.h5, column (\w+): the attribute scale_factor .*received "([^"]*)"/.exec(
          String((error as Error).message),
        )?.[2];
      }
    };
    const names = [...file.arrays.keys()].filter((name) => name !== 'time');
    expect(Object.fromEntries(names.map((name) => [name, fault(name)]))).toEqual({
      complex: 'a compound of 16 bytes',
      compound: 'a compound of 8 bytes',
      enumeration: 'an enumeration of 1 byte',
      half: 'a float of 2 bytes',
      harmless: '1',
      long_double: 'a float of 16 bytes',
      nothing: '',
      opaque: 'an opaque value of 8 bytes',
      reference: 'a reference of 8 bytes',
    });
    expect(String(file.attributes.get('is_odd'))).toBe('an enumeration of 1 byte');
    expect(() => textAttribute(file.attributes, 'is_odd')).toThrow('odd.h5: the attribute is_odd cannot be used');
    await file.close();
  });

  it.each([[{ by: 2 }], [{}], [[[2]]], [[2, 'x']], [true], [null]])(
    'are an error in Zarr as JSON of other kinds: %j',
    async (value) => {
      const store = await zarrFixture(3, {
        tas: {
          ...{ type: 'float32', dimensions: ['x'], shape: [1], chunk: [1], values: [1] },
          attributes: { scale_factor: value },
        },
      });
      const array = (await openArrays(store)).arrays.get('tas') as StoredArray;
      expect(() => valueCoding(array, 'store')).toThrow('column tas: the attribute scale_factor cannot be used');
    },
  );
});

describe('values at some offsets', () => {
  it.each([
    ['no missing value', {}],
    ['one', { fills: [3] }],
    ['several', { fills: [3, 5] }],
    ['a range', { lowest: 2, highest: 6 }],
  ])('are decoded as the copies of all are: %s', (_, given) => {
    const none = { fills: [], lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY };
    const stored = { type: 'float32' as const, scale: 1, offset: 0, ...none, ...given };
    const values = Float32Array.from({ length: 40 }, (_, i) => (i % 11 === 7 ? Number.NaN : i % 8));
    const offsets = Int32Array.of(0, 1, 2, 3, 5, 9, 10, 11, 12, 13, 14, 20, 30);
    const expected = Float32Array.from(offsets, (offset) => values[4 + offset]);
    clearMissing(expected, stored);
    scaleValues(expected, 0.1, -273.15);
    const found = new Float32Array(offsets.length);
    takeDecoded(values, 4, offsets, found, stored, { factor: 0.1, offset: -273.15 });
    expect(found).toEqual(expected);
  });
});
