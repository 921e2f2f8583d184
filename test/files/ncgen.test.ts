import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { hasProgram } from '../reference/foreign-programs.js';
import { valuesOf } from './stored-values.js';

const hasNcgen = hasProgram('ncgen', '-h');

const folder = mkdtempSync(join(tmpdir(), 'plumecast-ncgen-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CDL = `netcdf sample {
dimensions: time = UNLIMITED ; x = 3 ; length = 4 ;
variables:
  byte flag(time, x) ; flag:valid_range = 0b, 9b ;
  short packed(time, x) ; packed:scale_factor = 0.5 ; packed:_FillValue = -7s ;
  int time(time) ; time:units = "days since 2024-01-01" ;
  float grid(x) ;
  double deep(time) ;
  char name(x, length) ;
  :title = "made by ncgen" ;
data:
  flag = 1, 2, 3, 4, 5, 6 ;
  packed = -300, 2, _, 4, 5, 600 ;
  time = 0, 1 ;
  grid = 0.5, 1.5, 2.5 ;
  deep = 1e-300, 2 ;
  name = "a", "bc", "defg" ;
}`;
const VALUES = {
  flag: [1, 2, 3, 4, 5, 6],
  packed: [-300, 2, -7, 4, 5, 600],
  time: [0, 1],
  grid: [0.5, 1.5, 2.5],
  deep: [1e-300, 2],
};

describe.skipIf(!hasNcgen)('openArrays', () => {
  test.each([
    ['classic', 'NetCDF3'],
    ['64-bit offset', 'NetCDF3'],
    ['64-bit data', 'NetCDF3'],
    ['netCDF-4', 'NetCDF4'],
    ['netCDF-4 classic model', 'NetCDF4'],
  ])('reads what ncgen writes as %s', async (kind, format) => {
    const text = join(folder, 'sample.cdl');
    const path = join(folder, `${kind}.nc`);
    writeFileSync(text, CDL);
    expect(String(spawnSync('ncgen', ['-k', kind, '-o', path, text]).stderr)).toBe('');
    const file = await openArrays(path);
    try {
      expect(file.format).toBe(format);
      expect([...file.attributes]).toEqual([['title', 'made by ncgen']]);
      expect([...file.arrays.keys()]).toEqual(['flag', 'packed', 'time', 'grid', 'deep', 'name']);
      for (const [name, values] of Object.entries(VALUES)) {
        expect(await valuesOf(file.arrays.get(name)), name).toEqual(values);
      }
      expect(await file.arrays.get('name')?.readTexts()).toEqual(['a', 'bc', 'defg']);
      expect(file.arrays.get('packed')).toMatchObject({ type: 'int16', dimensions: ['time', 'x'], shape: [2, 3] });
      expect(Object.fromEntries(file.arrays.get('packed')?.attributes ?? [])).toEqual({
        scale_factor: 0.5,
        _FillValue: -7,
      });
      expect([...(file.arrays.get('flag')?.attributes ?? [])]).toEqual([['valid_range', [0, 9]]]);
    } finally {
      await file.close();
    }
  });
});
