/**
 * Records the outputs of this build and of an older commit by `record-outputs.mjs`, with the same inputs, and fails
 * where they differ in anything but words. Needs Git and the history; builds the older commit in a temporary folder.
 *
 *   node scripts/check-outputs.mjs [COMMIT]
 *
 * COMMIT is by default the last tag before HEAD; where there is none, where HEAD left origin/main; and for a commit of
 * origin/main the one before it. A difference that is meant is no longer found from a COMMIT that has it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = resolve(import.meta.dirname, '..');
const commit = commitToCompare();
if (commit === undefined) {
  console.log('skipped: outputs beside those of an older commit (no commit before HEAD is here)');
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'plumecast-outputs-'));
const older = join(folder, 'older');
try {
  console.log(`beside ${git('log', '-1', '--format=%h %s', commit)}`);
  git('clone', '--quiet', '--no-checkout', here, older);
  git('-C', older, 'checkout', '--quiet', '--detach', commit);
  installPackages();
  run(older, 'npm', 'run', '--silent', 'build');
  for (const [name, checkout] of Object.entries({ older, newer: here }))
    record('record', join(folder, `${name}.json`), '--package', checkout);
  record('compare', join(folder, 'older.json'), join(folder, 'newer.json'));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function commitToCompare() {
  const [named] = process.argv.slice(2);
  const commitOf = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: here, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  if (named !== undefined) return git('rev-parse', '--verify', `${named}^{commit}`);
  const parting = commitOf('merge-base', 'HEAD', 'origin/main');
  const own = parting === commitOf('rev-parse', 'HEAD') ? undefined : parting;
  return commitOf('describe', '--tags', '--abbrev=0', 'HEAD^') ?? own ?? commitOf('rev-parse', '--verify', 'HEAD^');
}

/** Those that are here, where the older commit has the same. */
function installPackages() {
  const lock = (checkout) => readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  if (lock(older) !== lock(here)) return run(older, 'npm', 'ci', '--silent', '--ignore-scripts');
  symlinkSync(join(here, 'node_modules'), join(older, 'node_modules'), 'junction');
}

function record(...args) {
  run(here, process.execPath, 'scripts/record-outputs.mjs', ...args);
}

function git(...args) {
  return execFileSync('git', args, { cwd: here, encoding: 'utf8' }).trim();
}

function run(cwd, command, ...args) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status}`);
}
