// How long the first statistics take from a cold start, beside an empty start of Node; needs `npm run build`.
//
//   node bench/cold-start.mjs [RUNS] [CHECKOUT]
//
// CHECKOUT is the repository whose build is timed, by default this one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [runs = '21', checkout = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2);

/** Milliseconds from the start of Node to its end. */
function start(args) {
  const begin = process.hrtime.bigint();
  execFileSync(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

/** A script of bench/ as text, so that it imports the package from the checkout: bench/ is a package of its own. */
function script(name) {
  return ['--input-type=module', '--eval', readFileSync(join(checkout, 'bench', name), 'utf8')];
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

const folder = mkdtempSync(join(tmpdir(), 'plumecast-cold-start-'));
execFileSync(process.execPath, ['dist/cli.js', 'demo', folder], { cwd: checkout, stdio: 'ignore' });
const contestants = {
  'empty Node': ['--eval', ''],
  'typed arrays, plumecast/arrays': script('first-statistics.mjs'),
  'the command, an Arrow file': [
    'dist/cli.js',
    'stats',
    join(folder, 'precipitation.arrow'),
    '--granularity',
    'weekly',
  ],
  'only importing apache-arrow': ['--input-type=module', '--eval', "import 'apache-arrow'"],
  'an Arrow table, plumecast': script('first-arrow-statistics.mjs'),
};
const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
// In turns, so that a busy machine slows all of them.
for (let run = 0; run < Number(runs); run++) {
  for (const [name, args] of Object.entries(contestants)) times[name].push(start(args));
}
rmSync(folder, { recursive: true });

console.log(`Node ${process.versions.node}, medians of ${runs} starts of one point, 31 members, 180 days\n`);
console.log('| from a cold start | ms | times an empty start |\n|---|---:|---:|');
for (const [name, all] of Object.entries(times)) {
  console.log(`| ${name} | ${median(all).toFixed(0)} | ${(median(all) / median(times['empty Node'])).toFixed(2)} |`);
}
