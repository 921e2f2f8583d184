import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { readFields } from './read-fields.js';

/** Files of ecCodes and GDAL in all packings, which `write_grib.py` writes, with the values that ecCodes reads from them. */
const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = resolve(import.meta.dirname, 'write_grib.py');
const isThere = hasPython('eccodes', 'rasterio', 'numpy');
const written: { file: string; values: string }[] = isThere ? JSON.parse(pythonFile(script, [folder])) : [];

describe.skipIf(!isThere)('values are those of ecCodes to the bit', () => {
  let tools: GribKernels;
  beforeAll(async () => {
    tools = await takeGribKernels();
  });

  it.each(written.map(({ file, values }) => ({ name: basename(file), file, values })))(
    '$name',
    async ({ file, values }) => {
      const bytes = readFileSync(values);
      const expected = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      const fields = await readFields(tools, file);
      let at = 0;
      for (const { field, values: own } of fields) {
        const theirs = expected.subarray(at, at + own.length);
        const wrong = own.findIndex((value, i) => !Object.is(value, theirs[i]));
        expect(wrong < 0 ? undefined : { message: field.message, wrong, own: own[wrong], theirs: theirs[wrong] }).toBe(undefined);
        at += own.length;
      }
      expect(at).toBe(expected.length);
    },
  );
});
