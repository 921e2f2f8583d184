import type { Core } from '../../core/load.js';
import { isPlumecastError, OptionError } from '../../errors.js';
import type { ArrayFile, Box, StoredArray } from '../../files/array/array-file.js';
import { textAttribute } from '../../files/cf/attribute-values.js';
import { mappingName } from '../../files/cf/cells/grid-mapping.js';
import { planeAxis } from '../../files/cf/cells/projected-cells.js';
import { isClimatologyFile } from '../../files/cf/content/climatology-netcdf.js';
import { isStatisticsFile } from '../../files/cf/content/statistics-netcdf.js';
import { coordinateKind } from '../../files/cf/coordinates.js';
import { growthWarning } from '../../files/cf/days/check-growth.js';
import { calendarOf, countChunkReads, findReadPlan, stepRange } from '../../files/cf/days/read-plan.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { GridOptions } from '../../files/cf/grid-options.js';
import { newestRunEnsemble } from '../../files/cf/newest-run.js';
import { dataArrays, type GridArray, gridArrays, gridEnsemble } from '../../files/cf/open-grid-ensemble.js';
import { DAY_SECONDS } from '../../period/day.js';
import { windowTable } from '../../period/period.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import { COMBINED_VARIABLES } from '../../variable/find-variable.js';
import { OptionUse } from '../option-use.js';
import { commandFor } from './command-for.js';
import { type CoveredDays, describeSteps, inspectDays, missingDays } from './inspect-days.js';
import { inspectPlaces } from './inspect-places.js';
import { ValueScan } from './inspect-values.js';
import type { InspectedColumn, InspectedReading, InspectedVariable, Inspection, InspectRequest } from './inspection.js';
import { sampleOfValues } from './sample-blocks.js';

/** The memory that a batch has by default, and the share of it that its blocks may take. */
const MEMORY = 1_000_000_000;
const BLOCK_SHARE = 0.5;

/** Inspects a file or store of arrays; the result has everything but `bytes`. */
export async function inspectGrid(core: Core, opened: ArrayFile, request: InspectRequest): Promise<Inspection> {
  const watched = watchAbsentChunks(opened);
  const { file } = watched;
  const { format, source, attributes } = file;
  const notices = [...(opened.notices ?? []), ...(opened.notes ?? [])];
  const isClimatology = isClimatologyFile(file);
  const isResult = isClimatology || isStatisticsFile(file);
  const newest = isResult ? undefined : await newestRun(opened, request);
  if (newest?.note !== undefined) notices.push(newest.note);
  const found = isResult ? [] : await findArrays(file, request, newest?.init);
  const variables: InspectedVariable[] = [];
  for (const array of found)
    variables.push(await inspectArray(core, watched, array, request, neededArray(found, array)));
  const isUnderstood = variables.some(({ problem }) => problem === undefined);
  const holds = isUnderstood ? 'values' : isEmpty(file) ? 'no values' : 'nothing understood';
  return {
    source,
    format,
    holds: isClimatology ? 'climatology' : isResult ? 'statistics' : holds,
    metadata: Object.fromEntries([...attributes].map(([name, value]) => [name, String(value)])),
    dimensions: dimensionsOf(file),
    columns: inspectArrays(opened, found, isResult),
    ...(notices.length > 0 && { notices }),
    variables,
  };
}

/** The newest complete run of an archive, by the first array that has one, and a note about it; undefined for other files. */
async function newestRun(
  file: ArrayFile,
  { options }: InspectRequest,
): Promise<{ init: string | undefined; note: string | undefined } | undefined> {
  if (file.isArchive !== true || options.init !== undefined) return undefined;
  const { memberDimension, coordinates, calendar } = options;
  for (const array of options.array ? [options.array] : dataArrays(file).map(({ name }) => name)) {
    try {
      const request = { array, memberDimension, coordinates, calendar };
      const { metadata, conversions } = await newestRunEnsemble(file, request, undefined);
      return { init: metadata.get('init_time'), note: conversions.find((text) => text.startsWith('run ')) };
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
    }
  }
  return undefined;
}

