import type { GribKernels } from '../../../core/grib-kernels.js';
import type { ErrorParts } from '../../../errors.js';
import type { RandomAccess } from '../../array/random-access.js';
import type { GribGrid } from '../grid/grid.js';
import { messageError } from '../message-error.js';
import type { Grib1Field } from '../messages.js';
import { Octets } from '../octets.js';
import { readRange } from '../unpack-field.js';
import { assertBitmap, BITMAP_START, constantOf, isSimple, NUMBERS_START, readGrib1Packing } from '../unpack-grib1.js';
import type { FieldIndex, Grib1Heads, StoredRange } from './field-index.js';
import { sectionBytes } from './section-bytes.js';
import { unpackSimplePart } from './simple-part.js';
import { unpackPart } from './unpack-part.js';

/**
 * Reads the values of some points of a field of edition 1 in simple packing, as `readFieldPart` does for edition 2.
 * Returns false for other packings, of which no parts are read.
 */
export async function readGrib1Part(
  tools: GribKernels,
  access: RandomAccess,
  { field, grid }: { readonly field: Grib1Field; readonly grid: GribGrid },
  index: FieldIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<boolean> {
  index.heads ??= await readHeads(access, field);
  const octets = new Octets(field, 4, index.heads.section4);
  if (!isSimple(octets)) return false;
  const points = grid.shape.reduce((product, length) => product * length, 1);
  if (field.section3 && index.heads.section3) {
    assertBitmap(field, index.heads.section3, field.section3.length, points);
  }
  const fault = (parts: Omit<ErrorParts, 'subject'>) => messageError(field, 4, parts);
  const packing = readGrib1Packing(field, octets);
  const numbers = sectionBytes(access, field.section4, NUMBERS_START);
  const values = {
    ...{ points, constant: constantOf(octets, packing, false) },
    bitmap: field.section3 && sectionBytes(access, field.section3, BITMAP_START),
    // Edition 1 does not say how many values there are.
    assertCount: () => {},
    unpack: (some: StoredRange, count: number) => unpackSimplePart(tools, numbers, { ...packing, count }, fault, some),
  };
  await unpackPart(tools, values, index, range, into);
  return true;
}

async function readHeads(access: RandomAccess, { section3, section4 }: Grib1Field): Promise<Grib1Heads> {
  return {
    section3: section3 && (await readRange(access, { ...section3, length: BITMAP_START })),
    section4: await readRange(access, { ...section4, length: NUMBERS_START }),
  };
}
