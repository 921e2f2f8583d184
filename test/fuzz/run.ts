/**
 * Mutations of real files through every reader: no hang, no crash, no untyped error, no other numbers where a checksum
 * was there.
 *
 *   npm run fuzz -- [--cases 1000] [--seconds 60] [--readers csv,zarr] [--seed 1] [--write]
 *   npm run fuzz -- --readers zarr --case 123        one case again, with all that came of it
 */
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCases } from './child.js';
import { Counts } from './counts.js';
import { mutate } from './mutate.js';
import { writeChanges } from './places.js';
import { makeSeeds, READERS, type Reader, readSeeds } from './seeds.js';

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seconds: { type: 'string' },
    readers: { type: 'string', default: READERS.join(',') },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    write: { type: 'boolean', default: false },
  },
});

/** Cases that one process runs: a new one has memory as new. */
const CASES_A_PROCESS = 2500;
const worker = 'build/fuzz/worker.js';
const seeds = 'build/fuzz/seeds';
const FOUND = 'build/fuzz/found';
const readers = options.readers.split(',').map((name) => {
  if ((READERS as readonly string[]).includes(name)) return name as Reader;
  throw new RangeError(`no such reader: ${name}; there are ${READERS.join(', ')}`);
});
const key = Number(options.seed);
const cases = options.seconds === undefined ? Number(options.cases) : Number.POSITIVE_INFINITY;

await rm(seeds, { recursive: true, force: true });
await mkdir(seeds, { recursive: true });
await makeSeeds(seeds);

if (options.case !== undefined) {
  const from = Number(options.case);
  const task = { reader: readers[0], key, seeds, from, to: from + 1, milliseconds: 600_000, verbose: true };
  await runCases(worker, task, { ended: (outcome) => console.log(outcome), found: (finding) => console.log(finding) });
} else {
  await runAll();
}

async function runAll(): Promise<void> {
  const jobs = Number(options.jobs);
  const counts = new Counts(readers);
  const milliseconds = options.seconds === undefined ? 1e9 : (Number(options.seconds) * 1000 * jobs) / readers.length;
  const left = [...readers];
  const from = performance.now();
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let reader = left.shift(); reader !== undefined; reader = left.shift()) {
        await runReader(reader, milliseconds, counts);
      }
    }),
  );
  console.log(`\nseed ${key}, ${((performance.now() - from) / 1000).toFixed(0)} s, Node ${process.version}\n`);
  console.log(counts.table());
  console.log(counts.findings(key));
  await keepFiles(counts);
  if (options.write) await counts.writeTo('docs/reliability.md', key);
  if (counts.hasFaults) process.exitCode = 1;
}

async function runReader(reader: Reader, milliseconds: number, counts: Counts): Promise<void> {
  const until = performance.now() + milliseconds;
  for (let from = 0; from < cases && performance.now() < until; ) {
    const to = Math.min(cases, from + CASES_A_PROCESS);
    const task = { reader, key, seeds, from, to, milliseconds: until - performance.now() };
    const next = await runCases(worker, task, counts.of(reader));
    if (next < to && performance.now() < until) throw new Error(`${reader} ended at case ${next}`);
    from = next;
  }
}

/** Writes the files of the first findings of each cause, as seeds are others where other programs are installed. */
async function keepFiles(counts: Counts): Promise<void> {
  await rm(FOUND, { recursive: true, force: true });
  for (const { reader, index } of counts.examples()) {
    const { seed, changes } = mutate(reader, await readSeeds(seeds, reader), key, index);
    const path = join(FOUND, `${reader}-${key}-${index}`, seed.name);
    await mkdir(dirname(path), { recursive: true });
    await writeChanges(path, seed.files, seed.files);
    await writeChanges(path, changes, seed.files);
  }
}
