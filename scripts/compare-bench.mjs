/**
 * Tells whether a build is slower than another: runs the quick benchmark of both in turn, and compares the medians of each row with how much
 * the older build differs from itself.
 *
 *   node scripts/compare-bench.mjs OLD NEW [--runs 7] [--only PART]
 *
 * OLD and NEW are checkouts in which `npm run bench:bundle` was run; PART is one of bench/run.ts. Each round runs OLD, NEW, and OLD again. A row is
 * slower where the median of NEW is above that of OLD by more than the spread of OLD: the largest of half the distance between its quartiles and
 * of the difference between its first and second runs. Exits with 1 where a row is slower.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [old, current] = positionals;
if (current === undefined) throw new Error('usage: node scripts/compare-bench.mjs OLD NEW [--runs 7] [--only PART]');

const series = { first: new Map(), second: new Map(), current: new Map() };
for (let run = 1; run <= Number(values.runs); run++) {
  process.stderr.write(`round ${run} of ${values.runs}\n`);
  measure(old, series.first);
  measure(current, series.current);
  measure(old, series.second);
}

let slower = 0;
console.log('| row | old | new | new / old | spread of old | |\n|---|---:|---:|---:|---:|---|');
for (const [row, news] of series.current) {
  const [firsts, seconds] = [series.first.get(row) ?? [], series.second.get(row) ?? []];
  const olds = [...firsts, ...seconds];
  if (olds.length === 0) continue;
  const ratio = median(news) / median(olds);
  const halfQuartiles = (quantile(olds, 0.75) - quantile(olds, 0.25)) / 2 / median(olds);
  const spread = Math.max(halfQuartiles, Math.abs(median(firsts) / median(seconds) - 1));
  const isSlower = ratio > 1 + spread;
  if (isSlower) slower++;
  const figures = [median(olds), median(news), ratio.toFixed(3), `${(100 * spread).toFixed(1)} %`];
  console.log(`| ${[row, ...figures, isSlower ? 'slower' : ''].join(' | ')} |`);
}
console.log(`\n${series.current.size} rows, ${slower} slower`);
process.exitCode = slower > 0 ? 1 : 0;

/** Adds the figures of one run to those of the runs before. */
function measure(checkout, into) {
  const only = values.only === undefined ? [] : ['--only', values.only];
  const args = [join(checkout, 'build/bench/run.js'), '--quick', '--contestants', '^plumecast', ...only];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${checkout}: the benchmark failed\n${stderr}`);
  for (const [row, value] of figures(stdout)) into.set(row, [...(into.get(row) ?? []), value]);
}

/** The times in Markdown tables, by title, name of the row and of the column; ratios and JavaScript's own times stay aside. */
function* figures(text) {
  let [title, head] = ['', undefined];
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
    else if (title !== '' && !cells[0].startsWith('JavaScript')) yield* ofRow(title, head, cells);
  }
}

function* ofRow(title, head, cells) {
  const texts = cells.findIndex((cell, i) => i > 0 && /^[\d,.]+( \(|$)/.test(cell));
  const name = head[1] === 'cells' ? cells.slice(0, 2).join(' ') : cells[0];
  for (let i = Math.max(texts, 1); i < cells.length; i++) {
    const isTime = !/beside|times|JavaScript|error|differ|share|per member|most|apart|^cells$|^$/.test(head[i]);
    const value = Number.parseFloat(cells[i].replaceAll(',', ''));
    if (isTime && value > 0 && !cells[i].endsWith('×')) yield [`${title}, ${name}, ${head[i]}`, value];
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
