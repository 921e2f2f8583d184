import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { casesOf, isFullCheck } from '../full-check.js';
import { bundleSuite, root } from '../runtimes/bundle.js';
import { chromiumAbsent, evaluateInChromium } from '../runtimes/chromium.js';
import type { PoolOutcome } from '../runtimes/pool-suite.js';

const isRequired = process.env.PLUMECAST_REQUIRE_RUNTIMES !== undefined;

function expectOutcome(outcome: PoolOutcome, threads: number): void {
  expect(outcome).toMatchObject({ threads, agrees: { outside: true, inPlace: true } });
  expect(outcome.messages[0]).toContain('infinite value');
  expect(new Set(outcome.messages)).toEqual(new Set([outcome.messages[0]]));
  expect(outcome.afterClose).toContain('pool: closed');
}

if (chromiumAbsent !== undefined && !isRequired) console.log(`skipped: a pool in Chromium (${chromiumAbsent})`);

const PAGES = [
  { page: 'a page that is cross-origin isolated', isIsolated: true, threads: 2 },
  { page: 'a page that is not', isIsolated: false, threads: 0 },
];

it.skipIf(chromiumAbsent !== undefined && !isRequired).each(casesOf(PAGES, [0]))(
  'in $page of Chromium a pool has $threads workers',
  { timeout: 120_000 },
  async ({ isIsolated, threads }) => {
    const folder = await bundleSuite('pool-chromium', 'pool-suite.ts', {
      platform: 'browser',
    });
    const files = new Map([['/suite.js', { type: 'text/javascript', body: await readFile(join(folder, 'suite.js')) }]]);
    const isolation = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    const expression = "import('/suite.js').then((suite) => suite.run())";
    const outcome = await evaluateInChromium<PoolOutcome>(files, expression, isIsolated ? isolation : {});
    expect(outcome.isIsolated).toBe(isIsolated);
    expectOutcome(outcome, threads);
  },
);

if (isFullCheck) {
  it('in a page whose policy forbids blob: workers, a pool has none', { timeout: 120_000 }, async () => {
    const folder = await bundleSuite('pool-chromium', 'pool-suite.ts', {
      platform: 'browser',
    });
    const files = new Map([['/suite.js', { type: 'text/javascript', body: await readFile(join(folder, 'suite.js')) }]]);
    const headers = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Content-Security-Policy': "worker-src 'self'",
    };
    const expression = "import('/suite.js').then((suite) => suite.run())";
    expectOutcome(await evaluateInChromium<PoolOutcome>(files, expression, headers), 0);
  });
}

for (const major of [22, 24]) {
  const binary = process.env[`PLUMECAST_NODE_${major}`];
  const absent = binary === undefined || !existsSync(binary);
  if (absent && !isRequired) console.log(`skipped: a pool in Node ${major} (PLUMECAST_NODE_${major} names no file)`);
  it.skipIf(absent && !isRequired)(`in Node ${major} a pool has workers`, async () => {
    expectOutcome(await outcomeInNode(binary as string, {}), 2);
  });
}

it('a bundle for Node carries its workers with it', async () => {
  expectOutcome(await outcomeInNode(process.execPath, { bundled: true }), 2);
});

async function outcomeInNode(binary: string, { bundled = false }): Promise<PoolOutcome> {
  const external = bundled ? [] : ['plumecast', 'plumecast/*'];
  const folder = await bundleSuite('pool-node', 'pool-suite.ts', { platform: 'node', external });
  const code = `import { run } from './suite.js'; console.log(JSON.stringify(await run()));`;
  const { stdout } = await promisify(execFile)(binary, ['--input-type=module', '--eval', code], { cwd: folder });
  return JSON.parse(stdout);
}

const workerd = await import('workerd').then(
  (found) => found.default,
  () => undefined,
);
if (workerd === undefined && !isRequired) console.log('skipped: a pool in workerd (workerd is not installed)');

it.skipIf(workerd === undefined && !isRequired)('in workerd a pool computes on the calling thread', async () => {
  const folder = await bundleSuite('pool-workerd', 'pool-workerd-suite.ts', {
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['./plumecast.wasm'],
  });
  await copyFile(join(root, 'dist', 'plumecast.wasm'), join(folder, 'plumecast.wasm'));
  await writeFile(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "suite", worker = .suite)]);
const suite :Workerd.Worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "suite.js", esModule = embed "suite.js"),
    (name = "plumecast.wasm", wasm = embed "plumecast.wasm"),
  ],
);
`,
  );
  const { stdout } = await promisify(execFile)(workerd as string, ['test', 'config.capnp'], { cwd: folder });
  expectOutcome(JSON.parse(stdout), 0);
});
