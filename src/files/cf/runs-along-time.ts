import { isPlumecastError } from '../../errors.js';
import { findAnalysis } from '../array/analysis-runs.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { arrayReader } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import { arrayDimensions, coordinateKind, toPlainArray } from './coordinates.js';
import { selectedArray } from './select/selected-array.js';
import { readTimeValues } from './time/time-coordinate.js';
import { countsFromDate } from './time/time-units.js';

/** The times of runs along a dimension of time. */
interface RunsAlongTime {
  readonly dimension: string;
  /** The coordinate with the start of the run that each time belongs to. */
  readonly starts: StoredArray;
  /** For each run, by its start, the indices of its times. */
  readonly indices: ReadonlyMap<number, number[]>;
  readonly analysis: { readonly notice?: string } | undefined;
}

/**
 * Returns a file whose dimension of time joins several runs, as programs write that join files, with these as its
 * `runs`: its arrays hold several runs, unless they are an analysis, which is noted. Any other file is returned as it
 * is.
 */
export async function withRunsAlongTime(file: ArrayFile): Promise<ArrayFile> {
  const found = file.runs === undefined ? await findRuns(file) : undefined;
  if (found === undefined) return file;
  const { format, source, attributes, notices, notes = [] } = file;
  const { dimension, indices, analysis } = found;
  const { notice } = analysis ?? {};
  const isAlong = ({ dimensions, type }: StoredArray) => dimensions.includes(dimension) && type !== 'text';
  const isMarked = (array: StoredArray) =>
    analysis === undefined && isAlong(array) && coordinateKind(array) === undefined;
  const arrays = new Map(
    Array.from(file.arrays, ([name, array]) => [
      name,
      isMarked(array) ? { ...toPlainArray(array), severalRuns: 'series' as const } : array,
    ]),
  );
  return {
    ...{ format, source, attributes, arrays, ...(notices && { notices }) },
    ...((notice !== undefined || notes.length > 0) && { notes: [...notes, ...(notice === undefined ? [] : [notice])] }),
    runs: {
      seconds: [...indices.keys()].sort((a, b) => a - b),
      select: async (seconds) => ofRun(file, found, Int32Array.from(indices.get(seconds) ?? [])),
    },
    close: () => file.close(),
  };
}

async function findRuns(file: ArrayFile): Promise<RunsAlongTime | undefined> {
  for (const starts of file.arrays.values()) {
    if (starts.shape.length !== 1 || starts.shape[0] < 2 || starts.type === 'text') continue;
    const isNamed = coordinateKind(starts) === 'init';
    if (!isNamed && !wordsSayRuns(starts)) continue;
    const [{ name: dimension, kind, coordinate }] = arrayDimensions(file, starts);
    if (kind !== 'time' || coordinate === undefined || coordinate === starts) continue;
    const runs = await readRuns(file, starts, coordinate);
    if (runs !== undefined && runs.times.size > 1 && (isNamed || haveSeveralTimes(runs.times)))
      return { dimension, starts, indices: runs.indices, analysis: findAnalysis(runs.times) };
  }
  return undefined;
}

/** Whether times follow the start of their run, and some run has several: words alone may be of the start of each step. */
function haveSeveralTimes(times: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const runs = [...times];
  return runs.some(([, { size }]) => size > 1) && runs.every(([start, own]) => [...own].every((time) => time >= start));
}

/** Words of names and long names for the start of a run: `v2_reftime`, `time_run`, `fcst_start`. */
const RUN_WORDS =
  /(^|[^a-z])(ref(erence)?|init(iali[sz]ation|ial)?|runs?|cycle|base|analysis|issued?|origin|(fc(st)?|forecast)[_ ]?start|start of( the)? forecast)(?=$|[^a-z]|time|date)/i;

/** Whether the name or the long name of a coordinate of time says that it holds the starts of runs. */
function wordsSayRuns({ name: path, attributes }: StoredArray): boolean {
  if (textAttribute(attributes, 'standard_name') === 'time' || !countsFromDate(textAttribute(attributes, 'units')))
    return false;
  const words = [path.slice(path.lastIndexOf('/') + 1), textAttribute(attributes, 'long_name') ?? ''];
  return words.some((text) => RUN_WORDS.test(text));
}

/** The times of each run, and their indices; undefined where they cannot be read, which is said where they are used. */
async function readRuns(file: ArrayFile, starts: StoredArray, coordinate: StoredArray) {
  try {
    const reader = arrayReader(file);
    const [of, at] = [await readTimeValues(reader, starts), await readTimeValues(reader, coordinate)];
    const [times, indices] = [new Map<number, Set<number>>(), new Map<number, number[]>()];
    for (const [i, start] of of.seconds.entries()) {
      times.set(start, (times.get(start) ?? new Set<number>()).add(at.seconds[i]));
      const own = indices.get(start);
      if (own === undefined) indices.set(start, [i]);
      else own.push(i);
    }
    return { times, indices };
  } catch (error) {
    if (isPlumecastError(error)) return undefined;
    throw error;
  }
}

/** The file with the times of one run, which is then a single one. */
function ofRun(file: ArrayFile, { dimension, starts }: RunsAlongTime, indices: Int32Array): ArrayFile {
  const { format, source, attributes, notices, notes } = file;
  const ofTimes = (array: StoredArray) =>
    selectedArray(
      array,
      array.dimensions.map((name, d) =>
        name === dimension ? { kind: 'some', dimension: d, indices } : { kind: 'all', dimension: d },
      ),
    );
  const start: StoredArray = {
    ...toPlainArray(starts),
    ...{ dimensions: [], shape: [], chunk: undefined },
    attributes: new Map([...starts.attributes, ['standard_name', 'forecast_reference_time']]),
    read: (_, into) => starts.read({ start: [indices[0]], count: [1] }, into),
  };
  const arrays = new Map(
    Array.from(file.arrays, ([name, array]) => [
      name,
      array === starts ? start : array.dimensions.includes(dimension) && array.type !== 'text' ? ofTimes(array) : array,
    ]),
  );
  return { format, source, attributes, arrays, ...{ notices, notes }, close: () => file.close() };
}
