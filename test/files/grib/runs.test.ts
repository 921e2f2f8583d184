import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { Notice } from '../../../src/input/notice.js';
import { statisticsOfInput } from '../../../src/input/statistics-of-input.js';
import { isFullCheck } from '../../full-check.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';

/** What `write_runs.py` writes: statistics of the first ISO week, by run and variable, for each cell. */
interface Written {
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  readonly runs: Readonly<
    Record<string, Readonly<Record<string, { readonly mean: number[]; readonly quantiles: number[][] }>>>
  >;
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isThere = hasPython('eccodes', 'numpy');
/** Members of the run of ECMWF; of that of GEFS there are five. */
const MEMBERS = isFullCheck ? '51' : '7';
const script = resolve(import.meta.dirname, 'write_runs.py');
const written: Written | undefined = isThere ? JSON.parse(pythonFile(script, [folder, MEMBERS])) : undefined;
const cases = Object.entries(written?.runs ?? {}).flatMap(([run, variables]) =>
  Object.entries(variables).map(([variable, expected]) => ({ run, variable, expected })),
);
const statistics = { granularity: 'weekly', quantiles: [0.1, 0.5, 0.9] } as const;

describe.skipIf(!isThere)('weekly statistics of a run in GRIB files equal those of numpy', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  async function rowsOf(run: string, variable: string, point?: { latitude: number; longitude: number }) {
    const request = { statistics: { ...statistics, variable, ...(point && { point }) }, values: {} };
    const notices: Notice[] = [];
    const rows: Record<string, number>[] = [];
    for await (const table of statisticsOfInput(core, join(folder, run), request, (notice) => notices.push(notice))) {
      for (const row of table) rows.push({ ...row } as unknown as Record<string, number>);
    }
    return { rows, notices };
  }

  async function compare({ run, variable, expected }: (typeof cases)[number]) {
    const { rows, notices } = await rowsOf(run, variable);
    expect(notices.filter(({ kind }) => kind === 'warning')).toEqual([]);
    expect(rows).toHaveLength(expected.mean.length);
    const { latitudes, longitudes } = written as Written;
    for (const [cell, row] of rows.entries()) {
      expect(row.latitude).toBe(latitudes[Math.floor(cell / longitudes.length)]);
      expect(row.longitude).toBe(((longitudes[cell % longitudes.length] + 180) % 360) - 180);
      expect(row.mean).toBeCloseTo(expected.mean[cell], 9);
      for (const [i, name] of ['q10', 'q50', 'q90'].entries()) {
        expect(row[name]).toBeCloseTo(expected.quantiles[i][cell], 9);
      }
    }
  }

  it.each(cases)('$run: $variable', compare);

  describe('with index files beside them', () => {
    beforeAll(() => {
      for (const run of ['gefs', 'ens']) cpSync(join(folder, 'index', run), join(folder, run), { recursive: true });
    });

    it.each(cases.filter((_, i) => isFullCheck || i % 3 === 0))('$run: $variable', compare);

    it.each([
      ['gefs', 'gep04.t00z.pgrb2s.0p25.f120', 'gep04.t00z.pgrb2s.0p25.f120.idx', /^\d+:(\d+):.*:DPT:/m],
      ['ens', 'pf-120h.grib2', 'pf-120h.index', /"2t", "_offset": (\d+)/],
    ])('of %s, headers of other parameters are not read', async (run, name, index, line) => {
      const [path, indexPath] = [join(folder, run, name), join(folder, run, index)];
      const offset = Number(line.exec(readFileSync(indexPath, 'utf8').split('\n').slice(1).join('\n'))?.[1]);
      const bytes = readFileSync(path);
      bytes.fill(255, offset + 16, offset + 20);
      writeFileSync(path, bytes);
      const warnings = async () => {
        const { rows, notices } = await rowsOf(run, 'precipitation');
        expect(rows).toHaveLength(12);
        return notices.flatMap(({ kind, text }) => (kind === 'warning' ? [text] : []));
      };
      expect(await warnings()).toEqual([]);
      writeFileSync(indexPath, 'not an index');
      const [unused, damaged] = await warnings();
      expect(unused).toContain(`${indexPath}: line 1 is not one of an inventory`);
      expect(damaged).toContain(`at byte ${offset}, section 1:`);
    });
  });
});
