import { type RegisteredTest, SENTENCES } from './section.js';
import type { MeasuredSize } from './sizes.js';

const HEAD = `# Conformance

This page lists every sentence of the service's specification, of the decisions where it is silent, and of the extensions
that go beyond it, with what the tests assert of it. Rows of tables are written as sentences; what the documents say of themselves is left out. The tests
send requests as a client does, mostly to a service of data in memory, and compare the numbers with plain loops over the
members that went in.

The tests write this page. They fail where it is out of date, where a sentence has no test, and where a test is of no
sentence. \`npx vitest run test/conformance -u\` brings the page up to date.`;

const SIZES = `## Sizes

The table compares the bytes that the same content takes in both versions: 31 members, one place, JSON without blanks,
plain and gzipped (level 6). The legacy calls are those of section 4.2, with all variables that the horizon has, and the
history of 366 days. Both answers have the same number of windows; weekly and monthly legacy answers also have tercile
probabilities. Gzip removes most of the names that legacy entries repeat; a current answer repeats each date for every
variable. \`test/conformance/sizes.ts\` measures the sizes; a test fails where one differs by more than 2 %.`;

/** The documentation's page: each sentence with the titles of its tests, and the sizes of answers. */
export function conformancePage(tests: readonly RegisteredTest[], sizes: readonly MeasuredSize[]): string {
  const sections = Object.entries<Record<string, string>>(SENTENCES);
  const count = sections.reduce((sum, [, sentences]) => sum + Object.keys(sentences).length, 0);
  const parts = [HEAD, `There are ${count} sentences and ${tests.length} tests.`];
  for (const [heading, sentences] of sections) {
    const ours = tests.filter((test) => test.heading === heading);
    const files = [...new Set(ours.map(({ file }) => `\`test/conformance/${file}\``))];
    const rows = Object.entries(sentences).map(([id, sentence]) => {
      const titles = ours.filter((test) => test.id === id).map(({ title }) => escaped(title));
      return [escaped(sentence), titles.join('<br>')];
    });
    parts.push(`## ${escaped(heading)}`, `In ${files.join(' and ')}.`, table(['sentence', 'what is asserted'], rows));
  }
  parts.push(SIZES, sizesTable(sizes));
  return `${parts.join('\n\n')}\n`;
}

function sizesTable(sizes: readonly MeasuredSize[]): string {
  const names = ['content', 'v1 bytes', 'v2 bytes', 'v2 / v1', 'v1 gzipped', 'v2 gzipped', 'v2 / v1'];
  return table(
    names,
    sizes.map(({ content, legacyBytes, currentBytes, legacyGzipped, currentGzipped }) => [
      content,
      ...[String(legacyBytes), String(currentBytes), ratio(legacyBytes, currentBytes)],
      ...[String(legacyGzipped), String(currentGzipped), ratio(legacyGzipped, currentGzipped)],
    ]),
  );
}

function ratio(legacy: number, current: number): string {
  return `${Math.round((100 * current) / legacy)} %`;
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [names, names.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Text as Markdown shows it within a table; text in backquotes is code, which is shown as it is. */
function escaped(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`');
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(/[<*_[\]]/g, '\\$&'))).join('`');
}
