import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { valuesOf } from '../stored-values.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-compressed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const expected: Record<string, readonly number[]> = hasPython('netCDF4', 'h5py')
  ? JSON.parse(pythonFile(join(import.meta.dirname, 'write_compressed.py'), [folder]))
  : {};

describe.skipIf(Object.keys(expected).length === 0)('arrays that the netCDF4 library compressed', () => {
  it('have the values that it reads, of every compression and type, also in chunks that were never written', async () => {
    const file = await openArrays(join(folder, 'compressed.nc'));
    for (const [name, values] of Object.entries(expected)) {
      expect([name, await valuesOf(file.arrays.get(name))]).toEqual([name, values]);
      const part = await valuesOf(file.arrays.get(name), { start: [30, 35], count: [20, 10] });
      expect(part).toEqual(values.filter((_, i) => i >= 30 * 90 && i < 50 * 90 && i % 90 >= 35 && i % 90 < 45));
    }
    await file.close();
  });

  it.each(['zstd_f4', 'blosc_lz4_f4'])('are an error that names the chunk where one is damaged: %s', async (name) => {
    const file = await openArrays(join(folder, 'damaged.nc'));
    await expect(valuesOf(file.arrays.get(name))).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringContaining(`${join(folder, 'damaged.nc')}, array ${name}, chunk 0/0: a chunk is damaged`),
    });
    expect(await valuesOf(file.arrays.get('zstd_i2'))).toEqual(expected.zstd_i2);
    await file.close();
  });
});
