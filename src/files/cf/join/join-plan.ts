import { DataError, mentionOption } from '../../../errors.js';
import { naturalOrder } from '../../natural-order.js';
import { utcText } from '../time/time-units.js';
import type { ArrayHead, AxisKind, FileContent, Label, Labels } from './file-content.js';
import { type NameLabels, numbersOfNames } from './name-labels.js';

/** A dimension along which files are joined. */
export interface JoinAxis {
  readonly kind: AxisKind;
  readonly dimension: string;
  /** Whether the files do not have it: each has one of its values. */
  readonly isNew: boolean;
  /** All values, ascending; names of members in their natural order. */
  readonly labels: readonly Label[];
  /** For each file, where its values are among all. */
  readonly places: readonly Int32Array[];
  /** Of times: start and end of each in turn, where all files state them. */
  readonly bounds: Float64Array | undefined;
}

/** How files make one. */
export interface JoinPlan {
  readonly axes: readonly JoinAxis[];
  /** The start of the run of all files, in seconds, where their names alone state it. */
  readonly run: number | undefined;
  readonly notes: readonly string[];
  /** Whether each value is in a file. */
  readonly isComplete: boolean;
}

/** Why files do not make one. */
export class JoinFault extends Error {
  /** The error for people. */
  readonly error: DataError;

  constructor(error: DataError) {
    super(error.message);
    this.error = error;
  }
}

const WORDS: Readonly<Record<AxisKind, string>> = {
  init: 'runs',
  member: 'members',
  time: 'times',
  lead: 'leads',
  latitude: 'latitudes',
  longitude: 'longitudes',
};
/** New dimensions come in this order, before the ones that files have. */
const NEW_AXES: readonly AxisKind[] = ['init', 'member', 'time', 'lead'];
const NEW_NAMES: Readonly<Partial<Record<AxisKind, string>>> = { init: 'forecast_reference_time', lead: 'step' };

/**
 * Finds the dimensions along which files complement each other: members, times, leads, runs, or tiles of a grid.
 * `names` are labels by the names of the files; without them, and where nothing else tells the files apart, numbers in
 * their names are members. Throws JoinFault for files that contradict each other, or have something twice.
 */
export function planJoin(
  contents: readonly FileContent[],
  paths: readonly string[],
  names: NameLabels | undefined,
): JoinPlan {
  const [first] = contents;
  for (const other of contents.slice(1)) assertSameArrays(first, other);
  const notes: string[] = [];
  const axes: JoinAxis[] = [];
  for (const [dimension, labels] of first.axes) {
    const all = contents.map(({ axes }) => axes.get(dimension) as Labels);
    if (all.every((each) => isSame(each, labels))) continue;
    axes.push(existingAxis(dimension, all, contents));
  }
  for (const kind of NEW_AXES) {
    const all = contents.map(({ single }, i) => named(kind, names, i) ?? single.get(kind));
    const isAlong =
      axes.some((axis) => axis.kind === kind) || [...first.axes.values()].some((each) => each.kind === kind);
    if (isAlong || all.every((each) => each === undefined)) continue;
    const stated = all.findIndex((each) => each !== undefined);
    const unstated = all.indexOf(undefined);
    if (unstated >= 0)
      throw differ(
        contents[unstated],
        contents[stated],
        `${kind} is not stated, as it is in %`,
        undefined,
        labelText(kind, all[stated]?.values?.[0]),
      );
    const values = all.map((each) => (each as Labels).values?.[0] as Label);
    if (values.every((value) => value === values[0])) continue;
    axes.push(newAxis(kind, all as Labels[], contents));
  }
  const other = otherTimes(axes, contents);
  if (other !== undefined) axes.splice(axes.indexOf(other), 1);
  const lagged = laggedMembers(axes, first);
  if (lagged !== undefined) {
    axes.splice(axes.indexOf(lagged.runs), 1);
    notes.push(lagged.note);
  }
  if (axes.length === 0) {
    const numbers = numbersOfNames(paths);
    if (numbers === undefined || hasMembers(first)) {
      throw differ(
        contents[1],
        first,
        'states nothing that tells it from %',
        undefined,
        `members, times or places of its own; or a pattern of names, such as ${mentionOption('join', 'mem{member}')}`,
      );
    }
    const labels = numbers.map((value): Labels => ({ kind: 'member', name: 'member', values: [value], length: 1 }));
    axes.push(newAxis('member', labels, contents));
    notes.push(`members are the numbers in the names of files`);
  }
  axes.sort((a, b) => NEW_AXES.indexOf(a.kind) - NEW_AXES.indexOf(b.kind));
  const absent = assertOnce(contents, axes);
  notes.push(...absent);
  const parts = axes.map(({ kind, labels }) => `${labels.length} ${WORDS[kind]}`);
  const isStated = [...first.single.keys(), ...[...first.axes.values()].map(({ kind }) => kind)].includes('init');
  const runs = names?.get('init') ?? [];
  const run = !isStated && runs.every((each) => each === runs[0]) ? (runs[0] as number | undefined) : undefined;
  return {
    axes,
    run,
    notes: [`${contents.length} files are one: ${parts.join(', ')}`, ...notes],
    isComplete: absent.length === 0,
  };
}

