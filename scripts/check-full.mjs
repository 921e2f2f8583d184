/**
 * Runs the checks, and those that take too long for them: hours in all, one after the other, even after a failure. Ends with
 * what passed, failed and was skipped, and how long each took; exits with 1 where anything failed.
 *
 *   node scripts/check-full.mjs [NAME...]     only the parts of these names
 */
import { runStep, summarize } from './steps.mjs';

const PARTS = {
  build: 'npm run --silent build',
  check: 'npm run --silent check',
  outputs: 'node scripts/check-outputs.mjs',
  declarations: 'node scripts/check-declarations.mjs all',
  site: 'npm run --silent docs',
  verify: 'node scripts/verify.mjs',
  memory: 'node scripts/check-memory.mjs',
  'serving-memory': 'node scripts/check-serving-memory.mjs',
  overload: 'node scripts/check-overload.mjs',
  zones: 'node scripts/check-zones.mjs',
  faults: 'PLUMECAST_FAULT_RUNS=2000 npx vitest run test/files/remote/random-faults.test.ts',
  requests: 'node scripts/check-requests.mjs 100',
  'openapi-types': 'node scripts/check-openapi-types.mjs',
  'generated-clients': 'node scripts/check-generated-clients.mjs',
  store: 'node scripts/check-store.mjs 200',
  drill: 'npm run --silent drill -- 5',
  month: 'node scripts/check-month.mjs 30',
  streaming: 'npm run --silent bench:streaming -- 4 1',
  slurm: 'node scripts/check-slurm.mjs',
  kubernetes: 'node scripts/check-kubernetes.mjs',
  spark: 'node scripts/check-spark.mjs',
  endurance: 'node scripts/check-endurance.mjs',
  tests: 'node scripts/check-tests.mjs',
  nodes: 'node scripts/check-nodes.mjs',
  fuzz: 'npm run --silent fuzz -- --cases 100000 --write',
};

/** None takes a third of it; one that does not end must not keep the others from running. */
const LIMIT_SECONDS = 4 * 3600;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are: ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}

const results = new Map();
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  console.log(`\n=== ${name}: ${PARTS[name]}`);
  const result = await runStep(PARTS[name], { isShown: true, limitSeconds: LIMIT_SECONDS });
  console.log(`=== ${name}: ${result.passed ? 'done' : 'FAILED'} after ${result.seconds.toFixed(1)} s`);
  results.set(name, result);
  // The others would check what was built before.
  if (name === 'build' && !result.passed) break;
}
summarize(results);
