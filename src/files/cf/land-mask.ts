import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { findReadPlan } from './days/read-plan.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { isLandMask, readCells } from './static-field.js';
import { valueCoding } from './value-coding.js';

/**
 * Reads the share of land in each cell of an ensemble, from 0 to 1, from an array of its file on the same grid: `lsm`,
 * or one with the standard name of a land mask, at its first time and member. Undefined where there is none.
 */
export async function readLandMask(file: ArrayFile, ensemble: GridEnsemble): Promise<Float64Array | undefined> {
  const layout = findReadPlan(ensemble)?.layout;
  if (layout === undefined) return undefined;
  const { array, dimension } = layout;
  const axisOf = (role: 'y' | 'x') =>
    dimension[role] < 0 ? undefined : { name: array.dimensions[dimension[role]], length: layout.length[role] };
  const axes = { y: axisOf('y'), x: axisOf('x') };
  const of = [axes.y, axes.x].filter((axis) => axis !== undefined);
  const isOnGrid = ({ dimensions, shape, type }: StoredArray) =>
    type !== 'text' && of.length > 0 && of.every(({ name, length }) => shape[dimensions.indexOf(name)] === length);
  const mask = [...file.arrays.values()].find((each) => isLandMask(each) && isOnGrid(each));
  return mask && readCells(mask, axes, valueCoding(mask, file.source));
}
