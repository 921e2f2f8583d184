/**
 * Reads the JSON reports of Vitest of a run of all tests where nothing else is installed, and of a second one of the files that skipped
 * some there.
 *
 *   node .ci/test-reports.mjs skipped FIRST           prints the files of the first run in which a test was skipped, or that had none
 *   node .ci/test-reports.mjs count FIRST SECOND      prints the counts of both: a test that ran twice counts as in the second run, and
 *                                                     what failed in the first counts as failed. A run that broke off is a failure.
 *                                                     Each test that failed is named before, with the beginning of its message.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [command, ...paths] = process.argv.slice(2);

if (command === 'skipped') {
  const { files } = readReport(paths[0]);
  for (const [file, tests] of files) if (tests.size === 0 || [...tests.values()].includes('skipped')) console.log(file);
} else {
  const [first, second] = paths.map(readReport);
  for (const { failures } of [first, second]) for (const failure of failures) console.log(`failed: ${failure}`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [file, tests] of new Map([...first.files, ...second.files])) {
    const before = first.files.get(file) ?? new Map();
    for (const [title, status] of new Map([...before, ...tests])) {
      // A test that the second run does not have was skipped in the first for want of its cases.
      if (!tests.has(title) && status !== 'failed') continue;
      // One that passed in the first run is skipped in the second.
      const other = before.get(title);
      counts[other === 'failed' || (other === 'passed' && status === 'skipped') ? other : status]++;
    }
  }
  if (counts.failed === 0 && !(first.success && second.success)) counts.failed = 1;
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

/** By file, the statuses of its tests by their titles and places, and what failed; the run failed where there is no report. */
function readReport(path) {
  let report = { success: false, testResults: [] };
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {}
  const files = report.testResults.map(({ name, assertionResults }) => {
    const times = new Map();
    const tests = assertionResults.map(({ fullName, status }) => {
      const time = (times.get(fullName) ?? 0) + 1;
      times.set(fullName, time);
      return [`${fullName} (${time})`, status === 'passed' || status === 'failed' ? status : 'skipped'];
    });
    return [relative(process.cwd(), name), new Map(tests)];
  });
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    // A file that could not be loaded has a message of its own, and no tests.
    const all = failed.length > 0 || !message ? failed : [{ fullName: '(the file)', failureMessages: [message] }];
    return all.map(
      ({ fullName, failureMessages }) =>
        `${relative(process.cwd(), name)}: ${fullName}\n${failureMessages.join('\n').slice(0, 2_000)}`,
    );
  });
  return { success: report.success, files: new Map(files), failures };
}
