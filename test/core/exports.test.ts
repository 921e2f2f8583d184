import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { CoreExports } from '../../src/core/exports.js';

// TypeScript rejects this table where it has no key of the interface or has one more.
const typed: Record<keyof CoreExports, true> = {
  heapBase: true,
  planBytes: true,
  beginPlan: true,
  anyInfiniteF32: true,
  anyInfiniteF64: true,
  firstInfiniteF32: true,
  firstInfiniteF64: true,
  totalSeriesF32: true,
  totalSeriesF64: true,
  totalFieldF32: true,
  totalFieldF64: true,
  windowsByF32: true,
  windowsByF64: true,
  raw: true,
  windowDays: true,
  memberMeansF32: true,
  memberMeansF64: true,
  trajectoryValues: true,
  orderMembers: true,
  sortBytes: true,
  joinMembers: true,
  departures: true,
  addColumns: true,
  lagCorrelations: true,
  memberProducts: true,
  exchangePartners: true,
  copyDays: true,
  gatherF32: true,
  gatherF64: true,
  gatherWindows: true,
  selectDaysF32: true,
  selectDaysF64: true,
  statisticsF32: true,
  statisticsF64: true,
  statisticsRawF32: true,
  categoriesF32: true,
  categoriesF64: true,
  categoriesRawF32: true,
  poolsF32: true,
  poolsF64: true,
  writeNumbersF32: true,
};

const module = await WebAssembly.compile(await readFile(new URL('../../build/plumecast.wasm', import.meta.url)));

it('the typed interface names the functions that the module exports, and the module exports nothing else', () => {
  const exported = WebAssembly.Module.exports(module).map(({ name, kind }) => `${kind} ${name}`);
  const expected = Object.keys(typed).map((name) => `function ${name}`);
  expect(exported.sort()).toEqual(expected.sort());
});

it('the module imports nothing but its memory', () => {
  expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
});
