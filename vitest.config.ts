import { defineConfig } from 'vitest/config';

/** How many times as often as written property tests run. */
const fuzzRuns = Number(process.env.PLUMECAST_FUZZ_RUNS ?? 1);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: fuzzRuns > 1 ? ['test/property/more-runs.ts'] : [],
    testTimeout: 30_000 * fuzzRuns,
    // Hooks start processes and build stores, on machines that may do much else.
    hookTimeout: 120_000,
    // Files of tests share the modules that they import: to load them anew for each takes longer than most tests.
    isolate: false,
    // By default one processor would be left for watching files.
    maxWorkers: '100%',
  },
});
