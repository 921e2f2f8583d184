import { readdir, readFile, stat } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = new URL('../../', import.meta.url);
/** The bundle and the worker of pages have all in one file each, and the explorer imports nothing of the package. */
const isOther = (path: string) =>
  ['dist/bundle.js', 'dist/parts-worker.js'].includes(path) || path.startsWith('dist/explorer/');

/** The text of each script that is built; all are packed: scripts/check-package.mjs. */
const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const name of await readdir(new URL('dist/', root), { recursive: true })) {
    const path = `dist/${name.replaceAll('\\', '/')}`;
    if (path.endsWith('.js') && !isOther(path)) scripts.set(path, await readFile(new URL(path, root), 'utf8'));
  }
});

it.each([
  ['plumecast', 'wasm'],
  ['plumecast-table', 'table-wasm'],
  ['plumecast-grib', 'grib-wasm'],
  ['plumecast-store', 'store-wasm'],
  ['plumecast-encoder', 'encoder-wasm'],
  ['plumecast-skill', 'skill-wasm'],
])(
  'one script holds the bytes of %s.wasm, only %s-bytes imports it, and the packed module is the built one',
  async (name, own) => {
    const module = await readFile(new URL(`dist/${name}.wasm`, root));
    expect(module.equals(await readFile(new URL(`build/${name}.wasm`, root)))).toBe(true);
    const having = (part: string) => [...scripts].flatMap(([path, text]) => (text.includes(part) ? [path] : []));
    const carriers = having(module.toString('base64'));
    expect(carriers).toHaveLength(1);
    const importers = having(carriers[0].replace('dist/', './'));
    expect(importers.sort()).toEqual([`dist/${own}-bytes.js`, `dist/${own}-bytes.node.js`]);
  },
);

it('the kernels of a core are not among the public types', async () => {
  const declared = await readFile(new URL('dist/types/core/instantiate.d.ts', root), 'utf8');
  const [, core] = /export interface Core \{([^}]*)\}/.exec(declared) ?? [];
  expect(core).toContain('memory');
  expect(core).not.toContain('kernels');
});

it('the command is a script that Node runs', async () => {
  const command = await readFile(new URL(manifest.bin.plumecast, root), 'utf8');
  expect(command.startsWith('#!/usr/bin/env node\n')).toBe(true);
  const { mode } = await stat(new URL(manifest.bin.plumecast, root));
  if (process.platform !== 'win32') expect(mode & 0o111).toBe(0o111);
});
