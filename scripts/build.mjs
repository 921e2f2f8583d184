/**
 * Builds dist/, unless neither what a build reads nor what the last one wrote has changed since: then nothing is done.
 * `rm -r dist` makes the next build build all.
 *
 *   npm run build [-- --debug]
 *
 * With `--debug` kernels are not optimized and have names, and scripts have source maps: docs/debugging.md.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a build writes: generated sources, modules of WebAssembly and what is loaded as text, and the package. */
const OUTPUTS = [
  ...['assembly/core/generated', 'assembly/grib/generated', 'assembly/table/generated', 'src/core/generated'],
  ...[
    'build/plumecast.wasm',
    'build/plumecast-table.wasm',
    'build/plumecast-grib.wasm',
    'build/plumecast-store.wasm',
    'build/plumecast-encoder.wasm',
    'build/plumecast-skill.wasm',
    'build/pool-worker.txt',
    'dist',
  ],
];

/** What it reads; the lock file in node_modules/ says which versions are installed. */
const INPUTS = [
  ...['assembly', 'src', 'scripts/build-package.mjs', 'package.json', 'node_modules/.package-lock.json'],
  ...['asconfig.json', 'tsconfig.json', 'tsconfig.build.json', 'tsup.config.ts'],
];

/** The digests of both, as they were when the last build ended. */
const STAMP = 'build/last-build.txt';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

/** As they are before the build: what is edited meanwhile is built the next time. */
const isDebug = process.argv.includes('--debug');
const inputs = `inputs ${digest(INPUTS, OUTPUTS)}${isDebug ? ' debug' : ''}\n`;

if (contentOf(STAMP)?.toString() !== inputs + digestOfOutputs()) {
  const { buildPackage } = await import('./build-package.mjs');
  if (await buildPackage({ isDebug })) writeFileSync(STAMP, inputs + digestOfOutputs());
  else process.exitCode = 1;
}

function digestOfOutputs() {
  return `outputs ${digest(OUTPUTS)}\n`;
}

/** A digest of the names and contents of files, those of folders included; what is absent counts as empty. */
function digest(paths, left = []) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((path) => filesOf(path, left))) {
    hash.update(`${path}\n`).update(
      createHash('sha256')
        .update(contentOf(path) ?? '')
        .digest(),
    );
  }
  return hash.digest('hex');
}

/** The path itself where it is a file; otherwise the files of the folder, in order, without the paths in `left`. */
function filesOf(path, left) {
  if (left.includes(path)) return [];
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`, left));
}

function contentOf(path) {
  return statSync(path, { throwIfNoEntry: false }) && readFileSync(path);
}
