import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NumberType } from '../../../src/core/number-arrays.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { arrayOf, zarrFixture } from './zarr-fixture.js';

/** Arrays that zarr-python writes with filters of numcodecs, and what it reads back from them, as float64. */
const WRITE = `
import warnings; warnings.simplefilter('ignore')
import sys, numpy as np, zarr, numcodecs, json
import numcodecs.zarr3 as z3
root = sys.argv[1]
rng = np.random.default_rng(3)
rain = rng.gamma(0.6, 4, (5, 7)).astype('f4') - 2
cases = {}
def put(version, name, data, **how):
    group = zarr.open_group(f'{root}/v{version}', mode='a', zarr_format=version)
    names = {'dimension_names': ['y', 'x']} if version == 3 else {}
    z = group.create_array(name, shape=data.shape, dtype=data.dtype, chunks=(2, 4), **names, **how)
    z[...] = data
    cases[f'v{version}/{name}'] = np.asarray(z[...], 'f8').ravel().tolist()
F = dict(dtype='<f4', astype='<i2')
for version, codecs, raw in (2, numcodecs, None), (3, z3, None):
    def codec(name, **how): return getattr(codecs, name)(**how)
    put(version, 'bitround', rain, filters=[codec('BitRound', keepbits=7)])
    put(version, 'quantize', rain, filters=[codec('Quantize', digits=2, dtype='<f4')])
    put(version, 'scaled', rain, filters=[codec('FixedScaleOffset', scale=100, offset=-1.5, **F)])
    put(version, 'scaled-float64', rain.astype('f8'), filters=[codec('FixedScaleOffset', scale=1000, offset=3, dtype='<f8', astype='<u4')])
    put(version, 'scaled-float32', rain, filters=[codec('FixedScaleOffset', scale=3, offset=0.1, dtype='<f4', astype='<f4')])
    put(version, 'delta', (rain * 100).astype('i4'), filters=[codec('Delta', dtype='<i4')])
    put(version, 'delta-narrow', (rain * 10).astype('i2'), filters=[codec('Delta', dtype='<i2', astype='<i4')])
    put(version, 'delta-int64', (rain * 100).astype('i8') * 10**12, filters=[codec('Delta', dtype='<i8')])
    put(version, 'delta-float32', rain, filters=[codec('Delta', dtype='<f4')])
    put(version, 'two', rain, filters=[codec('FixedScaleOffset', scale=10, offset=0, **F), codec('Delta', dtype='<i2')])
    put(version, 'float16', rain.astype('f2'))
    put(version, 'astype', rain.astype('f8'), filters=[codec('AsType', encode_dtype='<f4', decode_dtype='<f8')])
    put(version, 'narrow', rain, filters=[codec('AsType', encode_dtype='<f2', decode_dtype='<f4')])
put(2, 'big', rain.astype('>f4'), filters=[numcodecs.FixedScaleOffset(scale=10, offset=1, dtype='>f4', astype='>i2')])
put(2, 'float16-big', rain.astype('>f2'))
odd = np.array([[0, -0.0, 6e-8, -6.1e-5], [65504, np.inf, -np.inf, np.nan]], 'f2')
put(3, 'float16-odd', odd)
put(3, 'big-bytes', rain, serializer=zarr.codecs.BytesCodec(endian='big'), filters=[z3.FixedScaleOffset(scale=10, offset=1, **F)])
# zarr-python hands the filter bytes that are still turned, and so reads other values than it was given.
put(3, 'little', rain, filters=[z3.FixedScaleOffset(scale=10, offset=1, **F)])
cases['v3/big-bytes'] = cases['v3/little']
put(3, 'sharded', rain, shards=(4, 8), filters=[z3.FixedScaleOffset(scale=10, offset=1, **F)])
json.dump(cases, open(root + '/cases.json', 'w'))
`;

const isThere = hasPython('zarr', 'numcodecs');

describe.skipIf(!isThere)('filters of numcodecs', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'plumecast-zarr-'));
    python(WRITE, { args: [root] });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('give the values that zarr-python reads', async () => {
    const text = readFileSync(join(root, 'cases.json'), 'utf8').replaceAll(/-?(NaN|Infinity)/g, '"$&"');
    const cases: Record<string, (number | string)[]> = JSON.parse(text);
    expect(Object.keys(cases)).toHaveLength(32);
    for (const version of ['v2', 'v3']) {
      const file = await openArrays(join(root, version));
      for (const array of file.arrays.values()) {
        const into = arrayOf(array.type as NumberType, array.shape[0] * array.shape[1]);
        await array.read({ start: [0, 0], count: [...array.shape] }, into);
        const expected = cases[`${version}/${array.name}`].map(Number);
        expect([array.name, ...Array.from(into, Number)]).toEqual([array.name, ...expected]);
      }
    }
  });
});

describe('a filter', () => {
  const stored = async (filters: unknown) => {
    const fixture = await zarrFixture(2, {
      t2m: { type: 'float32', dimensions: ['t'], shape: [4], chunk: [4], values: [1, 2, 3, 4] },
    });
    const metadata = fixture.json('.zmetadata') as { metadata: Record<string, object> };
    metadata.metadata['t2m/.zarray'] = { ...metadata.metadata['t2m/.zarray'], filters };
    fixture.putJson('.zmetadata', metadata);
    const file = await openArrays(fixture, { source: 'the store' });
    return file.arrays.get('t2m')?.read({ start: [0], count: [4] }, new Float32Array(4));
  };
  it.each([
    [{ id: 'fixedscaleoffset', scale: 0, offset: 0, dtype: '<f4' }, /wrong scale and offset of fixedscaleoffset/],
    [{ id: 'fixedscaleoffset', scale: 1, offset: 'x', dtype: '<f4' }, /wrong scale and offset of fixedscaleoffset/],
    [{ id: 'fixedscaleoffset', scale: 1, offset: 0, dtype: '<c8' }, /wrong dtype of fixedscaleoffset; received "<c8"/],
    [{ id: 'delta', dtype: '<f4', astype: 7 }, /wrong astype of delta; received 7/],
    [{ id: 'delta', dtype: '<f2' }, /delta has values of a type that is not read; received "<f2"/],
    [{ id: 'astype', encode_dtype: '<i8', decode_dtype: '<f4' }, /16 bytes before its filters, not 32/],
    [
      { id: 'astype', encode_dtype: '<f2', decode_dtype: '<f4' },
      /a chunk has more bytes .* received "16 bytes"; allowed: at most 8/,
    ],
  ])('that is wrong is an error (%j)', async (filter, message) => {
    await expect(stored([filter])).rejects.toThrow(message);
    await expect(stored([filter])).rejects.toMatchObject({ name: 'FormatError' });
  });

  it('of v3 whose types have their highest byte first is an error', async () => {
    const fixture = await zarrFixture(3, {
      t2m: { type: 'float32', dimensions: ['t'], shape: [4], chunk: [4], values: [1, 2, 3, 4] },
    });
    const root = fixture.json('zarr.json') as unknown as {
      consolidated_metadata: { metadata: { t2m: { codecs: unknown[] } } };
    };
    const { t2m } = root.consolidated_metadata.metadata;
    t2m.codecs.unshift({ name: 'numcodecs.delta', configuration: { dtype: '>f4' } });
    fixture.putJson('zarr.json', root);
    const file = await openArrays(fixture);
    const reading = file.arrays.get('t2m')?.read({ start: [0], count: [4] }, new Float32Array(4));
    await expect(reading).rejects.toThrow(/types of delta have their highest byte first/);
  });
});
