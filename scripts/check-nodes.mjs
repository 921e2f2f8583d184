/**
 * Runs all tests on every version of Node that is supported, one after the other: they must pass whole on each.
 *
 *   node scripts/check-nodes.mjs [MAJOR...] [VITEST ARGUMENTS]     by default 20, 22, 24 and 26
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const [present] = process.versions.node.split('.');
const args = process.argv.slice(2);
const named = args.filter((arg) => /^\d+$/.test(arg));
const majors = named.length > 0 ? named : ['20', '22', '24', '26'];
const others = majors.filter((major) => major !== present);
const folder = join(tmpdir(), 'plumecast-nodes');

const binaries = new Map([[present, process.execPath]]);
if (others.length > 0) {
  const installed = execFileSync(process.execPath, ['scripts/install-nodes.mjs', folder, ...others], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const [, major, path] of installed.matchAll(/^PLUMECAST_NODE_(\d+)=(.+)$/gm)) binaries.set(major, path);
}

for (const major of majors) {
  const binary = binaries.get(major);
  // What is missing is said by install-nodes.mjs.
  if (binary === undefined) continue;
  console.log(`\nNode ${major}: ${binary}`);
  // npm and the programs that tests start take the Node of the path.
  const env = { ...process.env, PATH: dirname(binary) + delimiter + process.env.PATH };
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args.filter((arg) => !named.includes(arg))];
  const { status } = spawnSync(binary, command, { stdio: 'inherit', env });
  console.log(`Node ${major}: ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}
