import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * Arrays with the names, units and times of WRF, AgERA5, CESM, GLDAS, IMERG and others (`write_models.py`).
 */

interface Written {
  readonly name: string;
  readonly variable: string;
  readonly days: readonly number[];
  readonly options: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-models-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written: Written[] = hasPython('xarray', 'netCDF4', 'zarr')
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_models.py'), [folder]))
  : [];

const stats = (name: string, variable: string, ...options: readonly string[]) =>
  plumecastHere('stats', join(folder, name), '--variable', variable, '--format', 'csv', ...options);

describe.skipIf(written.length === 0)('arrays of models and data sets', () => {
  it.each(written)('$name has its days of $variable $options', async ({ name, variable, days, options }) => {
    const { code, out, err } = await stats(name, variable, ...options);
    expect(code, err).toBe(0);
    const [header, ...rows] = out.trim().split('\n');
    const mean = header.split(',').indexOf('mean');
    for (const [i, day] of days.entries()) expect(Number(rows[i].split(',')[mean])).toBeCloseTo(day, 4);
  });

  it('of WRF with a grid that moves are an error', async () => {
    expect((await stats('wrf-moving', 'temp_mean')).err).toContain('column XLAT: the grid moves');
  });
});
