/**
 * Records the outputs of a wide set of commands, library calls and requests of a built package, and compares two
 * records: so that a change of its inside can be seen to change nothing outside.
 *
 *     node scripts/record-outputs.mjs record OUT.json [--package FOLDER] [--inputs FOLDER] [--only TEXT]
 *     node scripts/record-outputs.mjs compare OLD.json NEW.json [--words]
 *
 * `--package` is a checkout with a built `dist/`, by default this one. `--inputs` is the folder of the inputs, made by
 * the first build that is recorded, by default `inputs` beside OUT.json: record all builds with the same. `--only`
 * takes the cases whose names have a text in them. PLUMECAST_REFERENCE_DATA names the reference data, PLUMECAST_PYTHON
 * a Python that writes files of other libraries; what is absent is skipped, with a line that says so.
 *
 * A record has results to the last bit, exit codes, classes and codes of errors. Messages and other text for people
 * are kept apart, as words, and may differ. `compare` ends with 1 where anything else differs. Exports that were
 * renamed are listed in record-outputs/built-package.mjs.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openPackage } from './record-outputs/built-package.mjs';
import { callCases } from './record-outputs/calls.mjs';
import { commandCases } from './record-outputs/commands.mjs';
import { compareRecords } from './record-outputs/compare.mjs';
import { fileCases } from './record-outputs/files.mjs';
import { prepareInputs } from './record-outputs/inputs.mjs';
import { requestCases } from './record-outputs/requests.mjs';
import { wrongCallCases } from './record-outputs/wrong-calls.mjs';

const REPOSITORY = resolve(import.meta.dirname, '..');
const PROCESSES = Math.min(2, availableParallelism());

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    package: { type: 'string', default: REPOSITORY },
    inputs: { type: 'string' },
    only: { type: 'string' },
    words: { type: 'boolean', default: false },
  },
});
const [task, ...paths] = positionals;
if (task === 'record' && paths.length === 1) await record(paths[0]);
else if (task === 'compare' && paths.length === 2) await compare(...paths);
else {
  console.error(
    'usage: record OUT.json [--package FOLDER] [--inputs FOLDER] [--only TEXT] | compare OLD.json NEW.json [--words]',
  );
  process.exitCode = 2;
}

async function record(path) {
  const skipped = [];
  const skip = (line) => {
    console.log(line);
    if (line.startsWith('skipped')) skipped.push(line);
  };
  const built = await openPackage(values.package);
  const inputs = await prepareInputs(values.inputs ?? join(dirname(path), 'inputs'), built, skip);
  const folders = { inputs, reference: await referenceData(skip) };
  const target = resolve(path);
  process.chdir(inputs); // So that paths in results and errors are not those of this machine.
  const context = { built, api: built.api, folders, skip };
  const wanted = ({ name }) => values.only === undefined || name.includes(values.only);
  const inProcess = [];
  for (const casesOf of [callCases, wrongCallCases, fileCases, requestCases])
    inProcess.push(...(await casesOf(context)));
  const commands = await commandCases(context);
  assertDifferentNames([...inProcess, ...commands]);
  const started = performance.now();
  const results = {};
  await runCases(inProcess.filter(wanted), 1, results);
  await runCases(commands.filter(wanted), PROCESSES, results);
  const cases = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  const recorded = { plumecast: built.version, node: process.version, skipped, names: built.names, cases };
  await writeFile(target, `${JSON.stringify(recorded, undefined, 1)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${Object.keys(cases).length} cases in ${seconds} s: ${path}`);
  process.exit(); // Whatever a case has left open.
}

function assertDifferentNames(cases) {
  const names = new Set();
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`two cases are called ${name}`);
    names.add(name);
  }
}

/** Runs cases, some at a time. One that fails in itself is recorded so. */
async function runCases(cases, parallel, results) {
  const waiting = cases.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const { name, run } of waiting) {
        results[name] = await Promise.resolve()
          .then(run)
          .catch((error) => ({ 'the case fails': error.name, words: error.stack }));
      }
    }),
  );
}

async function referenceData(skip) {
  const folder = resolve(process.env.PLUMECAST_REFERENCE_DATA ?? join(REPOSITORY, '../shared/data'));
  try {
    await stat(folder);
    return folder;
  } catch {
    skip('skipped: cases of the reference data (PLUMECAST_REFERENCE_DATA names no folder)');
    return undefined;
  }
}

async function compare(older, newer) {
  const [before, after] = await Promise.all(
    [older, newer].map(async (path) => JSON.parse(await readFile(path, 'utf8'))),
  );
  const { lines, differs } = compareRecords(before, after, values.words);
  for (const line of lines) console.log(line);
  if (differs) process.exitCode = 1;
}
