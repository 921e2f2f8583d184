/**
 * Runs every `check:` script of package.json except the full one, as many at a time as there are processors, even after
 * a failure. Prints what each printed when it has ended, and how long each took.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== 'check:full');

/** Those that take longest are last in package.json, and begin first. */
const waiting = names.toReversed();
const results = new Map();

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) results.set(name, await run(name));
}

function run(name) {
  const from = performance.now();
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => printed.push(piece));
  return new Promise((resolve) => {
    child.once('error', (error) => printed.push(Buffer.from(`${error}\n`)));
    child.once('close', (status) => {
      console.log(`\n--- ${name}: ${scripts[name]}\n${Buffer.concat(printed)}`);
      resolve({ passed: status === 0, seconds: (performance.now() - from) / 1000 });
    });
  });
}

await Promise.all(Array.from({ length: availableParallelism() }, work));

console.log();
for (const name of names) {
  const { passed, seconds } = results.get(name);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
}
process.exitCode = [...results.values()].every(({ passed }) => passed) ? 0 : 1;
