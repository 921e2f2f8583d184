import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { expectSame, hasEcCodes, type Listed, writeFiles } from './ec-codes.js';
import { readFields } from './read-fields.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = writeFiles(folder).map((listed) => ({ ...listed, name: basename(listed.file) }));

describe.skipIf(!hasEcCodes)('values of files of ecCodes and GDAL are those of ecCodes to the bit', () => {
  let tools: GribKernels;
  beforeAll(async () => {
    tools = await takeGribKernels();
  });

  it.each(written.filter(({ name }) => name !== 'jpeg-17-bits.grib2'))('$name', async (listed) => {
    expectSame(await readFields(tools, listed.file), listed);
  });

  it('images of JPEG 2000 of more than 16 bits, which OpenJPEG gives wrongly here, are an error', async () => {
    const { file } = written.find(({ name }) => name === 'jpeg-17-bits.grib2') as Listed;
    await expect(readFields(tools, file)).rejects.toMatchObject({
      tag: 'format',
      problem: 'has an image of JPEG 2000 of more bits than are read',
      received: 17,
    });
  });
});
