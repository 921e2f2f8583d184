import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/what-a-value-stands-for.md'), 'utf8');

/** The rows of the table in a section of docs/what-a-value-stands-for.md, without its head. */
export function documentedRows(section: string): string[] {
  const lines = page.split(`\n## ${section}\n`)[1].split('\n## ')[0].split('\n');
  return lines.filter((line) => line.startsWith('| ') && !line.startsWith('| evidence')).map((line) => line.slice(2));
}

/** What shows that the library does what a row says, by the beginning of the row. */
export type RowTests = readonly (readonly [begin: string, shows: () => Promise<void> | void])[];

/** A test for each row of the table in a section; one without a test fails, and so does a test without a row. */
export function testRows(section: string, tests: RowTests): void {
  const rows = documentedRows(section);
  it('has a test for each row, in its order', () => {
    expect(tests.length).toBe(rows.length);
    for (const [i, [begin]] of tests.entries()) expect(rows[i].slice(0, begin.length)).toBe(begin);
  });
  it.each(tests)('%s', async (_, shows) => {
    await shows();
  });
}
