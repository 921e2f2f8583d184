/**
 * Packs the package into build/package.tgz, which publint and attw check next: that the files that package.json names are packed, and
 * that every entry point has its types. Fails where sources, tests or benchmarks are packed, or where what everyone needs is not.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** What is packed, and what has to be. */
const PACKED =
  /^(dist|docs(?!\/site)|integrations(?!\/spark\/(tests|build)))\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;
const NEEDED = ['LICENSE', 'README.md', 'package.json', 'dist/plumecast.wasm', 'dist/types/index.d.ts'];

mkdirSync('build', { recursive: true });
const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', 'build'];
const [{ filename, files }] = JSON.parse(
  execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' }),
);
renameSync(join('build', filename), join('build', 'package.tgz'));
const paths = files.map(({ path }) => path);
const others = paths.filter((path) => !PACKED.test(path));
const missing = NEEDED.filter((path) => !paths.includes(path));
for (const path of others) console.log(`${path} is packed, and is none of the package`);
for (const path of missing) console.log(`${path} is not packed`);
if (others.length + missing.length > 0) process.exitCode = 1;
