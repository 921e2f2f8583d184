/**
 * Runs every `check:` script of package.json except the full one, even after a failure, and prints how long each took.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== 'check:full');

const results = names.map((name) => {
  console.log(`\n--- ${name}: ${scripts[name]}`);
  const from = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', name], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return { name, passed: status === 0, seconds: (performance.now() - from) / 1000 };
});

console.log();
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
