import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleSuite, root } from './bundle.js';
import { describeSuite } from './describe-suite.js';

const CONFIGURATION = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "suite", worker = .suite)]);
const suite :Workerd.Worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "suite.js", esModule = embed "suite.js"),
    (name = "plumecast.wasm", wasm = embed "plumecast.wasm"),
    (name = "plumecast.bin", data = embed "plumecast.wasm"),
  ],
);
`;

const binary = await import('workerd').then(
  (workerd) => workerd.default,
  () => undefined,
);

describeSuite('workerd', binary === undefined ? 'workerd is not installed' : undefined, async () => {
  const folder = await bundleSuite('workerd', 'workerd-suite.ts', {
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['./plumecast.wasm', './plumecast.bin'],
  });
  await copyFile(join(root, 'dist', 'plumecast.wasm'), join(folder, 'plumecast.wasm'));
  await writeFile(join(folder, 'config.capnp'), CONFIGURATION);
  const { stdout } = await promisify(execFile)(binary as string, ['test', 'config.capnp'], {
    cwd: folder,
    timeout: 120_000,
  });
  return JSON.parse(stdout);
});
