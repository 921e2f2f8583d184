import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * Forecasts as weather centres and archives lay them out (`write_centres.py`): daily values are those of the hours that all
 * are made of, without a warning, or what may be wrong is said.
 */

interface Case {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The warning; empty where there must be none. */
  readonly said: string;
  /** The mean over the members of each day at the first place; empty where no day is right. */
  readonly days: Readonly<Record<string, number>>;
  /** What the error says. */
  readonly fails: string;
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-centres-'));
afterAll(() => rmSync(folder, { recursive: true }));
const cases: Case[] = hasPython('xarray', 'pandas', 'netCDF4', 'eccodes')
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_centres.py'), [folder]))
  : [];

/** The mean of each day with a value at the first place of statistics in CSV. */
function daysOfFirstPlace(csv: string): [string, number][] {
  const [header, ...lines] = csv.trim().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => new Map(line.split(',').map((cell, i) => [names[i], cell])));
  const own = rows.filter((row) => ['latitude', 'longitude'].every((name) => row.get(name) === rows[0].get(name)));
  return own.flatMap((row) => (row.get('mean') ? [[String(row.get('start')), Number(row.get('mean'))]] : []));
}

describe.skipIf(cases.length === 0)('files as weather centres and archives have them', () => {
  it.each(cases)('$name', async ({ file, args, said, days, fails }) => {
    const { code, out, err } = await plumecastHere('stats', join(folder, file), '--format', 'csv', ...args);
    if (fails !== '') {
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(fails)]);
      return;
    }
    expect([code, err]).toEqual([0, expect.stringContaining(said)]);
    const warnings = err.split('\n').filter((line) => line.startsWith('warning:'));
    expect(warnings).toHaveLength(said === '' ? 0 : 1);
    expect(warnings.join()).toContain(said);
    const found = daysOfFirstPlace(out);
    if (Object.keys(days).length === 0) return expect(found.length).toBeGreaterThan(2);
    expect(found.map(([day]) => day)).toEqual(Object.keys(days));
    for (const [day, value] of found) expect(Math.abs(value - days[day])).toBeLessThan(1e-4);
  });
});
