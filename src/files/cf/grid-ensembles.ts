import { isPlumecastError, type PlumecastError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { arrayReader } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import { coordinateKind } from './coordinate-kind.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { assertFile, type GridOptions } from './grid-options.js';
import { withNamedCoordinates } from './named-coordinates.js';
import { openRuns } from './open-runs.js';
import { countsFromDate } from './time/time-units.js';

/** An array of a file that has a dimension of time: its ensemble, or the problem with it. */
export interface GridArray {
  readonly array: string;
  readonly ensemble?: GridEnsemble;
  readonly problem?: PlumecastError;
}

/**
 * The ensembles of a file: one for each array of numbers with a dimension of time, in the order of the file. Arrays
 * that cannot be read as one are left out; `gridArrays` states why. See `gridEnsemble` for what is read from them.
 */
export async function gridEnsembles(file: ArrayFile, options: GridOptions = {}): Promise<readonly GridEnsemble[]> {
  const arrays = await gridArrays(file, options);
  return arrays.flatMap(({ ensemble }) => ensemble ?? []);
}

/**
 * The arrays of a file that have a dimension of time, each as an ensemble or with its problem. Throws OptionError for
 * options.
 */
export async function gridArrays(opened: ArrayFile, options: GridOptions = {}): Promise<readonly GridArray[]> {
  assertFile(opened, options);
  const file = withNamedCoordinates(opened, options.coordinates);
  const reader = arrayReader(file, options.calendar);
  const found: GridArray[] = [];
  for (const array of dataArrays(file)) {
    try {
      const ensemble = await openRuns(reader, array, undefined, options);
      if (ensemble !== undefined) found.push({ array: array.name, ensemble });
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      found.push({ array: array.name, problem: error });
    }
  }
  return found;
}

/** The arrays of a file that are not coordinates, bounds or texts. */
export function dataArrays(file: ArrayFile): StoredArray[] {
  const arrays = [...file.arrays.values()];
  const named = new Set(
    arrays.flatMap(({ attributes }) =>
      ['bounds', 'climatology', 'grid_mapping'].map((name) => textAttribute(attributes, name)),
    ),
  );
  return arrays.filter((array) => {
    const own = array.name.slice(array.name.lastIndexOf('/') + 1);
    return array.type !== 'text' && !named.has(own) && !isCoordinate(array);
  });
}

function isCoordinate(array: StoredArray): boolean {
  const own = array.name.slice(array.name.lastIndexOf('/') + 1);
  const isOfDimension = array.dimensions.length === 1 && array.dimensions[0] === own;
  const kind = coordinateKind(array);
  const isAuxiliary = kind === 'latitude' || kind === 'longitude' || array.shape.length <= 1;
  return (
    isOfDimension || (kind !== undefined && isAuxiliary) || countsFromDate(textAttribute(array.attributes, 'units'))
  );
}
