import type { GribKernels } from '../../../src/core/grib-kernels.js';
import { isPlumecastError } from '../../../src/errors.js';
import type { RandomAccess } from '../../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../../src/files/grib/grid/grib1-grid.js';
import type { Grib1Field, GribField } from '../../../src/files/grib/messages.js';
import { readGrib1Values } from '../../../src/files/grib/packing/grib1-values.js';
import { readGrib2Values } from '../../../src/files/grib/packing/grib2-values.js';
import type { PackingIndex, StoredRange } from '../../../src/files/grib/packing/packing-index.js';
import type { Dice } from '../../fuzz/dice.js';

const PARTS = 6;

/**
 * Reads parts of a field, the first ones one behind the other, others anywhere. Throws an Error where one has other
 * values than the field has when it is read in full, or another error of plumecast; `expected` is the one or the other.
 */
export async function compareParts(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField | Grib1Field,
  expected: Float64Array | unknown,
  points: number,
  dice: Dice,
): Promise<void> {
  if (points === 0) return;
  const index: PackingIndex = {};
  let behind = dice.below(points);
  for (let i = 0; i < PARTS; i++) {
    const from = i < PARTS / 2 ? behind : dice.below(points);
    const range = { from, to: from + 1 + dice.below(points - from) };
    if (i < 2) range.to = Math.min(range.to, from + 1 + Math.floor(points / 4));
    behind = Math.min(range.to, points - 1);
    const found = await readPart(tools, access, field, index, range).catch((error) => {
      if (!isPlumecastError(error)) throw error;
      return error;
    });
    const isSame =
      expected instanceof Float64Array
        ? found instanceof Float64Array && hasValues(found, expected, range)
        : textOf(found) === textOf(expected);
    if (isSame) continue;
    const wanted = expected instanceof Float64Array ? expected.subarray(range.from, range.to) : textOf(expected);
    throw new Error(`part ${range.from} to ${range.to}: ${textOf(found)}, expected ${wanted}`);
  }
}

/** The values of some points of a field. */
export async function readPart(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField | Grib1Field,
  index: PackingIndex,
  range: StoredRange,
): Promise<Float64Array> {
  const values = new Float64Array(range.to - range.from);
  if (field.edition === 2) await readGrib2Values(tools, access, field, index, range, values);
  else await readGrib1Values(tools, access, { field, grid: readGrib1Grid(field) }, index, range, values);
  return values;
}

function textOf(found: unknown): string {
  return found instanceof Error ? found.message : `values ${found}`;
}

function hasValues(part: Float64Array, values: Float64Array, { from }: StoredRange): boolean {
  return part.every((value, i) => Object.is(value, values[from + i]));
}
