import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { bundleSuite, root } from './bundle.js';
import { describeSuite } from './describe-suite.js';

const CONFIGURATION = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "suite", worker = .suite)]);
const suite :Workerd.Worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "suite.js", esModule = embed "suite.js"),
    (name = "plumecast.wasm", wasm = embed "plumecast.wasm"),
    (name = "plumecast-table.wasm", wasm = embed "plumecast-table.wasm"),
    (name = "plumecast-grib.wasm", wasm = embed "plumecast-grib.wasm"),
    (name = "plumecast.bin", data = embed "plumecast.wasm"),
  ],
);
`;

const modules = ['plumecast.wasm', 'plumecast-table.wasm', 'plumecast-grib.wasm'];
/** Loaded only for other formats than those of the suite. */
const optionalPackages = Object.keys(manifest.optionalDependencies);

const binary = await import('workerd').then(
  (workerd) => workerd.default,
  () => undefined,
);

describeSuite('workerd', binary === undefined ? 'workerd is not installed' : undefined, async () => {
  const folder = await bundleSuite('workerd', 'workerd-suite.ts', {
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: [...modules.map((name) => `./${name}`), './plumecast.bin', ...optionalPackages],
  });
  for (const name of modules) await copyFile(join(root, 'dist', name), join(folder, name));
  await writeFile(join(folder, 'config.capnp'), CONFIGURATION);
  const { stdout } = await promisify(execFile)(binary as string, ['test', 'config.capnp'], {
    cwd: folder,
    timeout: 120_000,
  });
  return JSON.parse(stdout);
});
