import { assertKind, assertKnownKeys, assertShape } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../../check/work.js';
import { DataError, unusable } from '../../../errors.js';
import type { ArrayFile, Attributes, AttributeValue, StoredArray } from '../../array/array-file.js';
import { checkedBytes, copyBox, notText, rowStrides } from '../../array/copy-box.js';
import { toPlainArray } from '../coordinates.js';
import { utcText } from '../time/time-units.js';
import { type ArrayHead, type AxisKind, type FileContent, type Label, readContent } from './file-content.js';
import { type FileSet, openedFiles, someOf } from './file-set.js';
import { type JoinAxis, JoinFault, type JoinPlan, planJoin } from './join-plan.js';
import { joinedArray } from './joined-array.js';
import { labelsOfNames, type NameLabels } from './name-labels.js';
import { findGap } from './run-gaps.js';
import { withSingleDimensions } from './single-dimensions.js';
import { unitedFile } from './united-file.js';

/** How files are joined. */
export interface JoinOptions {
  /**
   * What the names of files state, where the files do not: `mem{member}`, `{init}/*_{lead}.nc`. Of `{member}`, `{init}`,
   * `{time}` and `{lead}` each stands for a word, dates, or hours.
   */
  readonly join?: string;
}

/**
 * Joins files of arrays that complement each other to one: a file for each member, run, time slice, lead, variable or
 * tile of a grid, or several of these together. Dimensions and their labels come from the coordinates, single values and
 * attributes in the files, else from their names. Values are read when they are asked for; those that no file has are
 * missing. Closing it closes the files.
 *
 * Throws DataError, which names both files, where they have different units, calendars or grids, or the same values,
 * OptionError for a pattern that is none, and the reason of `signal`; `onProgress` counts the files whose coordinates are read.
 */
export async function joinArrays(
  files: readonly ArrayFile[],
  options: JoinOptions & WorkOptions = {},
): Promise<ArrayFile> {
  assertFiles(files);
  const { work, others } = beginWork(options, 'files', files.length);
  assertKnownKeys(others, ['join', ...WORK_KEYS]);
  const { join } = others;
  assertKind('join', join, 'text?');
  const set = openedFiles(files);
  if (files.length === 1) return files[0];
  return work.run(async () => {
    const groups = sameArrays(await readContents(set, work));
    if (groups.length === 1) return joinFileSet(set, set.sources, join);
    const parts = groups.map((own) => {
      const some = openedFiles(own.map((i) => files[i]));
      return own.length === 1 ? files[own[0]] : joinFileSet(some, some.sources, join);
    });
    const united = await unitedFile(await Promise.all(parts), sourceOf(set));
    if (typeof united !== 'string') return united;
    throw new DataError({ source: sourceOf(set), problem: `they are not one: ${united}` });
  });
}

function assertFiles(files: unknown): void {
  if (!Array.isArray(files) || files.length === 0) throw unusable('files', files, 'a list of files of arrays');
  for (const [i, file] of files.entries()) {
    assertShape(`files[${i}]`, file, {
      ...{
        source: 'any text',
        format: 'any text',
        arrays: 'map',
        attributes: 'map',
        isArchive: 'flag?',
        filesWithin: 'function?',
        close: 'function',
      },
    });
  }
}

/** Joins the files of a set. Throws as `joinArrays` does; `paths` are their names. */
export async function joinFileSet(given: FileSet, paths: readonly string[], pattern?: string): Promise<ArrayFile> {
  try {
    const { files, contents } = withSingleDimensions({ files: given, contents: await readContents(given) });
    const names = pattern === undefined ? undefined : labelsOfNames(paths, pattern);
    const plan = planJoin(contents, paths, names);
    const runs = plan.axes.find(({ kind, isNew }) => kind === 'init' && isNew);
    // Each of its own days: a cube of runs by days would be empty but for a few.
    const areApart = runs !== undefined && plan.axes.some(({ kind }) => kind === 'time');
    if (!areApart) return await joinedFile(files, contents, plan);
    return await runsApart(runs, { files, paths, contents, names });
  } catch (error) {
    throw error instanceof JoinFault ? error.error : error;
  }
}

