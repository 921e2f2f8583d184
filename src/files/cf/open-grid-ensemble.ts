import { beginWork, Work, type WorkOptions } from '../../check/work.js';
import { DataError, isPlumecastError, mentionOption, OptionError, type PlumecastError } from '../../errors.js';
import { folded, type NamedVariable, nameNotes, resolveVariable } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { type ArrayReader, arrayReader } from './array-reader.js';
import { arrayVariable, isOfOtherLevel, variableFamily } from './array-variable.js';
import { textAttribute } from './attribute-values.js';
import { assertSteps, type CombinedArray, combinedArray } from './combined-array.js';
import { arrayDimensions, coordinateKind, withNamedCoordinates } from './coordinates.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { assertFile, type CheckedGridOptions, type GridOptions } from './grid-options.js';
import { withMemberDimension } from './member-dimension.js';
import type { ArrayEnsemble } from './open-array.js';
import { ALL_RUNS, openEachRun, openRuns } from './open-runs.js';
import { withRunsAlongTime } from './runs-along-time.js';
import { findRun } from './time/time-axis.js';
import { countsFromDate, utcText } from './time/time-units.js';

/**
 * Opens the ensemble of one variable of a file: daily values on UTC days, in the variable's unit.
 *
 * The CF conventions define which array is read, which of its dimensions are time, members and places, how numbers are
 * stored and which are missing, and how time steps become days: see docs/gridded-files.md. Without `variable` and
 * `array` the file must hold one array with a dimension of time. Throws OptionError where it holds several, or not the
 * named one; and for arrays that cannot be read DataError, which names the file, the array and the problem.
 */
export async function gridEnsemble(opened: ArrayFile, options: GridOptions & WorkOptions = {}): Promise<GridEnsemble> {
  const { work, others } = beginWork(options, 'values');
  return work.run(() => openEnsemble(opened, others, work));
}

async function openEnsemble(opened: ArrayFile, options: GridOptions, work: Work): Promise<GridEnsemble> {
  const [ensemble] = await openChosen(opened, options, work, async (reader, array, variable, checked) => {
    const found = await openRuns(reader, array, variable, checked);
    return found && [found];
  });
  return ensemble;
}

/**
 * The ensembles of a variable in a file of several runs, each run by itself; of other files the only one. Options are
 * those of `gridEnsemble`, with `init: 'all'`. Throws as it does.
 */
export function gridRuns(opened: ArrayFile, options: GridOptions): Promise<readonly GridEnsemble[]> {
  return openChosen(opened, options, new Work({}, 'values'), async (reader, array, variable, checked) => {
    const all = await openEachRun(reader, array, variable, checked, true);
    if (all?.runs === undefined) return all && [all.single];
    const [first, ...others] = all.runs.map(({ ensemble }) => ensemble);
    return [{ ...first, conversions: [...all.notes, ...first.conversions] }, ...others];
  });
}

/** Opens the array of one variable of a file by `open`, which gives nothing where it has no dimension of time. */
export async function openChosen(
  opened: ArrayFile,
  options: GridOptions,
  work: Work,
  open: (
    reader: ArrayReader,
    array: StoredArray,
    variable: Variable | undefined,
    options: CheckedGridOptions,
  ) => Promise<readonly ArrayEnsemble[] | undefined>,
): Promise<readonly GridEnsemble[]> {
  assertFile(opened, options);
  const file = namedParts(await selectRun(await withRunsAlongTime(opened), options), options);
  const named = namedVariable(options);
  const reader = arrayReader(file, options.calendar, work);
  const chosen = chooseArray(file, named, options);
  const made = 'combination' in chosen ? chosen : undefined;
  const array = made?.array ?? (chosen as StoredArray);
  const ensembles = await open(reader, array, named.variable, options);
  if (ensembles !== undefined) {
    return ensembles.map((ensemble) => {
      if (made !== undefined) assertSteps(file, made, ensemble.plan);
      const isNamed = options.array !== undefined && ensemble.variable === undefined;
      const metadata = isNamed ? new Map([...ensemble.metadata, ['variable', array.name]]) : ensemble.metadata;
      return {
        ...ensemble,
        metadata,
        conversions: [...nameNotes(named), ...(made?.notes ?? []), ...ensemble.conversions],
      };
    });
  }
  throw new DataError({
    ...{ source: file.source, column: array.name, problem: 'has no dimension of time' },
    received: array.dimensions.length === 0 ? 'a single value' : `dimensions ${array.dimensions.join(', ')}`,
    allowed: 'a dimension with a coordinate of times',
  });
}

/** The file with the coordinates and the dimension of members that the caller names. */
function namedParts(file: ArrayFile, { coordinates, memberDimension }: GridOptions): ArrayFile {
  return withMemberDimension(withNamedCoordinates(file, coordinates), memberDimension);
}

