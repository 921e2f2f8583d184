import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const tests = resolve(import.meta.dirname, '..');
const page = readFileSync(resolve(tests, '../docs/what-a-value-stands-for.md'), 'utf8');

/** The lines of a section of docs/what-a-value-stands-for.md; those before the first one, where none is named. */
function linesOf(section: string): string[] {
  const [before, ...sections] = page.split('\n## ');
  const text = section === '' ? before : sections.find((each) => each.startsWith(`${section}\n`));
  return `${text}`.split('\n').slice(1);
}

/** The rows of the table in a section, without its head. */
export function documentedRows(section: string): string[] {
  const rows = linesOf(section).filter((line) => line.startsWith('| ') && !line.startsWith('| evidence'));
  return rows.map((line) => line.slice(2));
}

/** The sentences of a section beside its table. */
function documentedSentences(section: string): string[] {
  const text = linesOf(section).filter((line) => line !== '' && !line.startsWith('|'));
  return text.join(' ').split(/(?<=\.)\s+(?=[A-Z`])/);
}

/** What shows that the library does what a row or a sentence says, by its beginning. */
export type RowTests = readonly (readonly [begin: string, shows: () => Promise<void> | void])[];

/** A test for each row of the table in a section; one without a test fails, and so does a test without a row. */
export function testRows(section: string, shown: RowTests): void {
  testEach('row', documentedRows(section), shown);
}

/** A test for each sentence of a section beside its table; one without a test fails, and so does a test without a sentence. */
export function testSentences(section: string, shown: RowTests): void {
  testEach('sentence', documentedSentences(section), shown);
}

function testEach(noun: string, documented: readonly string[], shown: RowTests): void {
  it(`has a test for each ${noun}, in its order`, () => {
    expect(documented.map((text, i) => text.slice(0, shown[i]?.[0].length))).toEqual(shown.map(([begin]) => begin));
  });
  it.each(shown)('%s', async (_, shows) => {
    await shows();
  });
}

/** Other tests that show it, by their file and parts of their titles, which the file has. */
export function shownBy(path: string, ...titles: string[]): () => void {
  const text = readFileSync(resolve(tests, path), 'utf8');
  return () => {
    for (const title of titles) expect(text).toContain(title);
  };
}
