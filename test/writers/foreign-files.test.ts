import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasProgram, hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * Files as other programs write them (`write_foreign.py`), whose dates, units or names are unusual: daily values are
 * those of pandas or xarray, or an error says why there are none.
 */

interface Case {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** What is said of it; empty where nothing must be. */
  readonly said: string;
  /** The daily values of the first place; null where one is missing. */
  readonly days: Readonly<Record<string, number | null>>;
  /** What the error says. */
  readonly fails: string;
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));
hasProgram('cdo', '--version');
const cases: Case[] = hasPython('xarray', 'pandas', 'netCDF4', 'zarr', 'pyarrow')
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_foreign.py'), [folder]))
  : [];

/** The mean of each day at the first place of statistics in CSV. */
function daysOfFirstPlace(csv: string): Map<string, number> {
  const [header, ...lines] = csv.trim().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => new Map(line.split(',').map((cell, i) => [names[i], cell])));
  const placeOf = (row: Map<string, string>) => `${row.get('latitude')}, ${row.get('longitude')}`;
  const own = rows.filter((row) => placeOf(row) === placeOf(rows[0]));
  return new Map(own.map((row) => [row.get('start') ?? '', Number(row.get('mean') || Number.NaN)]));
}

describe.skipIf(cases.length === 0)('files as other programs write them', () => {
  it.each(cases)('$name', async ({ file, args, said, days, fails }) => {
    const { code, out, err } = await plumecastHere('stats', join(folder, file), '--format', 'csv', ...args);
    if (fails !== '') {
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(fails)]);
      return;
    }
    expect([code, err]).toEqual([0, expect.stringContaining(said)]);
    const found = daysOfFirstPlace(out);
    expect([...found.keys()]).toEqual(Object.keys(days));
    for (const [day, value] of Object.entries(days)) {
      if (value === null) expect(found.get(day)).toBeNaN();
      else expect(found.get(day)).toBeCloseTo(value, 9);
    }
  });
});
