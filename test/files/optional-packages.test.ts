import { readFileSync } from 'node:fs';
import { tableFromArrays } from 'apache-arrow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fixtures } from './pyarrow-fixtures.js';
import { utf8 } from './table-rows.js';

const PACKAGES = ['papaparse', 'hyparquet', 'hyparquet-compressors', 'fzstd', 'h5wasm', '@bokuweb/zstd-wasm'];

beforeEach(() => {
  vi.resetModules();
  for (const name of PACKAGES) {
    vi.doMock(name, () => {
      throw new Error(`Cannot find package '${name}'`);
    });
  }
});

afterEach(() => {
  for (const name of PACKAGES) vi.doUnmock(name);
});

const install = (subject: string, name: string) =>
  `${subject}: needs the package ${name}, which cannot be loaded; allowed: npm install ${name}`;

test.each([
  ['papaparse', utf8('a,b\n1,2\n')],
  ['hyparquet', fixtures.PLAIN_PARQUET],
  ['fzstd', fixtures.ZSTD_FILE],
])('readTable names the missing package %s and how to install it', async (name, bytes) => {
  const { readTable } = await import('../../src/files/index.js');
  await expect(readTable(bytes, { source: 'f' })).rejects.toMatchObject({
    tag: 'package',
    message: install('f', name),
  });
});

test('readTable needs no other package than hyparquet for the codecs of Parquet', async () => {
  vi.doUnmock('hyparquet');
  const { readTable } = await import('../../src/files/index.js');
  for (const bytes of [fixtures.TYPES_PARQUET, fixtures.ZSTD_PARQUET, fixtures.GZIP_PARQUET, fixtures.BROTLI_PARQUET]) {
    expect((await readTable(bytes)).numRows).toBe(3);
  }
});

test('openArrays names the missing package h5wasm and how to install it', async () => {
  const { openArrays } = await import('../../src/files/open-arrays.js');
  const bytes = readFileSync(new URL('../fixtures/arrays/plain.h5', import.meta.url));
  await expect(openArrays(bytes, { source: 'f' })).rejects.toMatchObject({
    tag: 'package',
    message: install('f', 'h5wasm'),
  });
});

test('plain Arrow is read and written without any optional package', async () => {
  const { readTable, encodeTable } = await import('../../src/files/index.js');
  expect((await readTable(fixtures.LEGACY_STREAM)).numRows).toBe(40);
  const table = tableFromArrays({ a: [1], b: [2] });
  for (const format of ['arrow', 'csv', 'json', 'parquet'] as const)
    expect((await encodeTable(table, format)).length).toBeGreaterThan(0);
  expect((await encodeTable(table, 'arrow', { compression: 'lz4' })).length).toBeGreaterThan(0);
  await expect(encodeTable(table, 'arrow', { compression: 'zstd' })).rejects.toThrow(
    install('Arrow', '@bokuweb/zstd-wasm'),
  );
});
