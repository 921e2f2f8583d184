import type { GribKernels } from '../../../src/core/grib-kernels.js';
import { isPlumecastError } from '../../../src/errors.js';
import type { RandomAccess } from '../../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../../src/files/grib/grid/grib1-grid.js';
import type { Grib1Field, GribField } from '../../../src/files/grib/messages.js';
import type { FieldIndex, StoredRange } from '../../../src/files/grib/parts/field-index.js';
import { hasParts, readFieldPart } from '../../../src/files/grib/parts/read-field-part.js';
import { readGrib1Part } from '../../../src/files/grib/parts/read-grib1-part.js';
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
  if (points === 0 || (field.edition === 2 && !hasParts(field))) return;
  const index: FieldIndex = {};
  let behind = dice.below(points);
  for (let i = 0; i < PARTS; i++) {
    const from = i < PARTS / 2 ? behind : dice.below(points);
    const range = { from, to: from + 1 + dice.below(points - from) };
    if (i < 2) range.to = Math.min(range.to, from + 1 + Math.floor(points / 4));
    behind = Math.min(range.to, points - 1);
    const into = new Float64Array(range.to - range.from);
    const found = await readPart(tools, access, field, index, range, into);
    if (found === false) return;
    const same = expected instanceof Float64Array ? isSame(into, expected, range) : textOf(found) === textOf(expected);
    if (!same || (expected instanceof Float64Array && found !== true)) {
      const wanted = expected instanceof Float64Array ? expected.subarray(range.from, range.to) : textOf(expected);
      throw new Error(`part ${range.from} to ${range.to}: ${textOf(found)} ${into}, expected ${wanted}`);
    }
  }
}

/** True where the part was read, false where only the whole field can be, or the error. */
async function readPart(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField | Grib1Field,
  index: FieldIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<unknown> {
  try {
    if (field.edition === 1) {
      return await readGrib1Part(tools, access, { field, grid: readGrib1Grid(field) }, index, range, into);
    }
    await readFieldPart(tools, access, field, index, range, into);
    return true;
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return error;
  }
}

function textOf(found: unknown): string {
  return found instanceof Error ? found.message : 'values';
}

function isSame(part: Float64Array, values: Float64Array, { from }: StoredRange): boolean {
  return part.every((value, i) => Object.is(value, values[from + i]));
}
