import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How many times as often as written property tests run. */
const fuzzRuns = Number(process.env.PLUMECAST_FUZZ_RUNS ?? 1);

/** Tests that put other modules in the place of those they import, or look at the memory of a library, have a process of their own. */
const ISOLATED = [
  'test/batch/known-outputs.test.ts',
  'test/cli/{batch-log,recommended-command}.test.ts',
  'test/files/netcdf4/rewritten-file.test.ts',
  'test/files/optional-packages.test.ts',
  'test/threads/{fallback,life}.test.ts',
];

/**
 * Tests that take long for what they add to others: kills at random moments, many cases of what others try once. `npm test` leaves them to
 * `npm run check:full`, whose part "tests" runs all.
 */
const LONG =
  process.env.PLUMECAST_FULL_CHECK !== undefined
    ? []
    : [
        'test/batch/{joined-batches,kills,lost-folder}.test.ts',
        'test/bench/contestants.test.ts',
        'test/batch/shards/shard-kills.test.ts',
        'test/blend/{known-processes,seam-quality}.test.ts',
        'test/cli/{convert-round-trips,demo,killed-workers,limited-memory,options-of-inputs,stats-streaming,store-feeds}.test.ts',
        'test/files/cf/read-ahead.test.ts',
        'test/files/netcdf4/endless-groups.test.ts',
        'test/package/long-work.test.ts',
        'test/service/handler/listener/same-answers.test.ts',
        'test/service/record/verify-store.test.ts',
        'test/service/store/real-buckets.test.ts',
        'test/worker/{process,stalled-clients}.test.ts',
        'test/writers/files-of-centres.test.ts',
      ];

/** Tests that wait for browsers and servers, longest first: alone at the end they would leave processors without work. */
const FIRST = [
  ...['explorer/server', 'explorer/files', 'runtimes/blob-threads', 'package/readme', 'package/cookbook'],
  ...['conformance/conformance', 'explorer/stores', 'explorer/keyboard', 'explorer/interactions', 'element/chart'],
  ...['cli/usage', 'cli/database', 'cli/serve-workers', 'cli/serve-lifecycle', 'package/odd-arguments'],
].map((name) => resolve(import.meta.dirname, `test/${name}.test.ts`));

/** As Vitest sorts files, by the time that they took before, or their size; but those above come first, whatever it took to skip them. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (FIRST.indexOf(moduleId) + FIRST.length + 1) % (FIRST.length + 1);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    setupFiles: [
      ...['test/fast-equality.ts', 'test/left-files.ts'],
      ...(fuzzRuns > 1 ? ['test/property/more-runs.ts'] : []),
      ...(process.env.PLUMECAST_PASSED_TESTS === undefined ? [] : ['test/passed-before.ts']),
    ],
    // Only what hangs takes so long: how fast a machine is, and what else it does, fails no test.
    testTimeout: 120_000 * fuzzRuns,
    reporters: ['default', './test/hung-files.ts'],
    expect: { poll: { timeout: 30_000 } },
    // Enough of what was received to know what went wrong, also from the counts at the end of the gate.
    chaiConfig: { truncateThreshold: 200 },
    // What is made of TypeScript is kept by content, for the next run.
    experimental: { fsModuleCache: true },
    hookTimeout: 240_000,
    // Python keeps what it compiles, also where only root may write beside its packages, or nobody is to: imports take a third of the time.
    env: { PYTHONPYCACHEPREFIX: resolve(import.meta.dirname, 'build/python-cache'), PYTHONDONTWRITEBYTECODE: '' },
    // More than there are processors: while tests of servers, locks and browsers wait, others can run. Each takes up to 2 GB.
    maxWorkers: Math.max(1, Math.min(Math.ceil(2.5 * availableParallelism()), Math.floor(totalmem() / 2 ** 31))),
    projects: [
      // Files share the modules that they import: to load them anew for each takes longer than most tests.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: [...ISOLATED, ...LONG] },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
