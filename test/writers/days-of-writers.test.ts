import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { isPlumecastError } from '../../src/errors.js';
import type { Notice } from '../../src/input/notice.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * Values of steps as xarray and pandas write them (`write_days.py`): with times at the start, the middle or the end of each
 * step, with and without bounds, starts of runs and words. The daily values are right, or something is said.
 */

/** A file, and the daily values that are right. */
interface Written {
  readonly file: string;
  readonly variable: string;
  readonly days: Readonly<Record<string, number>>;
  readonly stamp: 'start' | 'middle' | 'end';
  readonly bounds: boolean;
  readonly said: 'nothing' | 'method' | 'grib' | 'words';
  readonly name: string;
}

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-days-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written: Written[] = hasPython('xarray', 'scipy', 'pandas')
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_days.py'), [folder]))
  : [];

type Outcome = 'right' | 'wrong' | 'warned' | 'rejected';

/** Whether the daily values of a file are right, and if not, whether that is said. */
async function outcomeOf({ file, variable, days }: Written, stamps?: Written['stamp'] | 'instant'): Promise<Outcome> {
  const notices: Notice[] = [];
  const amounts = variable === 'precipitation' || variable === 'solar_radiation';
  const accumulation = amounts && !file.startsWith('msdwswrf') ? ({ accumulation: 'per-step' } as const) : {};
  const request = { statistics: { variable }, values: { ...accumulation, ...(stamps && { stamps }) } };
  try {
    const path = join(folder, file);
    const [table] = await allTables(statisticsOfInput(core, path, request, (notice) => notices.push(notice)));
    const found = new Map(Array.from(table, (row) => [String(row?.period), row?.mean as number | null]));
    // A day at an end may be missing or have no whole step; the others are all there.
    const inner = Object.entries(days).slice(1, -1);
    const isRight = ([day, value]: [string, number]) => Math.abs((found.get(day) ?? Number.NaN) - value) < 2e-5;
    if (inner.every(isRight)) return 'right';
    return notices.some(({ kind }) => kind === 'warning') ? 'warned' : 'wrong';
  } catch (error) {
    if (isPlumecastError(error)) return 'rejected';
    throw error;
  }
}

describe.skipIf(written.length === 0)('the days of files that xarray and pandas wrote', () => {
  it('are right, or something is said of them', async () => {
    const outcomes = new Map<Outcome, string[]>();
    for (const each of written) {
      const outcome = await outcomeOf(each);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), each.file]);
    }
    expect(outcomes.get('wrong') ?? []).toEqual([]);
    console.log(`days of ${written.length} files: ${[...outcomes].map(([name, files]) => `${files.length} ${name}`)}`);
  });

  it('are right wherever bounds, words or the kind of value state them', async () => {
    const stated = written.filter(
      ({ bounds, said, name }) => name === 't2m' || bounds || said === 'words' || said === 'grib',
    );
    expect(stated.length).toBeGreaterThan(60);
    for (const each of stated) expect([each.file, await outcomeOf(each)]).toEqual([each.file, 'right']);
  });

  it('are right wherever the caller states them', async () => {
    for (const each of written) {
      const stamps = each.name === 't2m' ? 'instant' : each.stamp;
      expect([each.file, await outcomeOf(each, stamps)]).toEqual([each.file, 'right']);
    }
  });
});
