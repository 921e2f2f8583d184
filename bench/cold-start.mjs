// How long the first statistics take from a cold start, beside an empty start of Node. Needs `npm run build`.
//
//   node bench/cold-start.mjs [RUNS]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const runs = Number(process.argv[2] ?? 21);
const cwd = fileURLToPath(new URL('..', import.meta.url));

/** Milliseconds from the start of Node to its end. */
function start(args) {
  const begin = process.hrtime.bigint();
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

const empty = [];
const first = [];
// In turns, so that the load of the machine strikes both.
for (let run = 0; run < runs; run++) {
  empty.push(start(['-e', '']));
  first.push(start(['bench/first-statistics.mjs']));
}
const ratio = median(first) / median(empty);
console.log(`Node ${process.versions.node}, medians of ${runs} starts: empty ${median(empty).toFixed(1)} ms, \
first statistics ${median(first).toFixed(1)} ms, ratio ${ratio.toFixed(2)}`);
