import { DataError, inWords, OptionError } from '../../../errors.js';
import type { ArrayFile, Attributes, StoredArray } from '../../array/array-file.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import {
  type ArrayDimension,
  arrayDimensions,
  assertDimensions,
  findCoordinates,
  isSingle,
  kindOfName,
} from '../coordinates.js';
import { readLeads, readTimeValues, type TimeOfRun, type TimeValues, unitOfLeads } from './time-coordinate.js';
import { modelPart, utcText } from './time-units.js';

/** The run to read of several: its time, or its index along the dimension of runs. */
export type RunChoice = string | number | undefined;

/** The times of an array. */
export interface TimeAxis extends TimeValues {
  /** Their dimension. */
  readonly dimension: ArrayDimension;
  /** The name of their coordinate, and its attributes. */
  readonly coordinate: string;
  readonly attributes: Attributes;
  /** The time at which the forecast begins, in seconds since 1970-01-01 UTC, where the file states it. */
  readonly init: number | undefined;
  /** The dimension of several runs, and the index of the one that is read. */
  readonly run: { readonly dimension: ArrayDimension; readonly index: number } | undefined;
}

/**
 * Reads the times of an array: of its dimension of time, or of a dimension of lead times and the time at which the
 * forecast begins, as in files of cfgrib. Undefined where it has neither. Throws DataError for times that cannot be
 * read or do not ascend and for dimensions that are empty or contradict each other, and OptionError where there are
 * several runs and none is named.
 */
export async function timeAxis(
  reader: ArrayReader,
  array: StoredArray,
  init: RunChoice,
): Promise<TimeAxis | undefined> {
  const dimensions = arrayDimensions(reader.file, array);
  const ofKind = (kind: string) => dimensions.find((dimension) => dimension.kind === kind);
  const lead = ofKind('lead');
  const time = ofKind('time');
  const runs = runDimension(dimensions);
  const along = lead ?? time;
  if (along === undefined) return undefined;
  assertDimensions(reader.file, array);
  const starts = await readRunStarts(reader, array, runs, lead !== undefined);
  const index = runs === undefined ? onlyRun(reader.file, starts, init) : runIndex(reader, runs, starts, init);
  const begin = starts && { time: starts.seconds[index], calendar: starts.calendar, zone: starts.zone };
  const axis =
    lead === undefined
      ? await readOwnTimes(reader, array, along)
      : await readLeadTimes(reader, array, lead, begin, runs && { dimension: runs, index });
  checkAscending(reader.file.source, axis);
  return {
    ...axis,
    notes: [...new Set([...(starts?.notes ?? []), ...axis.notes])],
    dimension: along,
    init: begin?.time,
    run: runs === undefined ? undefined : { dimension: runs, index },
  };
}

/**
 * Reads the times at which the runs of an array begin, along their dimension; undefined where it has fewer runs than
 * `least`. Throws DataError where they are not known, or a run occurs twice.
 */
export async function readRuns(reader: ArrayReader, array: StoredArray, least = 2): Promise<TimeValues | undefined> {
  const dimensions = arrayDimensions(reader.file, array);
  const runs = runDimension(dimensions);
  if (runs === undefined || runs.length < least) return undefined;
  assertDimensions(reader.file, array);
  if (runs.coordinate === undefined) throw missingTimesError(reader, array, runs);
  const times = await readTimeValues(reader, runs.coordinate);
  const twice = times.seconds.find((time, run) => times.seconds.indexOf(time) < run);
  if (twice === undefined) return times;
  throw new DataError({
    ...{ source: reader.file.source, column: runs.coordinate.name, problem: 'a run occurs twice' },
    ...{ received: utcText(twice, modelPart(times.calendar)), allowed: 'each run once' },
  });
}

/** The dimension of runs: where leads have a dimension, that of time holds the runs. */
export function runDimension(dimensions: readonly ArrayDimension[]): ArrayDimension | undefined {
  const ofKind = (kind: string) => dimensions.find((dimension) => dimension.kind === kind);
  return ofKind('init') ?? (ofKind('lead') && ofKind('time'));
}

type NamedTimes = TimeValues & Pick<TimeAxis, 'coordinate' | 'attributes'>;

/** Times with the name and the attributes of their coordinate. */
function named(times: TimeValues, { name: coordinate, attributes }: StoredArray): NamedTimes {
  return { ...times, coordinate, attributes };
}

async function readOwnTimes(reader: ArrayReader, array: StoredArray, along: ArrayDimension): Promise<NamedTimes> {
  const coordinate = along.coordinate ?? alongDimension(reader, array, along);
  if (coordinate === undefined) throw missingTimesError(reader, array, along);
  return named(await readTimeValues(reader, coordinate), coordinate);
}