/** Without the options that `gridEnsemble` does not take. */
function ofGrids(options: InspectRequest['options']) {
  const { model, sort, decimal, dateFormat, sheet, virtualChunks, missingChunks, ...others } = options;
  return others;
}

/** Finds the arrays with a dimension of time, or the requested one. Throws OptionError if that is not among them. */
async function findArrays(
  file: ArrayFile,
  { options }: InspectRequest,
  newest: string | undefined,
): Promise<readonly GridArray[]> {
  const { array: requested, ...others } = ofGrids(options);
  const gridOptions = { ...others, init: others.init ?? newest };
  const arrays = await gridArrays(file, gridOptions);
  const found = requested === undefined ? arrays : arrays.filter(({ array }) => array === requested);
  if (requested === undefined) return [...found, ...(await findCombined(file, found, gridOptions))];
  if (found.length > 0) return found;
  throw new OptionError({
    ...{ subject: `${file.source}, array`, problem: 'the file has no such array with a dimension of time' },
    ...{ received: requested, allowed: arrays.map(({ array }) => array).join(', ') || 'none' },
  });
}

/** Finds the ensembles of variables without an array that can be computed from two arrays. */
async function findCombined(
  file: ArrayFile,
  found: readonly GridArray[],
  options: GridOptions,
): Promise<readonly GridArray[]> {
  const combined: GridArray[] = [];
  for (const variable of COMBINED_VARIABLES) {
    if (found.some(({ ensemble }) => ensemble?.variable?.slug === variable)) continue;
    try {
      const ensemble = await gridEnsemble(file, { ...options, variable });
      combined.push({ array: ensemble.array, ensemble });
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
    }
  }
  return combined;
}

/** Whether all arrays of values have a dimension of length 0, as in a file whose records were never written. */
function isEmpty(file: ArrayFile): boolean {
  const data = dataArrays(file).filter(({ dimensions }) => dimensions.length > 0);
  return data.length > 0 && data.every(({ shape }) => shape.includes(0));
}

function dimensionsOf({ arrays }: ArrayFile): { name: string; length: number }[] {
  const lengths = new Map<string, number>();
  for (const { dimensions, shape } of arrays.values()) {
    for (const [d, name] of dimensions.entries()) lengths.set(name, shape[d]);
  }
  return Array.from(lengths, ([name, length]) => ({ name, length }));
}

function inspectArrays(file: ArrayFile, found: readonly GridArray[], isResult: boolean): InspectedColumn[] {
  const data = new Set(dataArrays(file).map(({ name }) => name));
  const mappings = [...file.arrays.values()].map(mappingName).filter((name) => name !== undefined);
  const isOnPlane = mappings.some((name) => name !== 'latitude_longitude');
  const roleOf = (array: StoredArray): string | undefined => {
    if (mappingName(array) !== undefined) return 'grid mapping';
    if (!data.has(array.name)) {
      if (array.type === 'text') return undefined;
      return coordinateKind(array) ?? (isOnPlane ? planeRole(array) : undefined);
    }
    if (isResult) return 'statistics';
    const { ensemble } = found.find((each) => each.array === array.name) ?? {};
    return ensemble && `values of ${ensemble.variable?.slug ?? 'an unknown variable'}`;
  };
  return [...file.arrays.values()].map((array) => {
    const { name, type, dimensions, shape, attributes, chunk, filters } = array;
    const [role, units] = [roleOf(array), textAttribute(attributes, 'units')];
    return {
      ...{ name, type, ...(role && { role }), ...(units !== undefined && { units }), dimensions, shape },
      ...(chunk && { chunk }),
      ...(filters && filters.length > 0 && { filters }),
    };
  });
}

/** What a coordinate along the rows or the columns of a projected or rotated grid is, as CF names it, and its unit. */
function planeRole(array: StoredArray): string | undefined {
  const axis = array.dimensions.length === 1 ? planeAxis(array) : undefined;
  if (axis === undefined) return undefined;
  const name = textAttribute(array.attributes, 'standard_name') ?? `projection_${axis}_coordinate`;
  const units = textAttribute(array.attributes, 'units');
  return units === undefined ? name : `${name} in ${/^m(et(re|er)s?)?$/i.test(units) ? 'metres' : units}`;
}