interface JoinedSet {
  readonly files: FileSet;
  readonly paths: readonly string[];
  readonly contents: readonly FileContent[];
  readonly names: NameLabels | undefined;
}

/** Files of several runs, each of its own times: one file for each run, joined of its files. */
async function runsApart(
  { labels, places }: JoinAxis,
  { files, paths, contents, names }: JoinedSet,
): Promise<ArrayFile> {
  const select = async (run: number): Promise<ArrayFile> => {
    const indices = places.flatMap(([place], i) => (place === run ? [i] : []));
    const of = <T>(list: readonly T[]) => indices.map((i) => list[i]);
    const own = someOf(files, indices);
    const namesOfRun = names && new Map(Array.from(names, ([kind, values]) => [kind, of(values)]));
    const plan =
      indices.length > 1
        ? planJoin(of(contents), of(paths), namesOfRun)
        : { axes: [], run: contents[indices[0]].single.has('init') ? undefined : (labels[run] as number), notes: [] };
    return joinedFile(own, of(contents), plan);
  };
  const all: ArrayFile[] = [];
  for (const run of labels.keys()) all.push(await select(run));
  const [first] = all;
  const arrays = new Map<string, StoredArray>();
  for (const [name, array] of first.arrays) {
    const isData = contents[0].data.has(name);
    arrays.set(name, isData ? { ...toPlainArray(array), severalRuns: 'apart' } : array);
  }
  const seconds = labels as readonly number[];
  return {
    ...{ format: first.format, source: sourceOf(files), attributes: first.attributes, arrays },
    notes: [
      `${contents.length} files are one: ${labels.length} runs`,
      ...new Set(all.flatMap(({ notes = [] }) => notes)),
    ],
    runs: { seconds, select: async (start) => all[seconds.indexOf(start)] },
    close: () => files.close(),
  };
}

/** Files as one; or by run, where they are of several; or why they are neither. */
export type Joining =
  | { readonly kind: 'one'; readonly file: ArrayFile; readonly isComplete: boolean }
  | { readonly kind: 'runs'; readonly runs: readonly (readonly number[])[]; readonly why: string }
  | { readonly kind: 'apart'; readonly why: string };

/**
 * Joins the files of a set, whose contents are known, where they show by themselves that they complement each other.
 * Runs stay apart: of files of several, the ones of each run may be one. Where no run is stated, a long gap in the times of
 * an ensemble, or of what are `forecasts`, is between runs.
 */
export async function joinIfOne(
  given: FileSet,
  paths: readonly string[],
  known: readonly FileContent[],
  areForecasts = false,
): Promise<Joining> {
  const { files, contents } = withSingleDimensions({ files: given, contents: known });
  const apart = findGap(contents, areForecasts);
  if (apart !== undefined) return { kind: 'runs', ...apart };
  const runs = filesOfRuns(contents);
  const ofRuns = (why: string): Joining => (runs.length > 1 ? { kind: 'runs', runs, why } : { kind: 'apart', why });
  try {
    const plan = planJoin(contents, paths, undefined);
    const axis = plan.axes.find(({ kind }) => kind === 'init');
    if (axis === undefined)
      return { kind: 'one', file: await joinedFile(files, contents, plan), isComplete: plan.isComplete };
    const [from, to] = [axis.labels[0], axis.labels.at(-1)].map((label) => utcText(label as number));
    return ofRuns(`files of ${axis.labels.length} runs, from ${from} to ${to}: each run is an input of its own`);
  } catch (error) {
    if (error instanceof JoinFault) return ofRuns(`each file is an input of its own: ${error.message}`);
    throw error;
  }
}

/** The indices of the files of each run, in the order of the first of each. */
function filesOfRuns(contents: readonly FileContent[]): readonly (readonly number[])[] {
  return grouped(contents, ({ single }) => String(single.get('init')?.values?.[0]));
}

/** Files that are opened at the same time: while one waits for the disk, others are read. */
const AT_ONCE = 8;

