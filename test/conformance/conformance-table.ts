import type { Section } from './section.js';
import type { MeasuredSize } from './sizes.js';
import type { Title } from './titles.js';

const HEAD = `# Conformance

Every sentence of sections 2 to 9 of the service's specification, and every decision where that is silent, has one test of its own. The
test's title is the sentence; that of a row of a table begins with "row:". The tests ask the service as a client does, mostly over data in
memory, and compare numbers with plain loops over the members that went in.

This page is written by \`npx vitest run test/conformance -u\`, and a test fails where it is not what the tests say.`;

const SIZES = `## Sizes

How many bytes the same content takes: 31 members, one place, JSON without blanks, as it is sent and gzipped (level 6). The legacy calls
are those of section 4.2, with all variables that the horizon has, and the history of 366 days. Both answers have as many windows;
legacy ones have tercile probabilities besides where they are weekly or monthly. Compression takes away most of the names that legacy entries
repeat; a current answer has each date once for every variable. Measured by \`test/conformance/sizes.ts\`; a test
measures again and accepts a difference of 2 %.`;

/** The documentation's page: which test is of which sentence, and the sizes of answers. */
export function conformancePage(
  sections: readonly Section[],
  titles: readonly Title[],
  sizes: readonly MeasuredSize[],
): string {
  const fileOf = new Map(titles.map(({ title, file }) => [title, file]));
  const count = sections.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const parts = [HEAD, `There are ${count} sentences.`];
  for (const { heading, sentences, untested = [] } of sections) {
    const rows = sentences.map((sentence) => [escaped(sentence), `\`${fileOf.get(sentence)}\``]);
    const nothing = untested.map(({ sentence, why }) => [escaped(sentence), `nothing to test: ${why}`]);
    parts.push(`## ${escaped(heading)}`, table(['sentence', 'test in test/conformance'], [...rows, ...nothing]));
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

/** Text as Markdown shows it within a table; what stands in backquotes is code, and shown as it is. */
function escaped(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`');
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(/[<*_[\]]/g, '\\$&'))).join('`');
}
