import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { readNumbers } from './array-reader.js';
import { findReadPlan } from './days/read-plan.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { isLandMask } from './static-field.js';
import { decodeRow, valueCoding } from './value-coding.js';

/**
 * Reads the share of land in each cell of an ensemble, from 0 to 1, from an array of its file on the same grid: `lsm`,
 * or one with the standard name of a land mask, at its first time and member. Undefined where there is none.
 */
export async function readLandMask(file: ArrayFile, ensemble: GridEnsemble): Promise<Float64Array | undefined> {
  const layout = findReadPlan(ensemble)?.layout;
  if (layout === undefined) return undefined;
  const { array, dimension } = layout;
  const axes = (['y', 'x'] as const).flatMap((role) =>
    dimension[role] < 0 ? [] : [array.dimensions[dimension[role]]],
  );
  const isOnGrid = ({ dimensions, type }: StoredArray) =>
    type !== 'text' && axes.length > 0 && dimensions.slice(-axes.length).join('|') === axes.join('|');
  const mask = [...file.arrays.values()].find((each) => isLandMask(each) && isOnGrid(each));
  if (mask === undefined) return undefined;
  const { shape } = mask;
  const count = shape.map((length, d) => (d < shape.length - axes.length ? 1 : length));
  const coding = valueCoding(mask, file.source);
  const stored = await readNumbers(mask, { start: shape.map(() => 0), count }, coding);
  const values = new Float64Array(stored.length);
  decodeRow(stored, 0, 1, values, coding);
  return values;
}
