import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { gribSeeds } from '../../fuzz/grib-seeds.js';
import { GRIB_DIGESTS } from '../../runtimes/grib-digests.js';
import { hasEcCodes, readFiles } from './ec-codes.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-seeds-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(!hasEcCodes)('the values that all runtimes are compared with are those of ecCodes', () => {
  const seeds = gribSeeds();
  const files = Object.keys(GRIB_DIGESTS).map((name) => {
    const file = join(folder, name);
    writeFileSync(file, seeds.get(name) as Uint8Array);
    return file;
  });
  expect(readFiles(files).map(({ fields }) => fields)).toEqual(Object.values(GRIB_DIGESTS).map((digest) => [digest]));
});