async function readLeadTimes(
  reader: ArrayReader,
  array: StoredArray,
  lead: ArrayDimension,
  begin: TimeOfRun | undefined,
  run: TimeAxis['run'],
): Promise<NamedTimes> {
  const { coordinate } = lead;
  const valid = alongDimension(reader, array, lead);
  const ofRuns = valid ?? (run && validTimesOfRuns(reader, array, lead, run.dimension));
  // The Climate Data Store numbers months, and states the valid times of each run.
  const areLeads = coordinate !== undefined && begin !== undefined;
  if (!areLeads || (ofRuns !== undefined && unitOfLeads(coordinate) === undefined)) {
    if (ofRuns === undefined) throw missingTimesError(reader, array, lead);
    const times = await readTimeValues(reader, ofRuns);
    const own = ofRuns === valid || run === undefined ? times : timesOfRun(times, ofRuns, run);
    return named(own, ofRuns);
  }
  return named(await readLeads(reader, coordinate, begin), coordinate);
}

/** Finds a coordinate of valid times along the dimensions of leads and of runs. */
function validTimesOfRuns(
  reader: ArrayReader,
  array: StoredArray,
  lead: ArrayDimension,
  runs: ArrayDimension,
): StoredArray | undefined {
  return findCoordinates(reader.file, array, 'time').find(
    ({ dimensions }) => dimensions.length === 2 && [lead, runs].every(({ name }) => dimensions.includes(name)),
  );
}

/** The valid times of one run, and their bounds. */
function timesOfRun(
  { seconds, bounds, ...others }: TimeValues,
  { dimensions, shape }: StoredArray,
  { dimension, index }: NonNullable<TimeAxis['run']>,
): TimeValues {
  const isFirst = dimensions[0] === dimension.name;
  const leads = shape[isFirst ? 1 : 0];
  const at = (lead: number) => (isFirst ? index * leads + lead : lead * shape[1] + index);
  const ofRun = (values: Float64Array, perTime: number) =>
    Float64Array.from(
      { length: perTime * leads },
      (_, i) => values[perTime * at(Math.floor(i / perTime)) + (i % perTime)],
    );
  return { ...others, seconds: ofRun(seconds, 1), bounds: bounds && ofRun(bounds, 2) };
}

/** Finds a coordinate of valid times along a dimension with another name. */
function alongDimension(reader: ArrayReader, array: StoredArray, { name }: ArrayDimension): StoredArray | undefined {
  return findCoordinates(reader.file, array, 'time').find(
    ({ dimensions }) => dimensions.length === 1 && dimensions[0] === name,
  );
}

/** Reads the times at which the runs of an array begin: of the dimension of runs, or a single one. */
async function readRunStarts(
  reader: ArrayReader,
  array: StoredArray,
  runs: ArrayDimension | undefined,
  hasLeads: boolean,
): Promise<TimeValues | undefined> {
  if (runs?.coordinate !== undefined) return readTimeValues(reader, runs.coordinate);
  const kinds = hasLeads ? (['init', 'time'] as const) : (['init'] as const);
  const single = kinds.flatMap((kind) => findCoordinates(reader.file, array, kind)).find(isSingle);
  return single === undefined ? undefined : readTimeValues(reader, single);
}

function runIndex(
  { file }: ArrayReader,
  { name, length }: ArrayDimension,
  starts: TimeValues | undefined,
  init: RunChoice,
): number {
  if (typeof init === 'number') return init;
  if (length === 1) return onlyRun(file, starts, init);
  const { source } = file;
  const texts = Array.from(starts?.seconds ?? [], (time) => utcText(time, starts && modelPart(starts.calendar)));
  if (init !== undefined) return findRun(source, texts, init);
  throw new OptionError({
    ...{ subject: `${source}, init`, problem: `dimension ${name} holds ${length} runs` },
    allowed: `the time of one of them: ${listedRuns(texts)}; or all, as one lagged ensemble`,
  });
}

/** The index of the only run of an array. Throws OptionError where another one is named. */
function onlyRun({ source, attributes }: ArrayFile, starts: TimeValues | undefined, init: RunChoice): 0 {
  if (typeof init !== 'string') return 0;
  // Plumecast's own files of daily values state their run as a text.
  const stated = starts
    ? utcText(starts.seconds[0], modelPart(starts.calendar))
    : textAttribute(attributes, 'init_time');
  if (stated !== undefined) return findRun(source, [stated], init) as 0;
  throw new OptionError({
    ...{ subject: `${source}, init`, problem: 'the file does not state when its run begins', received: init },
    allowed: 'to leave it out',
  });
}

