import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conformancePage } from './conformance-table.js';
import { DECISIONS } from './sentences-of-decisions.js';
import { SPECIFICATION } from './sentences-of-specification.js';
import { conformanceService } from './service.js';
import { type MeasuredSize, measuredSizes } from './sizes.js';
import { titles } from './titles.js';

const PAGE = new URL('../../docs/conformance.md', import.meta.url);
const SECTIONS = [...SPECIFICATION, ...DECISIONS];

describe('conformance', () => {
  it('has exactly one test for each sentence, in a block that is called as its section', () => {
    const tested = titles().map(({ section, title }) => `${section}: ${title}`);
    const written = SECTIONS.flatMap(({ heading, sentences }) =>
      sentences.map((sentence) => `${heading}: ${sentence}`),
    );
    expect(tested.sort()).toEqual(written.sort());
    expect(new Set(written).size).toBe(written.length);
  });

  it('is documented: every sentence with its test, and the sizes of answers within 2 %', async () => {
    const measured = await measuredSizes(await conformanceService());
    const sizes = measured.map((size) => documented(size) ?? size);
    await expect(conformancePage(SECTIONS, titles(), sizes)).toMatchFileSnapshot(PAGE.pathname);
  });
});

/** What the page says of a size, where that is the measured one within 2 %: compression differs with versions of zlib. */
function documented(size: MeasuredSize): MeasuredSize | undefined {
  const row = readFileSync(PAGE, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${size.content} |`));
  if (row === undefined) return undefined;
  const [legacyBytes, currentBytes, , legacyGzipped, currentGzipped] = row.split('|').slice(2).map(Number.parseFloat);
  const known = { content: size.content, legacyBytes, currentBytes, legacyGzipped, currentGzipped };
  const pairs = [
    [legacyBytes, size.legacyBytes],
    [currentBytes, size.currentBytes],
    [legacyGzipped, size.legacyGzipped],
    [currentGzipped, size.currentGzipped],
  ];
  return pairs.every(([reported, found]) => Math.abs(reported - found) <= 0.02 * found) ? known : undefined;
}