/** The file with the run that is requested, where its arrays join several. Throws OptionError where it is not there. */
async function selectRun(file: ArrayFile, { init }: GridOptions): Promise<ArrayFile> {
  if (init === undefined || init === ALL_RUNS || file.runs === undefined) return file;
  const { seconds, select } = file.runs;
  return select(
    seconds[
      findRun(
        file.source,
        seconds.map((time) => utcText(time)),
        init,
      )
    ],
  );
}

/** Whether a file has the array, or the arrays, of which `gridEnsemble` makes an ensemble. */
export function canChooseArray(
  file: ArrayFile,
  options: Pick<CheckedGridOptions, 'variable' | 'variables' | 'window' | 'array'>,
): boolean {
  try {
    chooseArray(file, namedVariable(options), options);
    return true;
  } catch (error) {
    if (isPlumecastError(error)) return false;
    throw error;
  }
}

function namedVariable({ variable, variables = [], window }: CheckedGridOptions): Partial<NamedVariable> {
  return typeof variable === 'string' ? resolveVariable(variable, variables, window) : { variable };
}

function chooseArray(
  file: ArrayFile,
  { variable, variableName }: Partial<NamedVariable>,
  { array, variables = [] }: GridOptions,
): StoredArray | CombinedArray {
  const candidates = dataArrays(file);
  if (array !== undefined) return namedArray(file, candidates, array);
  const holding =
    variable === undefined
      ? candidates.filter((candidate) => hasTime(file, candidate))
      : preferNamed(findArrays(candidates, variable, variables), variableName ?? variable.slug);
  if (holding.length === 1) return holding[0];
  const made =
    holding.length > 0 || variable === undefined ? undefined : combinedArray(file, candidates, variable.slug);
  if (made !== undefined) return made;
  const names = (arrays: readonly StoredArray[]) => arrays.map(({ name }) => name).join(', ');
  if (holding.length === 0) {
    throw new DataError({
      source: file.source,
      problem: variable === undefined ? 'holds no array of values over time' : `does not hold ${variable.slug}`,
      received: names(candidates) || 'no arrays of numbers',
      allowed:
        variable === undefined
          ? 'an array with a dimension of time'
          : `one of its arrays, by ${mentionOption('array')}`,
    });
  }
  throw new OptionError({
    subject: `${file.source}, ${variable === undefined ? 'variable' : 'array'}`,
    problem: variable === undefined ? 'the file holds several' : `several arrays hold ${variable.slug}`,
    received: names(holding),
    allowed:
      variable === undefined
        ? `one of them, by ${mentionOption('variable')} or ${mentionOption('array')}`
        : `one of them, by ${mentionOption('array')}`,
  });
}

/**
 * Of several arrays of a variable, the one with the name by which the variable was requested, where there is one; else
 * the only one at 2 or 10 m.
 */
function preferNamed(arrays: StoredArray[], requested: string): StoredArray[] {
  const named = arrays.filter(({ name }) => folded(name.slice(name.lastIndexOf('/') + 1)) === folded(requested));
  if (named.length === 1) return named;
  const near = arrays.filter((array) => !isOfOtherLevel(array));
  return near.length === 1 ? near : arrays;
}

/** Finds the arrays that hold a variable; if none does, those of means, whose steps give its daily minima or maxima. */
function findArrays(arrays: readonly StoredArray[], variable: Variable, extra: readonly Variable[]): StoredArray[] {
  const known = [variable, ...extra];
  const holding = (slug: string | undefined) => arrays.filter((array) => arrayVariable(array, known)?.slug === slug);
  const own = holding(variable.slug);
  if (own.length > 0) return own;
  const mean = variableFamily(variable.slug)?.mean;
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

/** Whether an array may hold values over time, unlike single fields and masks. */
export function hasTime(file: ArrayFile, array: StoredArray): boolean {
  return arrayDimensions(file, array).some(({ kind }) => kind === 'time' || kind === 'lead');
}

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
export async function gridEnsembles(
  file: ArrayFile,
  options: GridOptions & WorkOptions = {},
): Promise<readonly GridEnsemble[]> {
  const arrays = await gridArrays(file, options);
  return arrays.flatMap(({ ensemble }) => ensemble ?? []);
}

/**
 * The arrays of a file that have a dimension of time, each as an ensemble or with its problem. Throws OptionError for
 * options.
 */
export async function gridArrays(
  opened: ArrayFile,
  options: GridOptions & WorkOptions = {},
): Promise<readonly GridArray[]> {
  const { work, others } = beginWork(options, 'values');
  return work.run(() => openAll(opened, others, work));
}

async function openAll(opened: ArrayFile, options: GridOptions, work: Work): Promise<readonly GridArray[]> {
  assertFile(opened, options);
  const file = namedParts(await selectRun(await withRunsAlongTime(opened), options), options);
  const reader = arrayReader(file, options.calendar, work);
  const found: GridArray[] = [];
  for (const array of dataArrays(file)) {
    await work.pause();
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
