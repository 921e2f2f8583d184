import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler } from 'plumecast/service';
import { openKeys, openLocations, openStore } from 'plumecast/service/node';
import { afterAll, describe } from 'vitest';
import { testMount } from './mounted-service.js';
import { writeServedStore } from './served-store.js';
import { startServer } from './server-process.js';

const store = await mkdtemp(join(tmpdir(), 'plumecast-mounting-'));
await writeServedStore(store);
const source = await openStore(store);
const keys = await openKeys(store);
const locations = await openLocations(store);
afterAll(async () => {
  await source.close();
  await rm(store, { recursive: true });
});

const handlerAt = (basePath: string) => () => createHandler({ source, keys, locations, basePath });

describe.each([
  // Fastify rejects requests that arrive completely after close() was called.
  { example: 'fastify.mjs', whenEnding: 503 },
  { example: 'node-http.mjs', whenEnding: 200 },
  { example: 'express.mjs', whenEnding: 200 },
  { example: 'hono.mjs', whenEnding: 200 },
])('docs/mounting/$example', ({ example, whenEnding }) => {
  testMount({
    basePath: '/weather',
    start: () => startServer([process.execPath, join('docs', 'mounting', example), store]),
    handler: handlerAt('/weather'),
    ownRoute: 'The app\n',
    whenEnding,
  });
});

describe('plumecast serve, which is mounted at the root', () => {
  testMount({
    basePath: '',
    start: () =>
      startServer([
        process.execPath,
        join('dist', 'cli.js'),
        'serve',
        '--port',
        '0',
        '--drain-seconds',
        '0',
        '--store',
        store,
      ]),
    handler: handlerAt(''),
    ownRoute: undefined,
    whenEnding: 200,
  });
});