/** Whether a file has several members. */
export function hasMembers({ axes }: FileContent): boolean {
  return [...axes.values()].some(({ kind, length }) => kind === 'member' && length > 1);
}

function named(kind: AxisKind, names: NameLabels | undefined, file: number): Labels | undefined {
  const values = names?.get(kind);
  const units = kind === 'lead' ? { units: 'hours' } : {};
  return values && { kind, name: NEW_NAMES[kind] ?? kind, values: [values[file]], length: 1, ...units };
}

/** Of times and leads, which say the same, the axis that is left out: times where the run is stated, else leads. */
function otherTimes(axes: readonly JoinAxis[], contents: readonly FileContent[]): JoinAxis | undefined {
  const [times, leads] = (['time', 'lead'] as const).map((wanted) => axes.find(({ kind }) => kind === wanted));
  if (times === undefined || leads === undefined || !(times.isNew || leads.isNew)) return undefined;
  const hasRun = contents.every(({ single, axes: own }) => {
    return single.has('init') || [...own.values()].some(({ kind }) => kind === 'init');
  });
  // Leads have no bounds. Of several runs they are what all have in common.
  const areBounded = times.bounds !== undefined && leads.isNew && !axes.some(({ kind }) => kind === 'init');
  return times.isNew && !areBounded && (hasRun || !leads.isNew) ? times : leads;
}

/** Runs, each of which is one member of its own, or more: a lagged ensemble, where times are the ones of the values. */
function laggedMembers(axes: readonly JoinAxis[], first: FileContent): { runs: JoinAxis; note: string } | undefined {
  const runs = axes.find(({ kind }) => kind === 'init');
  const members = axes.find(({ kind, isNew }) => kind === 'member' && isNew);
  // Leads count from the start of each run.
  const hasLeads = [...axes, ...first.axes.values()].some(({ kind }) => kind === 'lead');
  if (runs === undefined || members === undefined || hasLeads) return undefined;
  const runOf = new Map<number, number>();
  for (const [i, [member]] of members.places.entries()) {
    const run = runs.places[i][0];
    if ((runOf.get(member) ?? run) !== run) return undefined;
    runOf.set(member, run);
  }
  const from = labelText('init', runs.labels[0]);
  const to = labelText('init', runs.labels.at(-1));
  return { runs, note: `members start at ${runs.labels.length} times, from ${from} to ${to}: a lagged ensemble` };
}

/** Attributes that say what values mean. */
const MEANING = ['units', 'standard_name', 'cell_methods', 'GRIB_stepType'];

function assertSameArrays(first: FileContent, other: FileContent): void {
  const names = (content: FileContent) => [...content.data.keys()].sort().join(', ');
  if (names(first) !== names(other)) throw differ(other, first, 'has other arrays than %', names(other), names(first));
  for (const [name, head] of first.data) {
    const own = other.data.get(name) as ArrayHead;
    const dimensions = (each: ArrayHead) => each.dimensions.join(', ');
    if (dimensions(own) !== dimensions(head)) {
      throw differ(other, first, `${name} has other dimensions than in %`, dimensions(own), dimensions(head));
    }
    for (const key of MEANING) {
      const [one, two] = [head, own].map(({ attributes }) => attributes.get(key)?.toString());
      if (one !== two)
        throw differ(other, first, `${name} has not the ${key} that it has in %`, two ?? 'none', one ?? 'none');
    }
  }
  for (const each of [first, other])
    if (each.hasRuns) throw differ(other, first, 'holds several runs by itself', undefined, 'files of one run');
  for (const name of new Set([...first.others.keys(), ...other.others.keys()])) {
    const [one, two] = [first, other].map(({ others }) => others.get(name) ?? 'none');
    if (one !== two) throw differ(other, first, `has another ${name} than %`, two, one);
  }
  for (const [dimension, labels] of first.axes) {
    const own = other.axes.get(dimension) as Labels;
    if ((own.bounds === undefined) !== (labels.bounds === undefined)) {
      const [received, allowed] = [own, labels].map(({ bounds }) => (bounds === undefined ? 'no bounds' : 'bounds'));
      throw differ(other, first, `${dimension} has not the bounds that it has in %`, received, allowed);
    }
    for (const key of ['kind', 'calendar', 'units'] as const) {
      if (own[key] !== labels[key])
        throw differ(
          other,
          first,
          `${dimension} has not the ${key} that it has in %`,
          own[key] ?? 'none',
          labels[key] ?? 'none',
        );
    }
  }
}

