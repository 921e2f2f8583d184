import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { httpRequest } from './http-request.js';
import { testMount } from './mounted-service.js';
import { KEY } from './served-store.js';
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
    external: ['./*.wasm'],
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

/** The same module, in Node. */
const handler = async () => (await import(example)).default.fetch;

describe.skipIf(skip)('docs/mounting/worker.js', () => {
  testMount({ basePath: '/weather', start: startWorker, handler, ownRoute: 'The app\n', whenEnding: undefined });
});

describe.skipIf(skip)('the compression of docs/mounting/worker.js', () => {
  it.each([
    ['a body that is complete', '/weather/v2/forecast/statistics?lat=37.2&lon=-79.8'],
    ['a body that is written as it is sent', '/weather/v2/forecast?lat=37.2&lon=-79.8&var=precipitation'],
  ])('compresses %s once, and leaves it out where the client does not ask', async (_, path) => {
    const server = await startWorker();
    try {
      const ask = (headers: Record<string, string>) =>
        httpRequest(server.address, path, { headers: { 'X-Api-Key': KEY, ...headers } });
      const [plain, coded] = [await ask({}), await ask({ 'Accept-Encoding': 'gzip' })];
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      expect([coded.status, coded.headers['content-encoding']]).toEqual([200, 'gzip']);
      expect(coded.body.length).toBeLessThan(plain.body.length / 2);
      expect(gunzipSync(coded.body).equals(plain.body)).toBe(true);
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
    } finally {
      await server.end('SIGKILL');
    }
  });
});
