import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import './section-1-purpose.js';
import './section-2-resources.js';
import './section-2-statistics-and-legacy.js';
import './section-3-5-6-7.js';
import './section-4-forecast.js';
import './section-4-statistics.js';
import './section-4-equivalents.js';
import './section-4-legacy-forecast.js';
import './section-4-history.js';
import './section-4-climatology.js';
import './section-8-limits.js';
import './section-9-versioning.js';
import './decisions-variables.js';
import './decisions-days.js';
import './decisions-statistics.js';
import './decisions-blending.js';
import './decisions-climatology.js';
import './decisions-responses.js';
import './decisions-locations.js';
import './decisions-http.js';
import './decisions-http-operation.js';
import './extensions-conditions.js';
import './extensions-shares.js';
import './extensions-skill.js';
import './extensions-horizons.js';
import './extensions-members.js';
import './extensions-points.js';
// The last one: it loads the library again, as its next version.
import './decisions-http-caching.js';
import { isFullCheck } from '../full-check.js';
import { conformancePage } from './page.js';
import { registeredTests, SENTENCES, section, test } from './section.js';
import { conformanceService } from './service.js';
import { type MeasuredSize, measuredSizes } from './sizes.js';
import { sendThrough, throughFetch, throughListener } from './transport.js';

const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));

const sentenceIds = Object.entries<Record<string, string>>(SENTENCES).flatMap(([heading, sentences]) =>
  Object.keys(sentences).map((id) => `${heading}: ${id}`),
);

describe('conformance', () => {
  it('every sentence has a test', () => {
    const tested = new Set(registeredTests().map(({ heading, id }) => `${heading}: ${id}`));
    expect(sentenceIds.filter((sentence) => !tested.has(sentence))).toEqual([]);
  });

  it('a test of an unknown section or sentence is an error', () => {
    const untitled = { untitled: test('asserts nothing', () => {}) };
    expect(() => section('2.1 Variable', '', untitled as object)).toThrow('no sentence "untitled"');
    expect(() => section('2.0' as '2.1 Variable', '', untitled as object)).toThrow('section "2.0" has no sentence');
  });

  it('a section has each sentence and each title once', () => {
    for (const [heading, sentences] of Object.entries<Record<string, string>>(SENTENCES)) {
      const titles = registeredTests().flatMap((test) => (test.heading === heading ? [test.title] : []));
      for (const texts of [Object.values(sentences), titles]) {
        expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
      }
    }
  });

  it('docs/conformance.md has all sentences with the titles of their tests, and the sizes within 2 %', async () => {
    const measured = await measuredSizes(await conformanceService());
    const sizes = measured.map((size) => documentedSize(size) ?? size);
    await expect(conformancePage(registeredTests(), sizes)).toMatchFileSnapshot(PAGE);
  });
});

describe('the same, through the listener of node:http', () => {
  beforeAll(() => sendThrough(throughListener));
  afterAll(() => sendThrough(throughFetch));

  // The listener is one for all endpoints: a test of each section, and some more, say whether it answers alike.
  const all = registeredTests();
  const isFirst = ({ heading }: (typeof all)[number], i: number) =>
    all.findIndex((each) => each.heading === heading) === i;
  const tests = all.filter((each, i) => isFullCheck || i % 16 === 0 || isFirst(each, i));
  for (const { heading, title, run } of tests) it(`${heading}: ${title}`, run);
});

/** The size in the page, where it is within 2 % of the measured one: compression differs with versions of zlib. */
function documentedSize(size: MeasuredSize): MeasuredSize | undefined {
  const row = readFileSync(PAGE, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${size.content} |`));
  if (row === undefined) return undefined;
  const [legacyBytes, currentBytes, , legacyGzipped, currentGzipped] = row.split('|').slice(2).map(Number.parseFloat);
  const pairs = [
    [legacyBytes, size.legacyBytes],
    [currentBytes, size.currentBytes],
    [legacyGzipped, size.legacyGzipped],
    [currentGzipped, size.currentGzipped],
  ];
  const isNear = pairs.every(([documented, found]) => Math.abs(documented - found) <= 0.02 * found);
  return isNear ? { content: size.content, legacyBytes, currentBytes, legacyGzipped, currentGzipped } : undefined;
}
