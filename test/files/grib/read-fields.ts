import { readFileSync } from 'node:fs';
import type { GribKernels } from '../../../src/core/grib-kernels.js';
import { bytesAccess, type RandomAccess } from '../../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../../src/files/grib/grid/grib1-grid.js';
import type { Grib1Field, GribField } from '../../../src/files/grib/messages.js';
import { countPoints } from '../../../src/files/grib/packing/grib2-values.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { Dice } from '../../fuzz/dice.js';
import { compareParts, readPart } from './read-parts.js';

/** A field with its values. */
export interface FieldValues {
  readonly field: GribField | Grib1Field;
  readonly values: Float64Array;
}

/**
 * The fields of a file, or of bytes, with their values. Throws what is wrong with a message, and where parts of a field
 * have other values than the field.
 */
export async function readFields(tools: GribKernels, file: string | Uint8Array): Promise<FieldValues[]> {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  const access = bytesAccess(bytes, 'fields.grib2');
  const fields: FieldValues[] = [];
  for await (const field of scanMessages(access)) {
    if (field.kind === 'fault') throw field.error;
    if (field.kind === 'gap') continue;
    const values = await valuesOf(tools, access, field);
    await compareParts(tools, access, field, values, values.length, new Dice([field.offset]));
    fields.push({ field, values });
  }
  return fields;
}

async function valuesOf(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField | Grib1Field,
): Promise<Float64Array> {
  const points =
    field.edition === 2
      ? countPoints(field)
      : readGrib1Grid(field).shape.reduce((product, length) => product * length, 1);
  return readPart(tools, access, field, {}, { from: 0, to: points });
}