function isSame(one: Labels, other: Labels): boolean {
  if (one.length !== other.length) return false;
  return areSame(one.values, other.values, one.kind) && areSame(one.bounds, other.bounds);
}

function areSame(
  ours: ArrayLike<Label> | undefined,
  theirs: ArrayLike<Label> | undefined,
  kind?: AxisKind | undefined,
): boolean {
  if (ours === theirs || ours === undefined || theirs === undefined) return ours === theirs;
  for (let i = 0; i < ours.length; i++) if (identity(kind, ours[i]) !== identity(kind, theirs[i])) return false;
  return true;
}

/** What labels that are the same have in common: degrees are float32 in some files, and float64, or computed, in others. */
function identity(kind: AxisKind | undefined, label: Label): Label {
  return kind === 'latitude' || kind === 'longitude' ? Math.fround(label as number) : label;
}

function existingAxis(dimension: string, all: readonly Labels[], contents: readonly FileContent[]): JoinAxis {
  const [{ kind }] = all;
  const without = all.findIndex(({ values }) => values === undefined);
  if (kind === undefined || without >= 0) {
    const other = Math.max(
      1,
      all.findIndex((each) => !isSame(each, all[0])),
    );
    throw differ(
      contents[other],
      contents[0],
      `${dimension} has other values than in %`,
      `${all[other].length} of them`,
      `the ${all[0].length} of the first file`,
    );
  }
  const axis = axisOf(kind, dimension, false, all, contents);
  if (kind === 'latitude' || kind === 'longitude') assertTiles(axis, all, contents);
  return axis;
}

function newAxis(kind: AxisKind, all: readonly Labels[], contents: readonly FileContent[]): JoinAxis {
  const { name } = all[0];
  return axisOf(kind, kind === 'member' ? 'member' : (NEW_NAMES[kind] ?? name), true, all, contents);
}

function axisOf(
  kind: AxisKind,
  dimension: string,
  isNew: boolean,
  all: readonly Labels[],
  contents: readonly FileContent[],
): JoinAxis {
  for (const [i, { values }] of all.entries()) {
    if (values === undefined || new Set(values).size === values.length) continue;
    const twice = values.find((value, k) => values.indexOf(value) < k);
    const problem = `has ${kind} ${labelText(kind, twice)} twice, and cannot be joined with %`;
    throw differ(contents[i], contents[i === 0 ? 1 : 0], problem, undefined, 'each value once');
  }
  const distinct = new Map<Label, Label>();
  for (const { values } of all) {
    for (const label of values as readonly Label[]) {
      const key = identity(kind, label);
      // Of float32 and float64, the latter.
      if (!distinct.has(key) || label !== key) distinct.set(key, label);
    }
  }
  const isFalling = kind === 'latitude' && all.every(({ values }) => isDescending(values as readonly Label[]));
  const labels = [...distinct.values()].sort((a, b) => (isFalling ? compareLabels(b, a) : compareLabels(a, b)));
  const placeOf = new Map(labels.map((label, i) => [identity(kind, label), i]));
  const places = all.map(({ values }) =>
    Int32Array.from(values as readonly Label[], (value) => placeOf.get(identity(kind, value)) as number),
  );
  return { kind, dimension, isNew, labels, places, bounds: joinedBounds(all, places, labels.length, contents) };
}

function isDescending(values: readonly Label[]): boolean {
  return values.every((value, i) => i === 0 || value < values[i - 1]);
}

