/**
 * Compares the library with programs that people trust, number by number, and with results that others published. Ends with
 * 1 where a number differs by more than its bound. A program that is not installed is skipped, by name.
 *
 *   node scripts/verify.mjs [TOPIC...] [--write]     --write: writes docs/verification.md
 *
 * PLUMECAST_PYTHON names the Python, PLUMECAST_RSCRIPT the Rscript.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isWithin, worstDifference } from './verify/compare.mjs';
import { findTools } from './verify/find-tools.mjs';
import { grib } from './verify/grib.mjs';
import { published } from './verify/published.mjs';
import { printRow, report } from './verify/report.mjs';
import { scores } from './verify/scores.mjs';
import { statistics } from './verify/statistics.mjs';
import { windows } from './verify/windows.mjs';

const TOPICS = { statistics, windows, scores, grib, published };
const PAGE = fileURLToPath(new URL('../docs/verification.md', import.meta.url));

const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const unknown = positionals.filter((name) => !(name in TOPICS));
if (unknown.length > 0) {
  console.error(`no topic ${unknown.join(', ')}; there are: ${Object.keys(TOPICS).join(', ')}`);
  process.exit(1);
}
if (values.write && positionals.length > 0) {
  console.error('--write writes the whole page: give no topics with it');
  process.exit(1);
}

const tools = findTools();
const topics = [];
const folder = await mkdtemp(join(tmpdir(), 'plumecast-verify-'));
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(TOPICS)) {
    const { title, about, notes = [], comparisons } = TOPICS[name];
    console.log(`\n${title}`);
    const rows = [];
    const skipped = [];
    for (const { needs, compare } of comparisons) {
      const missing = needs.filter((tool) => tools.versions[tool] === undefined);
      if (missing.length > 0) {
        skipped.push(...missing);
        console.log(`  skipped: ${missing.join(', ')} is not there`);
        continue;
      }
      for (const { tool, what, ours, theirs, bound } of await compare({ folder, ...tools })) {
        const { difference, numbers } = worstDifference(ours, theirs);
        const row = { tool, version: tools.versions[tool] ?? '', what, numbers, difference, bound };
        printRow(row);
        rows.push(row);
      }
    }
    topics.push({ title, about, notes, rows, skipped: [...new Set(skipped)] });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const rows = topics.flatMap((topic) => topic.rows);
const wrong = rows.filter((row) => !isWithin(row));
const numbers = rows.reduce((sum, row) => sum + row.numbers, 0);
console.log(`\n${rows.length} comparisons of ${numbers} numbers, ${wrong.length} beyond their bound`);
const skipped = topics.flatMap((topic) => topic.skipped);
if (skipped.length > 0) console.log(`skipped: ${[...new Set(skipped)].join(', ')}`);
if (rows.length === 0) console.error('nothing was compared: no program of those named above is there');
if (values.write && skipped.length > 0) console.error('not written: a page of the docs has all comparisons');
else if (values.write && wrong.length === 0) await writeFile(PAGE, report(topics));
process.exitCode = wrong.length > 0 || rows.length === 0 ? 1 : 0;
