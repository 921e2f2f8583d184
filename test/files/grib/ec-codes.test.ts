import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { expectSame, hasEcCodes, writeFiles } from './ec-codes.js';
import { readFields } from './read-fields.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = writeFiles(folder).map((listed) => ({ ...listed, name: basename(listed.file) }));

describe.skipIf(!hasEcCodes)('values of files of ecCodes and GDAL are those of ecCodes to the bit', () => {
  let tools: GribKernels;
  beforeAll(async () => {
    tools = await takeGribKernels();
  });

  it.each(written)('$name', async (listed) => {
    expectSame(await readFields(tools, listed.file), listed);
  });
});
