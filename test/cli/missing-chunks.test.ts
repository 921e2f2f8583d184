import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { plumecastHere } from './run-here.js';

const REQUEST = ['--granularity', 'weekly', '--min-member-share', '0.5', '--format', 'json'];

describe.skipIf(!hasPython('xarray', 'zarr'))('chunks of zeros that zarr-python left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-chunks-'));
  let means: number[];
  beforeAll(() => {
    means = JSON.parse(pythonFile(resolve(import.meta.dirname, 'write-dry.py'), [folder]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const stats = async (name: string, ...more: string[]) => {
    const { code, out, err } = await plumecastHere('stats', join(folder, name), ...REQUEST, ...more);
    return { code, err, means: JSON.parse(out).map(({ mean }: { mean: number }) => mean) };
  };

  it.each(['v2.zarr', 'v3.zarr'])('are missing with a warning that names the option: %s', async (name) => {
    const { code, err, means: own } = await stats(name);
    expect([code, own]).toEqual([0, [35, 35]]);
    expect(err).toBe(
      `warning: ${join(folder, name)}: some chunks of precipitation that were read are not in the store: their values are missing; if their writer left out what is all 0, use --missing-chunks fill\n`,
    );
  });

  it.each(['v2.zarr', 'v3.zarr'])('are zeros with it, as xarray reads them: %s', async (name) => {
    expect(await stats(name, '--missing-chunks', 'fill')).toEqual({ code: 0, err: '', means });
  });

  it('are missing in stores that are joined, with a warning that says how to read them', async () => {
    const paths = [0, 1, 2, 3].map((member) => join(folder, `mem${member}.zarr`));
    const { err, out } = await plumecastHere('stats', ...paths, ...REQUEST);
    expect(JSON.parse(out).map(({ mean }: { mean: number }) => mean)).toEqual([35, 35]);
    expect(err).toContain('if their writer left out what is all 0, convert each store with --missing-chunks fill');
  });

  it('are missing without a word where the fill value says so', async () => {
    expect(await stats('nan.zarr')).toEqual({ code: 0, err: '', means: [35, 35] });
  });
});
