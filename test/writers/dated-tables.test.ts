import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * Dates of tables as xarray, pandas, Polars and DuckDB write them (`write_dated.py`).
 */

interface Written {
  readonly name: string;
  /** The file with the same values and plain dates. */
  readonly same: string;
  readonly options: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-dated-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written: Written[] = hasPython('xarray', 'pandas', 'polars', 'duckdb', 'pyarrow')
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_dated.py'), [folder]))
  : [];

const stats = (name: string, ...options: readonly string[]) =>
  plumecastHere('stats', join(folder, name), ...['--variable', 'precipitation', '--format', 'csv'], ...options);
const plain = (name: string) => stats(name, '-q', ...(name.startsWith('valid') ? ['--units', 'mm'] : []));

describe.skipIf(written.length === 0)('a table that other programs wrote', () => {
  it.each(written)('$name has the days of $same', async ({ name, same, options }) => {
    const units = same.startsWith('valid') ? ['--units', 'mm'] : [];
    const found = await stats(name, ...options, ...units);
    expect(found.code, found.err).toBe(0);
    const wanted = await plain(same);
    expect(wanted.out.split('\n').length).toBeGreaterThan(5);
    expect(found.out).toBe(wanted.out);
  });

  it('says how dates were read', async () => {
    expect((await stats('xarray.csv', '--units', 'mm')).err).toContain('times are time + step');
    expect((await stats('pandas-german.csv')).err).toContain('date read as dd.mm.yyyy, by 25.02.2026');
    expect((await stats('pandas-american.csv')).err).toContain('date read as mm/dd/yyyy, by 02/25/2026');
    expect((await plumecastHere('inspect', join(folder, 'xarray.parquet'), '--units', 'mm')).out).toContain(
      '2026-03-04',
    );
  });

  it('is an error where days and months could both come first, which the option settles', async () => {
    expect((await stats('march-german.csv')).err).toContain(
      'row 1, column date: may have the day or the month first, and no day above 12 shows it; received "02.03.2026"; ' +
        'allowed: --date-format dd.mm.yyyy or mm.dd.yyyy',
    );
    expect((await stats('march-german.csv', '--date-format', 'dd/mm/yyyy')).err).toContain(
      'is not of the form dd/mm/yyyy',
    );
    expect((await stats('pandas-german.csv', '--date-format', 'mm.dd.yyyy')).err).toContain('read as mm.dd.yyyy');
    expect((await stats('index.parquet', '--date-format', 'mm.dd.yyyy')).err).toContain(
      'the dates of the table are no texts',
    );
    expect((await stats('days.csv', '--date-format', 'dd.mm.yy')).err).toContain('dd.mm.yyyy');
  });

  it('is an error for several runs, and for steps without a unit', async () => {
    expect((await stats('two-runs.csv', '--units', 'mm')).err).toContain(
      'column time: rows of several runs; received "2026-03-01T00:00 and 2026-03-02T00:00, with step"',
    );
    expect((await stats('no-unit.csv', '--units', 'mm')).err).toContain(
      'column step: lead times in a unit that is not stated; received 6; allowed: a name with it, such as step_hours',
    );
  });
});
