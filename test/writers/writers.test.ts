import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { ValueOptions } from '../../src/input/input-request.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { hasPython, pythonFile, usableModules } from '../reference/foreign-programs.js';
import { quantilePosition } from '../reference/quantile.js';

/*
 * One ensemble as other people's tools write it, in the shapes of centres: the same statistics come of each file.
 * `write.py` writes them: a case of each tool and of each shape here, each tool with each shape where
 * PLUMECAST_ALL_WRITERS is set.
 */

interface Written {
  readonly files: readonly {
    readonly writer: string;
    readonly shape: string;
    readonly path: string;
    readonly variable: string;
    readonly values: ValueOptions;
    readonly grid?: boolean;
    /** Whether a day of the first member is missing. */
    readonly gap?: boolean;
  }[];
  readonly absent: readonly string[];
  readonly place: { readonly latitude: number; readonly longitude: number };
  /** By member and day, in mm. */
  readonly rain: readonly (readonly number[])[];
}

const TOOLS = [
  ...['numpy', 'pandas', 'polars', 'pyarrow', 'duckdb'],
  ...['xarray', 'zarr', 'netCDF4', 'h5netcdf', 'scipy'],
];
const QUANTILES = [0.1, 0.5, 0.9];
/** Some writers hold what is packed, metres in float32, or five decimals. */
const DECIMALS = 3;

const folder = mkdtempSync(join(tmpdir(), 'plumecast-writers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = writeAll();
for (const tool of written?.absent ?? []) console.log(`skipped: files that ${tool} writes, which is not there`);

describe.skipIf(written === undefined)("statistics of other people's files", () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  it.each(written?.files ?? [])('equal those of the ensemble: $writer, $shape', async (file) => {
    const { path, variable, values, grid, gap } = file;
    const point = grid ? { point: written?.place } : {};
    const request = {
      statistics: { variable, granularity: 'weekly', quantiles: QUANTILES, ...point } as const,
      values,
    };
    const rows: Record<string, number>[] = [];
    for await (const table of statisticsOfInput(core, path, request, () => {})) {
      for (const row of table) rows.push({ ...row } as unknown as Record<string, number>);
    }
    const expected = weeklyStatistics(gap);
    expect(rows).toHaveLength(expected.length);
    expected.forEach((week, w) => {
      for (const [column, value] of Object.entries(week)) expect(rows[w][column], column).toBeCloseTo(value, DECIMALS);
    });
  });
});

function writeAll(): Written | undefined {
  if (!hasPython('numpy')) return undefined;
  const cases = process.env.PLUMECAST_ALL_WRITERS === undefined ? 'one' : 'all';
  return JSON.parse(
    pythonFile(resolve(import.meta.dirname, 'write.py'), [folder, cases, usableModules(...TOOLS).join()]),
  );
}

/** By week: mean and quantiles of the members' sums; a member with a missing day is left out. */
function weeklyStatistics(gap = false): Record<string, number>[] {
  const { rain } = written as Written;
  const weeks = Array.from({ length: rain[0].length / 7 }, (_, week) => week);
  return weeks.map((week) => {
    const sums = rain.map((days) => days.slice(7 * week, 7 * week + 7).reduce((sum, day) => sum + day, 0));
    const valid = gap && week === 0 ? sums.slice(1) : sums;
    const mean = valid.reduce((sum, value) => sum + value, 0) / valid.length;
    const [q10, q50, q90] = QUANTILES.map((p) => quantile(valid, p));
    return { mean, n_members: valid.length, q10, q50, q90 };
  });
}

function quantile(values: readonly number[], p: number): number {
  const { low, high, weight } = quantilePosition(7, values.length, p);
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[low] + weight * (sorted[high] - sorted[low]);
}
