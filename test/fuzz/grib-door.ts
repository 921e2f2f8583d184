import { giveGribKernels, takeGribKernels } from '../../src/core/grib-kernels.js';
import { isPlumecastError } from '../../src/errors.js';
import type { RandomAccess } from '../../src/files/array/random-access.js';
import { scanMessages } from '../../src/files/grib/scan-messages.js';
import { countPoints, readFieldValues } from '../../src/files/grib/unpack-field.js';
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
      else if (field.edition === 2) {
        try {
          const points = countPoints(field);
          count += points;
          if (points > most) continue;
          const values = new Float64Array(points);
          await readFieldValues(tools, access, field, values);
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
