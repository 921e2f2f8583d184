import { readFileSync } from 'node:fs';
import type { GribKernels } from '../../../src/core/grib-kernels.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import type { GribField } from '../../../src/files/grib/messages.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { countPoints, readFieldValues } from '../../../src/files/grib/unpack-field.js';

/** A field with its values. */
export interface FieldValues {
  readonly field: GribField;
  readonly values: Float64Array;
}

/** The fields of edition 2 of a file, or of bytes, with their values. Throws what is wrong with a message. */
export async function readFields(tools: GribKernels, file: string | Uint8Array): Promise<FieldValues[]> {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  const access = bytesAccess(bytes, 'fields.grib2');
  const fields: FieldValues[] = [];
  for await (const field of scanMessages(access)) {
    if (field.kind === 'fault') throw field.error;
    if (field.edition === 1) continue;
    const values = new Float64Array(countPoints(field));
    await readFieldValues(tools, access, field, values);
    fields.push({ field, values });
  }
  return fields;
}
