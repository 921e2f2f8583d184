import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe } from 'vitest';
import { testMount } from './mounted-service.js';
import { root, type ServerProcess, startServer } from './server-process.js';

const binary = await import('workerd').then(
  (workerd) => workerd.default,
  () => undefined,
);
const skip = binary === undefined && !process.env.PLUMECAST_REQUIRE_RUNTIMES;
if (skip) console.log('skipped: docs/mounting/worker.js (workerd is not installed)');

const folder = join(root, 'build', 'mounting');
const example = join(root, 'docs', 'mounting', 'worker.js');

/** Bundles the worker as it says itself, and serves it on a free port. */
async function startWorker(): Promise<ServerProcess> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [example],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['./plumecast.wasm'],
    // Without the paths of tsconfig.json, which lead to src/.
    tsconfigRaw: {},
    logLevel: 'error',
  });
  await copyFile(join(root, 'dist', 'plumecast.wasm'), join(folder, 'plumecast.wasm'));
  await copyFile(join(root, 'docs', 'mounting', 'worker.capnp'), join(folder, 'worker.capnp'));
  const where = ['--socket-addr=http=127.0.0.1:0', '--control-fd=1'];
  return startServer(
    [binary as string, 'serve', join(folder, 'worker.capnp'), ...where],
    /"socket":"http","port":(\d+)/,
  );
}

describe.skipIf(skip)('docs/mounting/worker.js', () => {
  testMount({
    basePath: '/weather',
    start: startWorker,
    // The same module, in Node.
    handler: async () => (await import(example)).default.fetch,
    ownRoute: 'The app\n',
    whenEnding: undefined,
  });
});
