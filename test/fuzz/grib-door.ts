import { type GribKernels, giveGribKernels, takeGribKernels } from '../../src/core/grib-kernels.js';
import { isPlumecastError } from '../../src/errors.js';
import type { RandomAccess } from '../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../src/files/grib/grid/grib1-grid.js';
import type { Grib1Field, GribField } from '../../src/files/grib/messages.js';
import { readGrib1Product } from '../../src/files/grib/product/grib1-product.js';
import { scanMessages } from '../../src/files/grib/scan-messages.js';
import { countPoints, readFieldValues } from '../../src/files/grib/unpack-field.js';
import { readGrib1Values } from '../../src/files/grib/unpack-grib1.js';
import type { Digest } from './digest.js';

/**
 * Adds the values of all fields of a file that have at most `most` points, and returns the number of points. Throws the
 * first error of a message, after all others have been read, and whatever is no error of plumecast at once.
 */
export async function addFields(digest: Digest, access: RandomAccess, most: number): Promise<number> {
  const tools = await takeGribKernels();
  const mark = tools.memory.mark();
  const errors: unknown[] = [];
  let count = 0;
  try {
    for await (const field of scanMessages(access)) {
      if (field.kind === 'fault') errors.push(field.error);
      else {
        try {
          const [points, read] = reading(tools, access, field);
          count += points;
          if (points > most) continue;
          const values = new Float64Array(points);
          await read(values);
          for (const value of values) digest.add(value);
        } catch (error) {
          if (!isPlumecastError(error)) throw error;
          errors.push(error);
        }
      }
    }
    if (tools.memory.mark() !== mark) throw new Error('memory of the kernels is not given back');
  } finally {
    giveGribKernels(tools);
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

/** The number of points of a field, and what reads their values. */
function reading(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField | Grib1Field,
): [points: number, read: (into: Float64Array) => Promise<void>] {
  if (field.edition === 2) return [countPoints(field), (into) => readFieldValues(tools, access, field, into)];
  readGrib1Product(field);
  const grid = readGrib1Grid(field);
  const points = grid.shape.reduce((product, length) => product * length, 1);
  return [points, (into) => readGrib1Values(tools, access, field, grid, into)];
}
