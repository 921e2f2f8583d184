import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = new URL('../../', import.meta.url);
const shell = process.platform === 'win32';

const packed = promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
  cwd: root,
  shell,
}).then(({ stdout }) => (JSON.parse(stdout)[0].files as { path: string; mode: number }[]).map(({ path }) => path));

/** Every file that package.json names as a target. */
function targets(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace('./', '')];
  return Object.values(value as object).flatMap(targets);
}

it('every file that package.json names is packed', async () => {
  const named = targets([manifest.exports, manifest.imports, manifest.bin]);
  expect(named.length).toBeGreaterThan(10);
  expect((await packed).filter((path) => named.includes(path)).sort()).toEqual([...new Set(named)].sort());
});

it('the licence and the module are packed; sources, tests and benchmarks are not', async () => {
  const paths = await packed;
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'dist/plumecast.wasm']));
  const others = paths.filter(
    (path) => !/^(dist|docs)\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(path),
  );
  expect(others).toEqual([]);
});

it('every type declaration that a packed one imports is packed', async () => {
  const declarations = (await packed).filter((path) => path.endsWith('.d.ts'));
  expect(declarations).toContain('dist/types/index.d.ts');
  const missing: string[] = [];
  for (const path of declarations) {
    const text = await readFile(new URL(path, root), 'utf8');
    for (const [, to] of text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)) {
      const target = new URL(`${to}.d.ts`, new URL(path, root));
      await stat(target).catch(() => missing.push(`${path} imports ${to}`));
    }
  }
  expect(missing).toEqual([]);
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
    // The bundle and the worker of pages have all in one file each, and the explorer imports nothing of the package.
    const isOther = (path: string) =>
      ['dist/bundle.js', 'dist/parts-worker.js'].includes(path) || path.startsWith('dist/explorer/');
    const scripts = (await packed).filter((path) => path.endsWith('.js') && !isOther(path));
    const base64 = module.toString('base64');
    const carriers: string[] = [];
    for (const path of scripts) {
      if ((await readFile(new URL(path, root), 'utf8')).includes(base64)) carriers.push(path);
    }
    expect(carriers).toHaveLength(1);
    const importers: string[] = [];
    for (const path of scripts) {
      const text = await readFile(new URL(path, root), 'utf8');
      if (text.includes(carriers[0].replace('dist/', './'))) importers.push(path);
    }
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