/** Finds a run by its time, or by its day. Throws OptionError, which lists the runs, where it is not one of them. */
export function findRun(source: string, texts: readonly string[], init: string): number {
  const index = matchingRun(texts, init);
  if (index >= 0) return index;
  const several = texts.length > 1;
  throw new OptionError({
    ...{ subject: `${source}, init`, problem: 'no such run', received: init },
    allowed: several
      ? `the time of one of them: ${listedRuns(texts)}; or all, as one lagged ensemble`
      : `the time of its only run: ${texts[0]}`,
  });
}

/** The times of runs for messages: the first and the last ones where they are many. */
export function listedRuns(texts: readonly string[]): string {
  return (texts.length <= 6 ? texts : [...texts.slice(0, 3), '...', ...texts.slice(-2)]).join(', ');
}

/** Finds the run of a time, or of a day that has only one run. */
function matchingRun(texts: readonly string[], init: string): number {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(init);
  if (date) {
    const ofDay = texts.filter((text) => text.startsWith(init));
    return ofDay.length === 1 ? texts.indexOf(ofDay[0]) : -1;
  }
  const time = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(init) ? init : `${init}Z`);
  // JavaScript cannot parse dates of a model calendar, such as 30 February.
  const text = init.replace(' ', 'T').replace(/Z?$/i, 'Z');
  return texts.findIndex((each) => each === text || Date.parse(each) === time);
}

function checkAscending(source: string, { coordinate: column, seconds, calendar }: NamedTimes): void {
  const text = (time: number) => utcText(time, modelPart(calendar));
  for (let i = 1; i < seconds.length; i++) {
    if (seconds[i] > seconds[i - 1]) continue;
    throw new DataError({
      ...{ source, column, problem: seconds[i] === seconds[i - 1] ? 'a time occurs twice' : 'times do not ascend' },
      ...{
        received: inWords(`${text(seconds[i - 1])}, then ${text(seconds[i])}`),
        allowed: 'each time once, in order',
      },
    });
  }
}

function missingTimesError({ file: { source } }: ArrayReader, { name }: StoredArray, along: ArrayDimension): DataError {
  return new DataError({
    ...{ source, column: name, problem: `dimension ${along.name} has no times` },
    allowed: 'a coordinate of its name with the units "days since ..."; or one of lead times, and a reference time',
  });
}

/** Runs a function; a DataError that it throws then names the file and the coordinate. */
export function atPlace<T>(source: string, column: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const { problem, received, allowed } = error;
    throw new DataError({ source, column, problem, received, allowed, cause: error });
  }
}

/** How the value of a time step represents the time within it; `other` for methods that are not listed. */
export type TimeMethod = 'point' | 'mean' | 'sum' | 'minimum' | 'maximum' | 'other';

const METHODS: readonly string[] = ['point', 'mean', 'sum', 'minimum', 'maximum'];

const OF_GRIB: Readonly<Record<string, TimeMethod>> = {
  instant: 'point',
  avg: 'mean',
  accum: 'sum',
  min: 'minimum',
  max: 'maximum',
};

/**
 * The cell method of time: the first one in the attribute `cell_methods` (`time: maximum within days time: mean over
 * days` are daily maxima), else that of `GRIB_stepType`; undefined where neither states one.
 */
export function timeMethod(attributes: Attributes): TimeMethod | undefined {
  const text = textAttribute(attributes, 'cell_methods') ?? '';
  for (const [, names, method] of text.matchAll(/((?:\w+\s*:\s*)+)(\w+)/g)) {
    const isOfTime = names.split(':').some((name) => ['time', 'lead'].includes(kindOfName(name.trim()) ?? ''));
    if (isOfTime) return METHODS.includes(method) ? (method as TimeMethod) : 'other';
  }
  const step = stepType(attributes) ?? '';
  // Steps of monthly means: avgua of analyses, avgfc of forecasts.
  const known = /^avg[a-z]{2}$/.test(step) ? 'avg' : step;
  return Object.hasOwn(OF_GRIB, known) ? OF_GRIB[known] : undefined;
}

/** The type of GRIB's steps, as cfgrib and others write it: `instant`, `avg`, `accum`, `max`, `min`. */
export function stepType(attributes: Attributes): string | undefined {
  return textAttribute(attributes, 'GRIB_stepType') ?? textAttribute(attributes, 'step_type');
}
