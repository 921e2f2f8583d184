import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { CoreExports } from '../../src/core/exports.js';

// TypeScript refuses this table where it lacks a key of the interface or has one more.
const typed: Record<keyof CoreExports, true> = {
  heapBase: true,
  planBytes: true,
  beginPlan: true,
  clearInvalidF32: true,
  clearInvalidF64: true,
  firstInfiniteF32: true,
  firstInfiniteF64: true,
  totalSeriesF32: true,
  totalSeriesF64: true,
  totalFieldF32: true,
  totalFieldF64: true,
  minimumF32: true,
  minimumF64: true,
  maximumF32: true,
  maximumF64: true,
  countF32: true,
  countF64: true,
  raw: true,
  windowDays: true,
  statisticsF32: true,
  statisticsF64: true,
  statisticsRawF32: true,
};

const compiled = WebAssembly.compile(await readFile(new URL('../../build/plumecast.wasm', import.meta.url)));

it('the typed interface has the functions that the module exports, and no other', async () => {
  const exported = WebAssembly.Module.exports(await compiled);
  expect(
    exported
      .filter(({ kind }) => kind === 'function')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(typed).sort());
});

it('the module exports nothing but functions, and imports nothing but its memory', async () => {
  const module = await compiled;
  expect(WebAssembly.Module.exports(module).filter(({ kind }) => kind !== 'function')).toEqual([]);
  expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
});
