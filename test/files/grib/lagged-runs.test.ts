import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { formatDate } from '../../../src/period/day.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { dailyValues } from '../cf/daily-values.js';

/** What `write_lagged.py` writes: daily values by variable, member, day and cell. */
interface Written {
  readonly members: readonly string[];
  readonly daily: Readonly<Record<string, readonly (readonly (readonly (number | null)[])[])[]>>;
}

const isThere = hasPython('eccodes', 'numpy');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-lagged-'));
const path = join(folder, 'runs.grib2');
const script = resolve(import.meta.dirname, 'write_lagged.py');
const written: Written = isThere ? JSON.parse(pythonFile(script, [path])) : { members: [], daily: {} };

describe.skipIf(!isThere)('runs of different lengths and members', () => {
  let core: Core;
  let file: ArrayFile;
  beforeAll(async () => {
    core = await loadCore();
    file = await openArrays(path);
  });
  afterAll(async () => {
    await file?.close();
    rmSync(folder, { recursive: true });
  });

  it.each(Object.keys(written.daily))('with init: all have the daily values of numpy: %s', async (variable) => {
    const ensemble = await gridEnsemble(file, { variable, init: 'all' });
    expect(ensemble.members).toEqual(written.members);
    expect(formatDate(ensemble.firstDay)).toBe('2026-03-02');
    expect(ensemble.metadata.get('init_time')).toBe('2026-03-04T00:00:00Z');
    expect(ensemble.conversions).toContain('3 runs, 2026-03-02T00:00Z to 2026-03-04T00:00Z, as one lagged ensemble');
    const expected = written.daily[variable];
    const cuts = Array.from({ length: ensemble.days }, (_, day) => day);
    for (const bytes of [1e9, ensemble.days * 4096]) {
      const values = await dailyValues(ensemble, core, { bytes, cuts });
      for (const [m, member] of expected.entries()) {
        for (const [day, cells] of member.entries()) {
          for (const [cell, value] of cells.entries()) {
            const found = values[m][cell][day];
            if (value === null) expect(found).toBeNaN();
            else expect(found).toBeCloseTo(value, 9);
          }
        }
      }
    }
  });

  it('have only the members that a run has, also where one run is named', async () => {
    const ensemble = await gridEnsemble(file, { variable: 'temp_mean', init: '2026-03-02T12:00Z' });
    expect(ensemble.members).toEqual(['0', '1']);
    const values = await dailyValues(ensemble, core);
    expect(values[1][5][0]).toBeCloseTo(written.daily.temp_mean[4][1][5] as number, 9);
  });

  it('count the fields that are missing of the members that runs have', async () => {
    const { conversions } = await gridEnsemble(file, { variable: 'temp_mean', init: 'all' });
    // Steps 0 to 120 h: 3 members end at 72 h, 2 at 96 h.
    expect(conversions.at(-1)).toMatch(/^32 of 189 fields are in no file, and missing: member 0 at 2026-03-02T00:00Z/);
  });

  it('are an error that mentions all without it', async () => {
    await expect(gridEnsemble(file, { variable: 'temp_mean' })).rejects.toMatchObject({
      tag: 'option',
      allowed: expect.stringMatching(/; or all, as one lagged ensemble$/),
    });
  });
});
