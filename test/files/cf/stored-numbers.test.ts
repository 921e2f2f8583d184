import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { ArrayType, AttributeValue } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { dailyValues } from './daily-values.js';
import { type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const MISSING = Number.NaN;

/** The values of a single series of days, as read, and their type. */
async function series(
  type: ArrayType,
  values: MemoryArray['values'],
  attributes: Record<string, AttributeValue> = {},
  isThere?: MemoryArray['isThere'],
  missing?: number | number[],
) {
  const file = memoryFile({
    time: {
      dimensions: { time: values.length },
      values: Array.from({ length: values.length }, (_, i) => i),
      attributes: { units: 'days since 2001-01-01' },
    },
    tas: { type, dimensions: { time: values.length }, values, attributes: { units: 'degC', ...attributes }, isThere },
  });
  const ensemble = await gridEnsemble(file, { missing });
  return { type: ensemble.type, values: (await dailyValues(ensemble, core))[0][0] };
}

describe('stored numbers', () => {
  it('_FillValue and all of missing_value are missing, besides NaN', async () => {
    const attributes = { _FillValue: -9999, missing_value: [-8888, 1e20] };
    const { values } = await series('float32', [1, -9999, 2, -8888, 1e20, Number.NaN], attributes);
    expect(values).toEqual([1, MISSING, 2, MISSING, MISSING, MISSING]);
  });

  it('missing values are found anywhere in a long series', async () => {
    const values = new Float32Array(20_000).fill(3);
    for (const day of [5, 6, 9000, 19_999]) values[day] = -1;
    const { values: read } = await series('float32', values, { _FillValue: -1 });
    expect(read.flatMap((value, day) => (Number.isNaN(value) ? day : []))).toEqual([5, 6, 9000, 19_999]);
  });

  it('a fill value is compared in the type of the array', async () => {
    expect((await series('float32', [1, -99.9], { _FillValue: -99.9 })).values).toEqual([1, MISSING]);
    expect((await series('float64', [1, -99.9], { missing_value: '-99.9' })).values).toEqual([1, MISSING]);
  });

  it('decoded numbers given as missing are missing, in the type of the array', async () => {
    const given = (type: ArrayType, values: number[], attributes: Record<string, AttributeValue>, missing: number[]) =>
      series(type, values, attributes, undefined, missing).then(({ values: read }) => read);
    expect(await given('float32', [1, -9999.9, 2], {}, [-9999.9])).toEqual([1, MISSING, 2]);
    expect(await given('float64', [1, -9999, -99.9], { _FillValue: 1 }, [-9999, -99.9])).toEqual([
      MISSING,
      MISSING,
      MISSING,
    ]);
    const packed = { scale_factor: 0.1, add_offset: 5 };
    expect(await given('int32', [-50, -100_040, -9999], packed, [-9999])).toEqual([0, MISSING, -9999 * 0.1 + 5]);
    expect(await given('int16', [-50, 7], packed, [-9999])).toEqual([0, Math.fround(7 * 0.1 + 5)]);
  });

  it('the default fill value of NetCDF is missing where none is declared', async () => {
    const fill = 9.969209968386869e36;
    expect((await series('float32', [1, fill])).values).toEqual([1, MISSING]);
    expect((await series('float64', [1, fill])).values).toEqual([1, MISSING]);
    expect((await series('int16', [1, -32767])).values).toEqual([1, MISSING]);
    expect((await series('int8', [1, -127])).values).toEqual([1, -127]);
    expect((await series('int16', [1, -32767], { _FillValue: -1 })).values).toEqual([1, -32767]);
  });

  it('values outside of valid_min, valid_max and valid_range are missing', async () => {
    expect((await series('float32', [-1, 0, 9, 10], { valid_min: 0 })).values).toEqual([MISSING, 0, 9, 10]);
    expect((await series('float64', [-1, 0, 9, 10], { valid_max: 9 })).values).toEqual([-1, 0, 9, MISSING]);
    const packed = { valid_range: [0, 90], scale_factor: 0.1 };
    expect((await series('int16', [-1, 0, 90, 91], packed)).values).toEqual([MISSING, 0, 9, MISSING]);
  });

  it('a valid range with decimals is in the unit of unpacked values', async () => {
    const packed = { valid_range: [0, 8.5], scale_factor: 0.5 };
    expect((await series('int16', [-1, 0, 17, 18], packed)).values).toEqual([MISSING, 0, 8.5, MISSING]);
  });

  it('packed values are unpacked in float64 and rounded once', async () => {
    const packed = { scale_factor: 0.01, add_offset: 273.15, _FillValue: -32768, units: 'K' };
    const { type, values } = await series('int16', [1234, -32768, -5], packed);
    expect(type).toBe('float32');
    expect(values).toEqual([
      Math.fround(1234 * 0.01 + 273.15 - 273.15),
      MISSING,
      Math.fround(-5 * 0.01 + 273.15 - 273.15),
    ]);
  });

  it('integers of 32 and 64 bits and float64 give float64, others float32', async () => {
    const types = ['int8', 'uint8', 'int16', 'uint16', 'float32', 'int32', 'uint32', 'float64'] as const;
    for (const [i, type] of types.entries()) {
      expect(await series(type, [3, 4])).toEqual({ type: i < 5 ? 'float32' : 'float64', values: [3, 4] });
    }
    for (const type of ['int64', 'uint64'] as const) {
      expect(await series(type, [3n, 4n], { _FillValue: 4 })).toEqual({ type: 'float64', values: [3, MISSING] });
    }
  });

  it('_Unsigned makes signed bytes unsigned, fill value included', async () => {
    const attributes = { _Unsigned: 'true', _FillValue: -1, scale_factor: 0.5 };
    expect((await series('int8', [1, -2, -1], attributes)).values).toEqual([0.5, 127, MISSING]);
  });

  it('elements that were never written are missing, for every type', async () => {
    const isThere = ([day]: readonly number[]) => day !== 1;
    for (const type of ['float32', 'float64', 'int16', 'int32'] as const) {
      expect((await series(type, [1, 2, 3], {}, isThere)).values).toEqual([1, MISSING, 3]);
      expect((await series(type, [1, 2, 3], { scale_factor: 2 }, isThere)).values).toEqual([2, MISSING, 6]);
    }
    expect((await series('int64', [1n, 2n, 3n], {}, isThere)).values).toEqual([1, MISSING, 3]);
  });
});
