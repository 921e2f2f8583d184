/**
 * Finds out whether one build is slower than another: runs a benchmark of both in turn, and compares the medians of
 * each row with the spread of the older build.
 *
 *   node scripts/compare-bench.mjs OLD NEW [--runs 7] [--bench run|serve|gridded|tables|cold-start] [--only PART]
 *
 * OLD and NEW are checkouts in which `npm run bench:bundle` was run, as it was here. `run`, the default, is the quick
 * benchmark of bench/run.ts, and `--only` selects a part of it, or a file of `tables`, such as `long.csv`; the others are
 * the programs of that name in bench/.
 * Each round runs OLD twice and NEW before, between or after, in turn. A row is slower if the median of NEW is above that of OLD by more than the
 * spread of OLD: the larger of half the distance between its quartiles and the difference between its first and second
 * runs. Rows that only one of the builds has are listed. Exits with 1 if a row is slower.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    bench: { type: 'string', default: 'run' },
    only: { type: 'string' },
  },
  allowPositionals: true,
});

const folder = mkdtempSync(join(tmpdir(), 'plumecast-compare-'));
const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const ONLY = options.only === undefined ? [] : ['--only', options.only];
/** The script and arguments that measure a checkout once. */
const BENCHES = {
  run: (checkout) => [join(checkout, 'build/bench/run.js'), ...['--quick', '--contestants', '^plumecast', ...ONLY]],
  serve: (checkout) => [join(checkout, 'build/bench/serve.js'), '--rounds', '1'],
  // The folder contains the files that all runs read.
  gridded: (checkout) => [here('build/bench/gridded.js'), '0.5', '1', folder, '--checkout', checkout],
  tables: (checkout) => [here('build/bench/tables.js'), ...['1000', '1', folder, '--checkout', checkout, ...ONLY]],
  'cold-start': (checkout) => [here('bench/cold-start.mjs'), '1', checkout],
};
const [old, current] = positionals.map((path) => resolve(path));
if (current === undefined || !(options.bench in BENCHES)) {
  const benches = Object.keys(BENCHES).join('|');
  throw new Error(`usage: node scripts/compare-bench.mjs OLD NEW [--runs 7] [--bench ${benches}] [--only PART]`);
}

const first = new Map();
const second = new Map();
const news = new Map();
try {
  for (let run = 1; run <= Number(options.runs); run++) {
    process.stderr.write(`round ${run} of ${options.runs}\n`);
    const turns = [
      [old, first],
      [old, second],
    ];
    turns.splice(run % 3, 0, [current, news]);
    for (const turn of turns) measure(...turn);
  }
} finally {
  rmSync(folder, { recursive: true });
}

const rows = [...news.keys()].filter((row) => first.has(row));
let slower = 0;
console.log('| row | old | new | new / old | spread of old | |\n|---|---:|---:|---:|---:|---|');
for (const row of rows) {
  const olds = [...first.get(row), ...second.get(row)];
  const ratio = median(news.get(row)) / median(olds);
  const halfQuartiles = (quantile(olds, 0.75) - quantile(olds, 0.25)) / 2 / median(olds);
  const spread = Math.max(halfQuartiles, Math.abs(median(first.get(row)) / median(second.get(row)) - 1));
  const isSlower = ratio > 1 + spread;
  if (isSlower) slower++;
  const medians = [olds, news.get(row)].map((all) => Number(median(all).toPrecision(4)));
  const figures = [...medians, ratio.toFixed(3), `${(100 * spread).toFixed(1)} %`];
  console.log(`| ${[row, ...figures, isSlower ? 'slower' : ''].join(' | ')} |`);
}
console.log(`\n${rows.length} rows, ${slower} slower`);
for (const row of first.keys()) if (!news.has(row)) console.log(`only in OLD: ${row}`);
for (const row of news.keys()) if (!first.has(row)) console.log(`only in NEW: ${row}`);
process.exitCode = slower > 0 || rows.length === 0 ? 1 : 0;

/** Adds the figures of one run to those of earlier runs. */
function measure(checkout, into) {
  const args = BENCHES[options.bench](checkout);
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${checkout}: the benchmark failed\n${stderr}`);
  const figures = options.bench === 'run' || options.bench === 'cold-start' ? tableTimes(stdout) : lineTimes(stdout);
  for (const [row, value] of figures) into.set(row, [...(into.get(row) ?? []), value]);
}

/**
 * The times in Markdown tables below a heading, by title, name of the row and of the column; JavaScript's own times are
 * left out.
 */
function* tableTimes(text) {
  let [title, head] = [options.bench === 'run' ? (options.only ?? '') : options.bench, undefined];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) title = line.replace(/^#+ /, '').replace(/:.*/, '');
    if (!line.startsWith('|')) {
      head = undefined;
      continue;
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (head === undefined) head = cells;
    else if (title !== '' && !cells[0].startsWith('JavaScript')) yield* rowTimes(title, head, cells);
  }
}

/** The times of one row of a table, without its ratios. */
function* rowTimes(title, head, cells) {
  const texts = cells.findIndex((cell, i) => i > 0 && /^[\d,.]+( \(|$)/.test(cell));
  const name = head[1] === 'cells' ? cells.slice(0, 2).join(' ') : cells[0];
  for (let i = Math.max(texts, 1); i < cells.length; i++) {
    const isTime =
      !/beside|times|takes|bytes|ecCodes|JavaScript|error|differ|share|per member|most|apart|^cells$|^$/.test(head[i]);
    const value = Number.parseFloat(cells[i].replaceAll(',', ''));
    if (isTime && value > 0 && !cells[i].endsWith('×')) yield [`${title}, ${name}, ${head[i]}`, value];
  }
}

/** The times in lines of text, each by the words before it. */
function* lineTimes(text) {
  for (const line of text.split('\n')) {
    // Rates, memory and goals are not times.
    const times = line.replaceAll(/\([^)]*\)|[\d.]+ (requests\/s|MB)/g, '');
    for (const [, words, time] of times.matchAll(/(.*?) ([\d.]+) (?:us|ms|s)\b/g)) {
      yield [words.replaceAll(/^[^\w]+|[^\w]+$/g, '').replaceAll(/\s+/g, ' '), Number(time)];
    }
  }
}

function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}
