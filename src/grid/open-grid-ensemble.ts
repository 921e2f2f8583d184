import { DataError, OptionError } from '../errors.js';
import type { ArrayFile, StoredArray } from '../formats/array-file.js';
import { findVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import { arrayDimensions } from './array-dimensions.js';
import { arrayReader } from './array-reader.js';
import { arrayVariable, familyOf } from './array-variable.js';
import { assertFile } from './assert-file.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { dataArrays } from './grid-ensembles.js';
import type { GridOptions } from './grid-options.js';
import { openArray } from './open-array.js';

/**
 * Opens the ensemble of one variable of a file: daily values on UTC days, in the variable's unit.
 *
 * Which array is meant, which of its dimensions are time, members and places, how numbers are stored and which are missing, and how time steps become
 * days is as the CF conventions say, see docs/gridded-files.md. Without `variable` and `array` the file must hold one array with a
 * dimension of time. Throws OptionError where it holds several, or not the one that is named, and DataError, which names the file, the array and what is wrong with it,
 * for arrays that are not understood.
 */
export async function gridEnsemble(file: ArrayFile, options: GridOptions = {}): Promise<GridEnsemble> {
  assertFile(file, options);
  const { variable: asked, variables = [] } = options;
  const variable = typeof asked === 'string' ? findVariable(asked, variables) : asked;
  const reader = arrayReader(file, options.calendar);
  const array = chooseArray(file, variable, options);
  const ensemble = await openArray(reader, array, variable, options);
  if (ensemble !== undefined) return ensemble;
  throw new DataError({
    ...{ source: file.source, column: array.name, problem: 'has no dimension of time' },
    received: array.dimensions.length === 0 ? 'a single value' : `dimensions ${array.dimensions.join(', ')}`,
    allowed: 'a dimension with a coordinate of times',
  });
}

function chooseArray(
  file: ArrayFile,
  variable: Variable | undefined,
  { array, variables = [] }: GridOptions,
): StoredArray {
  const candidates = dataArrays(file);
  if (array !== undefined) return namedArray(file, candidates, array);
  const holding =
    variable === undefined
      ? candidates.filter((candidate) => hasTime(file, candidate))
      : arraysOf(candidates, variable, variables);
  if (holding.length === 1) return holding[0];
  const names = (arrays: readonly StoredArray[]) => arrays.map(({ name }) => name).join(', ');
  if (holding.length === 0) {
    throw new DataError({
      source: file.source,
      problem: variable === undefined ? 'holds no array of values over time' : `does not hold ${variable.slug}`,
      received: names(candidates) || 'no arrays of numbers',
      allowed: variable === undefined ? 'an array with a dimension of time' : 'one of its arrays, named as the array',
    });
  }
  throw new OptionError({
    subject: `${file.source}, ${variable === undefined ? 'variable' : 'array'}`,
    problem: variable === undefined ? 'the file holds several' : `several arrays hold ${variable.slug}`,
    received: names(holding),
    allowed:
      variable === undefined ? 'one of them, named as the variable or as the array' : 'one of them, named as the array',
  });
}

/** The arrays that hold a variable; where none does, those of means from whose steps its daily minima or maxima are taken. */
function arraysOf(arrays: readonly StoredArray[], variable: Variable, extra: readonly Variable[]): StoredArray[] {
  const known = [variable, ...extra];
  const holding = (slug: string | undefined) => arrays.filter((array) => arrayVariable(array, known)?.slug === slug);
  const own = holding(variable.slug);
  if (own.length > 0) return own;
  const mean = familyOf(variable.slug)?.mean;
  return mean === undefined ? [] : holding(mean);
}

function namedArray(file: ArrayFile, candidates: readonly StoredArray[], name: string): StoredArray {
  const found = candidates.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  throw new OptionError({
    ...{ subject: `${file.source}, array`, problem: 'the file has no such array', received: name },
    allowed: candidates.map((candidate) => candidate.name).join(', '),
  });
}

/** Whether an array may hold values over time: single fields and masks stay aside. */
function hasTime(file: ArrayFile, array: StoredArray): boolean {
  return arrayDimensions(file, array).some(({ kind }) => kind === 'time' || kind === 'lead');
}
