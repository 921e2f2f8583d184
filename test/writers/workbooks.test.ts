import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, python, pythonFile } from '../reference/foreign-programs.js';

/*
 * Workbooks of Excel as pandas, Polars, openpyxl and XlsxWriter write them (`write_workbooks.py`), and ours as openpyxl,
 * calamine and pandas read them.
 */

interface Written {
  readonly name: string;
  /** The CSV with the same values. */
  readonly same: string;
  readonly options: readonly string[];
  readonly note: string | null;
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-workbooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MODULES = ['openpyxl', 'xlsxwriter', 'python_calamine', 'pandas', 'polars'];
const written: Written[] = hasPython(...MODULES)
  ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_workbooks.py'), [folder]))
  : [];

const stats = (name: string, ...options: readonly string[]) =>
  plumecastHere('stats', join(folder, name), '--variable', 'precipitation', '--units', 'mm', ...options);

describe.skipIf(written.length === 0)('a workbook', () => {
  it.each(written)('$name, $options, has the values of $same', async ({ name, same, options, note }) => {
    const found = await stats(name, ...options);
    expect(found.code, found.err).toBe(0);
    expect(found.out).toBe((await stats(same)).out);
    expect(found.out.split('\n').length).toBeGreaterThan(8);
    if (note !== null) expect(found.err).toContain(note);
  });

  it('is an error where formulas have no results, and where a sheet is not there', async () => {
    expect((await stats('no-results.xlsx')).err).toContain(
      'is a workbook with a sheet that has formulas without results, as programs write them: D3',
    );
    expect((await stats('titled.xlsx', '--sheet', 'Rain')).err).toContain(
      'titled.xlsx, --sheet: not in the workbook; received "Rain"; allowed: hidden, Rain & snow <mm>, remarks',
    );
    expect((await stats('plain.csv', '--sheet', 'Rain')).err).toContain('is for Excel, and the format is CSV');
  });

  it('is inspected in the sheet that is named', async () => {
    const found = await plumecastHere('inspect', join(folder, 'titled.xlsx'), '--sheet', 'Rain & snow <mm>');
    expect(found.code, found.err).toBe(0);
    expect(found.out).toMatch(/format +Excel.*members +3: member_0 to member_2/s);
    const remarks = await plumecastHere('inspect', join(folder, 'remarks.xlsx'), '--sheet', 'Rain');
    expect(remarks.out).toMatch(/format +Excel.*members +3: member_0 to member_2/s);
  });

  it('is written so that other programs read the numbers of CSV', async () => {
    const to = (ending: string) => join(folder, `weekly.${ending}`);
    for (const ending of ['xlsx', 'csv']) {
      const { code, err } = await stats(
        'plain.csv',
        '--granularity',
        'weekly',
        '--threshold',
        '>2',
        '--out',
        to(ending),
      );
      expect(code, err).toBe(0);
    }
    const code = [
      'import sys, json, openpyxl, pandas as pd',
      'csv = pd.read_csv(sys.argv[2], parse_dates=["start", "end"])',
      'for engine in ["openpyxl", "calamine"]:',
      '    book = pd.read_excel(sys.argv[1], engine=engine)',
      '    for name in csv.columns: assert (csv[name] == book[name]).all(), (engine, name)',
      'print(json.dumps(openpyxl.load_workbook(sys.argv[1]).sheetnames))',
    ].join('\n');
    expect(JSON.parse(python(code, { args: [to('xlsx'), to('csv')] }))).toEqual(['precipitation', 'about']);
    expect(readFileSync(to('csv'), 'utf8').split('\n').length).toBe(3);
  });
});