/** What joining needs to know of each file of a set. Throws DataError for coordinates that cannot be read. */
export async function readContents(files: FileSet, work?: Work): Promise<FileContent[]> {
  const contents: FileContent[] = [];
  const { sources } = files;
  for (let first = 0; first < sources.length; first += AT_ONCE) {
    const some = sources.slice(first, first + AT_ONCE);
    await work?.pause();
    contents.push(
      ...(await Promise.all(some.map((name, i) => files.use(first + i, (file) => readContent(file, name))))),
    );
    work?.advance(some.length);
  }
  return contents;
}

/** The indices of files with the same arrays, in the order of the first of each. */
export function sameArrays(contents: readonly FileContent[]): readonly (readonly number[])[] {
  return grouped(contents, ({ data }) => [...data.keys()].sort().join(' '));
}

function grouped(
  contents: readonly FileContent[],
  keyOf: (content: FileContent) => string,
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  contents.forEach((content, i) => {
    const group = groups.get(keyOf(content));
    if (group === undefined) groups.set(keyOf(content), [i]);
    else group.push(i);
  });
  return [...groups.values()];
}

async function joinedFile(
  files: FileSet,
  contents: readonly FileContent[],
  { axes, run, notes }: Pick<JoinPlan, 'axes' | 'run' | 'notes'>,
): Promise<ArrayFile> {
  const [first] = contents;
  return files.use(0, async ({ format, attributes, arrays: stored, notices, notes: ofFirst = [] }) => {
    const arrays = new Map<string, StoredArray>();
    const replaced = replacedNames(contents, axes, stored);
    for (const array of stored.values()) {
      const { name } = array;
      if (replaced.has(name)) continue;
      const time = first.times.get(name);
      const along = time && axes.find(({ dimension, isNew }) => !isNew && dimension === time.dimension);
      if (first.data.has(name)) {
        const heads = contents.map(({ data }) => data.get(name) as ArrayHead);
        const own = axes.filter(({ isNew, dimension }) => isNew || array.dimensions.includes(dimension));
        arrays.set(name, own.length === 0 ? onDemand(files, array) : joinedArray(files, name, heads, array, own));
      } else
        arrays.set(
          name,
          along === undefined ? onDemand(files, array) : timesAlong(contents, name, along, array.attributes),
        );
    }
    for (const axis of axes) for (const array of coordinatesOf(axis, stored, first)) arrays.set(array.name, array);
    if (run !== undefined) {
      const attributesOfRun: Attributes = new Map([
        ['standard_name', RUN],
        ['units', SECONDS],
      ]);
      arrays.set(RUN, inMemory(RUN, [], [], [run], attributesOfRun));
    }
    const source = sourceOf(files);
    const reports = { ...(notices && { notices }), notes: [...ofFirst, ...notes] };
    const times = axes.find(({ kind }) => kind === 'time');
    const slices = times && { filesWithin: (from: number, to: number) => slicesWithin(files, times, from, to) };
    return { format, source, attributes, arrays, ...reports, ...slices, close: () => files.close() };
  });
}

/** The names of the files all of whose times are from one to another. */
function slicesWithin({ sources }: FileSet, { labels, places }: JoinAxis, from: number, to: number): string[] {
  const isWithin = (place: number) => (labels[place] as number) >= from && (labels[place] as number) <= to;
  return sources.filter((_, file) => places[file].every(isWithin));
}

function sourceOf({ sources }: FileSet): string {
  return sources.length > 1 ? `${sources[0]} and ${sources.length - 1} more` : sources[0];
}

/**
 * The names of arrays in the first file that the joined one has others for, or not at all: coordinates of joined
 * dimensions, single values that differ from file to file, and the bounds of both.
 */
function replacedNames(
  contents: readonly FileContent[],
  axes: readonly JoinAxis[],
  stored: ArrayFile['arrays'],
): Set<string> {
  const [first] = contents;
  const coordinates = axes.filter(({ isNew }) => !isNew).map(({ dimension }) => dimension);
  for (const [kind, { name, values }] of first.single) {
    const differs = contents.some(({ single }) => single.get(kind)?.values?.[0] !== values?.[0]);
    if (differs) coordinates.push(name);
  }
  const bounds = coordinates.map((name) => stored.get(name)?.attributes.get('bounds'));
  return new Set([...coordinates, ...bounds.filter((name) => typeof name === 'string')]);
}

