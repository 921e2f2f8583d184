import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { beforeEach } from 'vitest';

/*
 * Skips what a run before has shown: PLUMECAST_PASSED_TESTS names its JSON report. The gate runs all tests on a machine that has nothing
 * else first, and then, with readers of other people and a browser, those that were skipped there.
 */

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

const { testResults } = JSON.parse(readFileSync(process.env.PLUMECAST_PASSED_TESTS ?? '', 'utf8')) as Report;

/** By file, the names of its tests, and whether all tests of that name passed. */
const passed = new Map<string, Map<string, boolean>>();
for (const { name: file, assertionResults } of testResults) {
  const tests = new Map<string, boolean>();
  for (const { fullName, status } of assertionResults) {
    tests.set(fullName, (tests.get(fullName) ?? true) && status === 'passed');
  }
  passed.set(relative(process.cwd(), file), tests);
}

beforeEach(({ task, skip }) => {
  const titles = [task.name];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) titles.unshift(suite.name);
  if (passed.get(relative(process.cwd(), task.file.filepath))?.get(titles.join(' '))) skip();
});