/** The array, if its variable is not enough to select it. */
function neededArray(found: readonly GridArray[], { array, ensemble }: GridArray): string | undefined {
  const slug = ensemble?.variable?.slug;
  const isUnique = found.filter((other) => other.ensemble?.variable?.slug === slug).length === 1;
  return slug !== undefined && isUnique ? undefined : array;
}

async function inspectArray(
  core: Core,
  watched: WatchedArrays,
  { array, ensemble, problem }: GridArray,
  request: InspectRequest,
  needed: string | undefined,
): Promise<InspectedVariable> {
  if (ensemble === undefined) {
    const stored = await inspectStored(watched.file, array, request, needed);
    return stored ?? { name: array, problem: problem?.message };
  }
  const structure = describeStructure(ensemble);
  try {
    new OptionUse(request.options, { isOne: true }).read(ensemble.variable, watched.file.source);
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { ...structure, problem: error.message };
  }
  const named = { ...structure, ...commandFor(watched.file.source, structure, request, { array: needed }) };
  if (!request.values) return named;
  try {
    const values = await scanValues(core, ensemble);
    // Of a sample it is not known how many of all are missing.
    const missingChunks = values.sampleOf === undefined ? watched.absentChunks(array) : undefined;
    const isRead = values.count > 0 || values.sampleOf === undefined;
    const warning = isRead ? await growthWarning(ensemble) : undefined;
    const all = {
      ...{ ...structure, values: { ...values, ...(missingChunks && { missingChunks }) } },
      ...(warning !== undefined && { warnings: [...ensemble.warnings, warning] }),
    };
    return { ...all, ...commandFor(watched.file.source, all, request, { array: needed }) };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return { ...structure, problem: error.message };
  }
}

/** An array whose values are of weeks or months, as they are stored; undefined for others. */
async function inspectStored(
  file: ArrayFile,
  array: string,
  request: InspectRequest,
  needed: string | undefined,
): Promise<InspectedVariable | undefined> {
  const options = ofGrids(request.options);
  try {
    const { variable, units, conversions, warnings, members, grid, taken } = await gridEnsemble(file, {
      ...options,
      array,
      native: true,
    });
    if (variable === undefined) return undefined;
    const found = {
      ...{ name: array, variable: variable.slug, conversions },
      ...(units !== undefined && { units }),
      ...(warnings.length > 0 && { warnings }),
      members: { count: members.length, first: members[0], last: members[members.length - 1] },
      ...(taken && { taken }),
      places: inspectPlaces(grid),
    };
    const isSeveral = dataArrays(file).length > 1;
    const chosen = { array: isSeveral ? needed : undefined, isStored: true };
    return { ...found, ...commandFor(file.source, found, request, chosen) };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return undefined;
  }
}

function describeStructure(ensemble: GridEnsemble): InspectedVariable {
  const { array, variable, units, conversions, members, grid, times, taken } = ensemble;
  const plan = findReadPlan(ensemble);
  const { shortest, longest } = plan === undefined ? { shortest: DAY_SECONDS, longest: DAY_SECONDS } : stepRange(plan);
  return {
    name: array,
    ...(variable && { variable: variable.slug }),
    ...(units !== undefined && { units }),
    conversions,
    ...(ensemble.warnings.length > 0 && { warnings: ensemble.warnings }),
    ...(ensemble.accumulation && { accumulation: ensemble.accumulation }),
    members: { count: members.length, first: members[0], last: members[members.length - 1] },
    ...inspectDays(daysOf(ensemble), describeSteps(shortest, longest), plan && calendarOf(plan)),
    ...(times && { times: { stamps: times.stamps, by: times.by } }),
    ...(taken && { taken }),
    places: inspectPlaces(grid),
    reading: planReading(ensemble),
  };
}