/** The coordinate of a joined dimension, and its bounds. */
function coordinatesOf(axis: JoinAxis, stored: ArrayFile['arrays'], first: FileContent): StoredArray[] {
  const { kind, dimension, labels, bounds } = axis;
  const labelsOfFirst = axis.isNew ? first.single.get(kind) : first.axes.get(dimension);
  const own = stored.get(labelsOfFirst?.name ?? dimension)?.attributes ?? new Map<string, AttributeValue>();
  const attributes = new Map(own);
  for (const key of ['scale_factor', 'add_offset', '_FillValue', 'missing_value', 'bounds', 'climatology'])
    attributes.delete(key);
  const isTime = kind === 'time' || kind === 'init';
  if (isTime) {
    attributes.set('units', SECONDS);
    if (labelsOfFirst?.calendar !== undefined) attributes.set('calendar', labelsOfFirst.calendar);
  }
  if (kind === 'lead') attributes.set('units', labelsOfFirst?.units ?? 'hours');
  if (!attributes.has('standard_name')) attributes.set('standard_name', STANDARD_NAMES[kind]);
  if (bounds === undefined) return [inMemory(dimension, [dimension], [labels.length], labels, attributes)];
  const name = `${dimension}_bounds`;
  attributes.set('bounds', name);
  return [
    inMemory(dimension, [dimension], [labels.length], labels, attributes),
    inMemory(name, [dimension, 'bounds'], [labels.length, 2], Array.from(bounds), new Map()),
  ];
}

const RUN = 'forecast_reference_time';
const SECONDS = 'seconds since 1970-01-01';

const STANDARD_NAMES: Readonly<Record<AxisKind, string>> = {
  init: 'forecast_reference_time',
  member: 'realization',
  time: 'time',
  lead: 'forecast_period',
  latitude: 'latitude',
  longitude: 'longitude',
};

/** Times along a joined dimension that are not its coordinate, such as the valid times of leads. */
function timesAlong(contents: readonly FileContent[], name: string, axis: JoinAxis, given: Attributes): StoredArray {
  const values = Array<number>(axis.labels.length).fill(Number.NaN);
  contents.forEach(({ times }, i) => {
    const own = times.get(name)?.labels.values ?? [];
    axis.places[i].forEach((place, k) => {
      values[place] = own[k] as number;
    });
  });
  const attributes = new Map(given);
  for (const key of ['scale_factor', 'add_offset', '_FillValue', 'missing_value', 'bounds']) attributes.delete(key);
  attributes.set('units', SECONDS);
  return inMemory(name, [axis.dimension], [values.length], values, attributes);
}

/** An array of the first file, which is opened when it is read. */
function onDemand(files: FileSet, array: StoredArray): StoredArray {
  const found = (file: ArrayFile) => file.arrays.get(array.name) as StoredArray;
  return {
    ...toPlainArray(array),
    read: (box, into) => files.use(0, (file) => found(file).read(box, into)),
    readTexts: () => files.use(0, (file) => found(file).readTexts()),
  };
}

function inMemory(
  name: string,
  dimensions: readonly string[],
  shape: readonly number[],
  labels: readonly Label[],
  attributes: Attributes,
): StoredArray {
  const isText = typeof labels[0] === 'string';
  const head = { name, type: isText ? ('text' as const) : ('float64' as const), dimensions, shape, attributes };
  const values = isText ? new Float64Array(0) : Float64Array.from(labels as readonly number[]);
  return {
    ...head,
    read: async (box, into) => {
      checkedBytes(head, box, into);
      const from = { values, start: shape.map(() => 0), strides: rowStrides(shape) };
      copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, box);
      return [];
    },
    readTexts: async () => (isText ? (labels as readonly string[]) : Promise.reject(notText(name))),
  };
}
