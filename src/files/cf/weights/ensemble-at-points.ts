import { isPlumecastError, mentionOption, OptionError } from '../../../errors.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { PlaceList } from '../../places/place-list.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { readLandMask } from '../land-mask.js';
import { orographyField } from '../orography.js';
import { landOnGrid, onGrid } from '../static-field.js';
import { type AtPointsOptions, atPoints } from './at-points.js';

/** How points take values of a grid, and the files of its land and heights. */
export interface PointOptions extends Pick<AtPointsOptions, 'method' | 'lapseRate'> {
  /** A file with the share of land in each cell: of the cells within a grid step the nearest one of land is taken. */
  readonly landMask?: ArrayFile | undefined;
  /** A file with the height of the surface in each cell, for the lapse rate, where the file itself does not have it. */
  readonly modelElevation?: ArrayFile | undefined;
}

/**
 * The ensemble of a file at points, as `atPoints` gives it: by the land mask and the heights that are given, else of the
 * file itself, and what was done and what may be wrong. Throws as `atPoints` does, and DataError for a mask or heights on
 * another grid.
 */
export async function ensembleAtPoints(
  file: ArrayFile,
  ensemble: GridEnsemble,
  points: PlaceList,
  { method = 'nearest', lapseRate, landMask, modelElevation }: PointOptions,
): Promise<{
  readonly ensemble: GridEnsemble;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}> {
  const { grid, source } = ensemble;
  const isOwn = landMask === undefined && method === 'nearest';
  const own = isOwn ? await readLandMask(file, ensemble) : undefined;
  const land = landMask === undefined ? own : await landOnGrid(landMask, grid, source);
  const cellElevation = lapseRate === undefined ? undefined : await heightsOf(file, ensemble, modelElevation);
  const given = Object.entries({ method, land, lapseRate, cellElevation }).filter(([, value]) => value !== undefined);
  const found = atPoints(ensemble, points, Object.fromEntries(given));
  const done = [...points.notes, ...found.conversions.slice(ensemble.conversions.length)];
  return {
    ensemble: found,
    notes: own === undefined ? done : [...done, 'land by the land mask of the file'],
    warnings: found.warnings.slice(ensemble.warnings.length),
  };
}

async function heightsOf(file: ArrayFile, { grid, source }: GridEnsemble, given?: ArrayFile): Promise<Float64Array> {
  const from = given ?? file;
  try {
    return onGrid(await orographyField(from), grid, from.source, source);
  } catch (cause) {
    if (given !== undefined || !isPlumecastError(cause, 'data')) throw cause;
    throw new OptionError({
      ...{ subject: `${source}, lapseRate`, problem: 'needs the height of the surface in each cell', cause },
      allowed: `an array of it in the file, or a file with one by ${mentionOption('modelElevation')}`,
    });
  }
}
