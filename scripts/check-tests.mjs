/**
 * Checks that take too long for `npm test`: every runtime, without skipping any, many more runs of the property tests,
 * and the files of every writer in every shape.
 *
 *   node scripts/check-tests.mjs [VITEST ARGUMENTS]     such as folders of tests; PLUMECAST_FUZZ_RUNS=2 makes fewer property runs
 */
import { execFileSync, spawnSync } from 'node:child_process';

const nodes = execFileSync(process.execPath, ['scripts/install-nodes.mjs'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
const env = {
  ...{ PLUMECAST_FULL_CHECK: '1', PLUMECAST_FUZZ_RUNS: '50' },
  ...{ PLUMECAST_REQUIRE_RUNTIMES: '1', PLUMECAST_ALL_WRITERS: '1' },
  ...process.env,
};
for (const [, variable, path] of nodes.matchAll(/^(\w+)=(.+)$/gm)) env[variable] = path;

const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env,
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
