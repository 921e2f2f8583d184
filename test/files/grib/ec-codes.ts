import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import type { FieldValues } from './read-fields.js';

/** A file, and a digest of the values that ecCodes reads of each field; null where it reads none. */
export interface Listed {
  readonly file: string;
  readonly fields: readonly (string | null)[];
}

const script = resolve(import.meta.dirname, 'write_grib.py');

/** Whether ecCodes is there; prints a line where it is not. */
export const hasEcCodes = hasPython('eccodes', 'rasterio', 'numpy');

/** Writes files of all packings, with ecCodes and GDAL. */
export function writeFiles(folder: string): Listed[] {
  return hasEcCodes ? JSON.parse(pythonFile(script, ['write', folder])) : [];
}

/** What ecCodes reads from files. */
export function readFiles(files: readonly string[]): Listed[] {
  return hasEcCodes ? JSON.parse(pythonFile(script, ['read', ...files])) : [];
}

/** Expects the values of all fields to be those of ecCodes, to the bit; so many of them ecCodes cannot read. */
export function expectSame(own: readonly FieldValues[], { fields }: Listed, unread = 0): void {
  const differing = own.flatMap(({ field, values }, i) =>
    fields[i] === null || digest(values) === fields[i]
      ? []
      : [`message ${field.message}, field ${field.field}: ${values.slice(0, 3)}`],
  );
  expect(differing).toEqual([]);
  expect(own).toHaveLength(fields.length);
  expect(fields.filter((field) => field === null)).toHaveLength(unread);
}

function digest(values: Float64Array): string {
  return createHash('sha256')
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest('hex');
}
