import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredArray } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import type { ZarrFile } from '../../../src/files/zarr/index.js';
import { zarrFolder } from '../../../src/files/zarr/open-zarr-folder.node.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { arrayOf, grid } from './zarr-fixture.js';

const SHAPE = [7, 11, 13];

/**
 * Stores of both versions, with and without consolidated metadata, in every form that zarr-python and numcodecs write
 * and is read here.
 */
const WRITE = `
import warnings; warnings.simplefilter('ignore')
import sys, shutil, numpy as np, zarr, numcodecs, xarray as xr
from zarr.codecs import *
root = sys.argv[1]
a = np.arange(7 * 11 * 13).reshape(7, 11, 13) * 0.5 - 100
def put(group, name, data, names=None, **how):
    z = group.create_array(name, shape=data.shape, dtype=data.dtype, **{'chunks': (3, 4, 5)[:data.ndim], **({'dimension_names': names} if names else {}), **how})
    z[...] = data
    return z
v3 = zarr.open_group(root + '/v3', mode='w', zarr_format=3)
tyx = ['t', 'y', 'x']
put(v3, 'float32/zstd', a.astype('f4'), tyx)
put(v3, 'float64/gzip', a, tyx, compressors=[GzipCodec()])
put(v3, 'float64/checked', a, tyx, compressors=[ZstdCodec(checksum=True), Crc32cCodec()])
put(v3, 'int16/blosc', a.astype('i2'), tyx, compressors=[BloscCodec(cname='zstd', shuffle='bitshuffle')])
put(v3, 'int32/raw', a.astype('i4'), tyx, compressors=None)
put(v3, 'float32/big', a.astype('f4'), tyx, compressors=None, serializer=BytesCodec(endian='big'))
put(v3, 'float32/transposed', a.astype('f4'), tyx, filters=[TransposeCodec(order=(2, 0, 1))])
put(v3, 'float32/sharded', a.astype('f4'), tyx, chunks=(3, 2, 5), shards=(6, 6, 10))
first = ShardingCodec(chunk_shape=(7, 1, 13), codecs=[BytesCodec(), GzipCodec()], index_location='start')
put(v3, 'float64/index-first', a, tyx, chunks=(7, 11, 13), serializer=first, compressors=None)
put(v3, 'int64/dotted', a.astype('i8'), tyx, chunk_key_encoding={'name': 'v2', 'separator': '.'})
put(v3, 'uint8/bool', a > 0, tyx)
put(v3, 'names', np.array(['a', 'bé', 'ccc'], dtype='U5'), ['n'], chunks=(2,))
z = v3.create_array('words', shape=(3,), dtype=str, chunks=(2,)); z[:] = np.array(['one', 'två', 'x' * 50], dtype=object)
v2 = zarr.open_group(root + '/v2', mode='w', zarr_format=2)
def old(name, data, **how):
    put(v2, name, data, **how).attrs['_ARRAY_DIMENSIONS'] = tyx[:data.ndim]
old('float32/big', a.astype('>f4'), compressors=numcodecs.Zlib())
old('float64/fortran', a, order='F', compressors=numcodecs.LZ4())
old('int16/shuffled', a.astype('i2'), filters=[numcodecs.Shuffle(2)], compressors=numcodecs.Zstd())
old('float32/blosc', a.astype('f4'), compressors=numcodecs.Blosc('blosclz'), chunk_key_encoding={'name': 'v2', 'separator': '/'})
old('int32/gzip', a.astype('i4'), compressors=numcodecs.GZip())
old('uint8/bool', a > 0)
old('names', np.array([b'ab', b'c', b'dddd']), chunks=(2,))
z = v2.create_array('words', shape=(3,), dtype=str, chunks=(2,)); z[:] = np.array(['one', 'två', 'x' * 50], dtype=object)
for version in 2, 3:
    shutil.copytree(f'{root}/v{version}', f'{root}/v{version}-consolidated')
    zarr.consolidate_metadata(f'{root}/v{version}-consolidated')
    values = np.array([[1, np.nan, 3]], dtype='f4')
    data = xr.Dataset({'rain': (('number', 'time'), values, {'units': 'mm'})}, {'number': [0], 'time': [0, 1, 2]})
    data.to_zarr(f'{root}/xarray-v{version}', zarr_format=version)
`;

const isThere = hasPython('zarr', 'numcodecs', 'xarray');

describe.skipIf(!isThere)('what zarr-python writes', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'plumecast-zarr-'));
    python(WRITE, { args: [root] });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(['v2', 'v2-consolidated', 'v3', 'v3-consolidated'])('is read with equal values (%s)', async (name) => {
    const file = await openArrays(`${root}/${name}`);
    const start = [1, 2, 3];
    const count = [5, 7, 10];
    const numbers = [...file.arrays.values()].filter(({ type }) => type !== 'text');
    expect(numbers).toHaveLength(name.startsWith('v2') ? 6 : 11);
    for (const array of numbers) {
      expect(array.name).toMatch(new RegExp(`^${array.type}/`));
      expect(array.dimensions.map((dimension) => dimension.slice(-1))).toEqual(['t', 'y', 'x']);
      const into = arrayOf(array.type as 'float32', 350);
      expect(await array.read({ start, count }, into)).toEqual([]);
      const expected = grid(count).map(
        (at) => at.reduce((row, along, d) => row * SHAPE[d] + start[d] + along, 0) * 0.5 - 100,
      );
      const stored = (value: number) => {
        if (array.name.endsWith('bool')) return Number(value > 0);
        return array.type.startsWith('int') ? Math.trunc(value) + 0 : value;
      };
      expect([array.name, ...Array.from(into, Number)]).toEqual([array.name, ...expected.map(stored)]);
    }
    const texts = (array: string) => file.arrays.get(array)?.readTexts();
    expect(await texts('words')).toEqual(['one', 'två', 'x'.repeat(50)]);
    expect(await texts('names')).toEqual(name.startsWith('v2') ? ['ab', 'c', 'dddd'] : ['a', 'bé', 'ccc']);
  });

  it.each([2, 3])('by xarray has its missing values and its coordinates (v%i)', async (version) => {
    const file: ZarrFile = await openArrays(zarrFolder(`${root}/xarray-v${version}`));
    const rain = file.arrays.get('rain') as StoredArray;
    expect(rain.attributes.get('_FillValue')).toBeNaN();
    expect(rain.dimensions).toEqual(['number', 'time']);
    const values = new Float32Array(3);
    expect(await rain.read({ start: [0, 0], count: [1, 3] }, values)).toEqual([]);
    expect([...values]).toEqual([1, Number.NaN, 3]);
    // Of nothing but zeros: zarr-python has written no chunk.
    const member = new BigInt64Array(1).fill(9n);
    expect(await file.arrays.get('number')?.read({ start: [0], count: [1] }, member)).toEqual([]);
    expect(member[0]).toBe(0n);
  });
});