function daysOf(ensemble: GridEnsemble): CoveredDays {
  const { firstDay, days } = ensemble;
  return { firstDay, whole: findReadPlan(ensemble)?.steps.whole ?? new Uint8Array(days).fill(1) };
}

/**
 * Plans how weekly statistics, or monthly ones if there are no weeks, would read an ensemble in the default memory of a
 * batch; undefined if that is not enough.
 */
function planReading(ensemble: GridEnsemble): InspectedReading | undefined {
  const { firstDay, days, metadata } = ensemble;
  const calendar = statedCalendar(metadata);
  const granularity = calendar === undefined ? 'weekly' : 'monthly';
  const { first } = windowTable(granularity, firstDay, firstDay + days - 1, { partial: true, calendar });
  try {
    const blocks = ensemble.blocks(MEMORY * BLOCK_SHARE, [...first]);
    const plan = findReadPlan(ensemble);
    return { memory: MEMORY, blocks: blocks.length, ...(plan && countChunkReads(plan, blocks)) };
  } catch (error) {
    if (isPlumecastError(error, 'data')) return undefined;
    throw error;
  }
}

async function scanValues(core: Core, ensemble: GridEnsemble) {
  const scan = new ValueScan(ensemble.variable, undefined, statedCalendar(ensemble.metadata));
  const sample = sampleOfValues(ensemble);
  const read = sample?.ensemble ?? ensemble;
  const anyDays = Array.from({ length: ensemble.days }, (_, day) => day);
  const covered = daysOf(ensemble);
  const mark = core.memory.mark();
  try {
    for (const block of sample?.blocks ?? ensemble.blocks(MEMORY * BLOCK_SHARE, anyDays)) {
      const part = await read.read(block, core);
      scan.add(part, missingDays(covered, part.field.firstDay, block.days));
      core.memory.release(mark);
    }
  } finally {
    core.memory.release(mark);
  }
  const { days, cells, members } = ensemble;
  const all = (days - missingDays(covered, ensemble.firstDay, days)) * cells * members.length;
  return {
    ...scan.end(),
    ...(sample && { sampleOf: all }),
    ...(read !== ensemble && { sampledMembers: read.members }),
  };
}

/** A file whose arrays record which of their chunks were missing when they were read. */
interface WatchedArrays {
  readonly file: ArrayFile;
  /** The number of missing chunks of an array, and of all its chunks; undefined if none were missing. */
  absentChunks(name: string): { readonly count: number; readonly of: number } | undefined;
}

/** Wraps a file to record missing chunks. */
function watchAbsentChunks(file: ArrayFile): WatchedArrays {
  const absent = new Map<string, Set<string>>();
  const watched = (array: StoredArray): StoredArray => {
    const { name, type, dimensions, shape, attributes, chunk, filters, severalRuns } = array;
    const missing = new Set<string>();
    absent.set(name, missing);
    return {
      ...{ name, type, dimensions, shape, attributes, ...(chunk && { chunk }), ...(filters && { filters }) },
      ...(severalRuns && { severalRuns }),
      async read(box, into) {
        const boxes = await array.read(box, into);
        if (chunk !== undefined) for (const each of boxes) missing.add(chunkIndex(each, chunk));
        return boxes;
      },
      readTexts: () => array.readTexts(),
    };
  };
  const arrays = new Map([...file.arrays].map(([name, array]) => [name, watched(array)]));
  const { format, source, attributes, runs } = file;
  return {
    file: { format, source, attributes, arrays, ...(runs && { runs }), close: () => file.close() },
    absentChunks(name) {
      // An ensemble that is computed from two arrays is not an array of the file.
      const { shape = [], chunk } = file.arrays.get(name) ?? {};
      const count = absent.get(name)?.size ?? 0;
      if (count === 0 || chunk === undefined) return undefined;
      return { count, of: shape.reduce((product, length, d) => product * Math.ceil(length / chunk[d]), 1) };
    },
  };
}

/** The index of the chunk that contains a box, as text. */
function chunkIndex({ start }: Box, chunk: readonly number[]): string {
  return start.map((index, d) => Math.floor(index / chunk[d])).join();
}