function joinedBounds(
  all: readonly Labels[],
  places: readonly Int32Array[],
  length: number,
  contents: readonly FileContent[],
): Float64Array | undefined {
  if (all.some(({ bounds }) => bounds === undefined)) return undefined;
  const joined = new Float64Array(2 * length);
  const owner = new Int32Array(length).fill(-1);
  all.forEach(({ kind, values, bounds = new Float64Array(0) }, i) => {
    places[i].forEach((place, k) => {
      const [from, to] = bounds.subarray(2 * k, 2 * k + 2);
      if (owner[place] >= 0 && (joined[2 * place] !== from || joined[2 * place + 1] !== to)) {
        const at = labelText(kind as AxisKind, values?.[k]);
        throw differ(contents[i], contents[owner[place]], `has other bounds of ${at} than %`, undefined, 'the same');
      }
      joined.set([from, to], 2 * place);
      owner[place] = i;
    });
  });
  return joined;
}

function compareLabels(one: Label, other: Label): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : naturalOrder(String(one), String(other));
}

/** Throws JoinFault unless tiles have the same coordinates, or ones that follow one another. */
function assertTiles(axis: JoinAxis, all: readonly Labels[], contents: readonly FileContent[]): void {
  const owner = tileOwners(axis);
  const isConsecutive = (places: Int32Array) => Math.abs(places[places.length - 1] - places[0]) + 1 === places.length;
  const wrong = owner === undefined ? 1 : axis.places.findIndex((places) => !isConsecutive(places));
  if (wrong < 0) return;
  const other = all.findIndex((each) => !isSame(each, all[wrong]));
  const problem = `has another grid than %: ${WORDS[axis.kind]} of one are between the ones of the other`;
  throw differ(contents[wrong], contents[other], problem, undefined, 'the same grid, or tiles of one');
}

/** By label, the first file that has it, where files have the same labels or other ones; undefined where some overlap. */
function tileOwners({ labels, places }: JoinAxis): Int32Array | undefined {
  const owner = new Int32Array(labels.length).fill(-1);
  for (const [i, own] of places.entries()) {
    const first = owner[own[0]];
    if (!own.every((place) => owner[place] === first)) return undefined;
    if (first >= 0 && places[first].length !== own.length) return undefined;
    if (first < 0) for (const place of own) owner[place] = i;
  }
  return owner;
}

/** Throws JoinFault where two files have the same values; returns notes on what no file has. */
function assertOnce(contents: readonly FileContent[], axes: readonly JoinAxis[]): string[] {
  // Of files whose labels are the same or all others, one label stands for all.
  const standIns = axes.map((axis) => {
    const isTiled = tileOwners(axis) !== undefined;
    return axis.places.map((places) => (isTiled ? places.subarray(0, 1) : places));
  });
  const owner = new Map<string, number>();
  let present = 0;
  contents.forEach((content, i) => {
    present += axes.reduce((product, { places }) => product * places[i].length, 1);
    for (const key of keysOf(standIns, i)) {
      const other = owner.get(key);
      if (other !== undefined) {
        const at = axes.map(({ kind, labels }, a) => `${kind} ${labelText(kind, labels[Number(key.split(' ')[a])])}`);
        const problem = `has values of ${at.join(', ')}, as has %`;
        throw differ(content, contents[other], problem, undefined, 'files without overlap');
      }
      owner.set(key, i);
    }
  });
  const total = axes.reduce((product, { labels }) => product * labels.length, 1);
  if (present === total) return [];
  if (axes.some(({ kind }) => kind === 'latitude' || kind === 'longitude')) {
    const problem = 'lies apart from %: places between them are in no file';
    throw differ(contents[1], contents[0], problem, undefined, 'tiles that fill a grid');
  }
  const names = axes.map(({ kind }) => WORDS[kind]).join(' by ');
  return [`of ${total} ${names}, ${total - present} are in no file: their values are missing`];
}

function* keysOf(places: readonly (readonly Int32Array[])[], file: number, depth = 0, key = ''): Generator<string> {
  if (depth === places.length) return yield key.trimStart();
  for (const place of places[depth][file]) yield* keysOf(places, file, depth + 1, `${key} ${place}`);
}

function labelText(kind: AxisKind, label: Label | undefined): string {
  const isTime = (kind === 'time' || kind === 'init') && typeof label === 'number';
  return isTime ? utcText(label) : String(label);
}

/** The fault of a file beside another one, which `%` in `problem` stands for. */
function differ(
  { source }: FileContent,
  other: FileContent,
  problem: string,
  received: string | undefined,
  allowed: string,
): JoinFault {
  const text = problem.replace('%', other.source);
  return new JoinFault(new DataError({ source, problem: text, ...(received !== undefined && { received }), allowed }));
}
