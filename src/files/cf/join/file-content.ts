import { DAY_KEYS } from '../../../period/stated-days.js';
import type { ArrayFile, Attributes, StoredArray } from '../../array/array-file.js';
import { crc32 } from '../../codecs/crc.js';
import { type ArrayReader, arrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { arrayDimensions, coordinateKind, isSingle } from '../coordinates.js';
import { readTimeValues, unitOfLeads } from '../time/time-coordinate.js';
import { secondsOfUnit } from '../time/time-units.js';

/** A value of a coordinate: times in seconds, leads in hours, names of members as texts or numbers, degrees. */
export type Label = number | string;

/** What a coordinate, or a dimension without one, states. */
export type AxisKind = 'init' | 'member' | 'time' | 'lead' | 'latitude' | 'longitude';

/** The values of a coordinate. */
export interface Labels {
  readonly kind: AxisKind | undefined;
  /** The name of its array, and of its dimension where it has one. */
  readonly name: string;
  /** Undefined for a dimension without a coordinate. */
  readonly values: readonly Label[] | undefined;
  /** Of times: the start and the end of each in turn, in seconds, where they are stated. */
  readonly bounds?: Float64Array;
  readonly calendar?: string;
  readonly units?: string;
  readonly length: number;
}

/** What has to be the same of an array in files that are joined. */
export interface ArrayHead {
  readonly type: StoredArray['type'];
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly attributes: Attributes;
}

/** What joining files needs to know of one. */
export interface FileContent {
  readonly source: string;
  /** The arrays with values that depend on time or place. */
  readonly data: ReadonlyMap<string, ArrayHead>;
  /** The coordinates of the dimensions of these, by dimension. */
  readonly axes: ReadonlyMap<string, Labels>;
  /** Coordinates of a single value beside them, by kind. */
  readonly single: ReadonlyMap<AxisKind, Labels>;
  /** Times along a dimension that are not its coordinate, such as the valid times of leads, by name. */
  readonly times: ReadonlyMap<string, { readonly dimension: string; readonly labels: Labels }>;
  /** What else has to be the same, by name: coordinates of cells, heights, the model. */
  readonly others: ReadonlyMap<string, string>;
  /** Whether its arrays hold several runs, from which one has to be chosen first. */
  readonly hasRuns: boolean;
}

/** Attributes of a file that name its member, as of CMIP and of CORDEX. */
const MEMBER_ATTRIBUTES = [
  'realization',
  'realization_index',
  'ensemble_member',
  'member_id',
  'variant_label',
  'member',
];

/** Reads the coordinates of a file. Throws DataError for those that cannot be read. */
export async function readContent(file: ArrayFile, source: string): Promise<FileContent> {
  const reader = arrayReader(file);
  const data = new Map<string, ArrayHead>();
  const axes = new Map<string, Labels>();
  let hasRuns = file.runs !== undefined;
  for (const array of file.arrays.values()) {
    if (!isData(file, array)) continue;
    const { type, dimensions, shape, attributes } = array;
    data.set(array.name, { type, dimensions, shape, attributes });
    hasRuns ||= array.severalRuns !== undefined;
    for (const { name, length, coordinate, kind } of arrayDimensions(file, array)) {
      if (axes.has(name)) continue;
      axes.set(
        name,
        coordinate === undefined ? { kind, name, values: undefined, length } : await readLabels(reader, coordinate),
      );
    }
  }
  const single = new Map<AxisKind, Labels>();
  const times = new Map<string, { dimension: string; labels: Labels }>();
  for (const array of file.arrays.values()) {
    const kind = coordinateKind(array);
    if (kind === undefined || data.has(array.name) || axes.get(array.name)?.values !== undefined) continue;
    if (isSingle(array) && !array.dimensions.some((name) => axes.has(name))) {
      if (!single.has(kind)) single.set(kind, await readLabels(reader, array));
    } else if (array.dimensions.length === 1 && (kind === 'time' || kind === 'init')) {
      times.set(array.name, { dimension: array.dimensions[0], labels: await readLabels(reader, array) });
    }
  }
  const init = statedRun(file.attributes);
  const hasRun = [...axes.values(), ...[...times.values()].map(({ labels }) => labels)].some(
    ({ kind }) => kind === 'init',
  );
  if (init !== undefined && !hasRun && !single.has('init')) single.set('init', init);
  const member = MEMBER_ATTRIBUTES.find((name) => isLabel(file.attributes.get(name)));
  const hasMembers = single.has('member') || [...axes.values()].some(({ kind }) => kind === 'member');
  if (member !== undefined && !hasMembers) {
    const value = file.attributes.get(member) as Label;
    single.set('member', { kind: 'member', name: 'member', values: [value], length: 1 });
  }
  return { source, data, axes, single, times, others: await readOthers(reader, data, axes), hasRuns };
}

/** The run that the attributes of a file state, as files of this library do; undefined where none is a time. */
function statedRun(attributes: Attributes): Labels | undefined {
  const text = textAttribute(attributes, 'init_time') ?? '';
  const seconds = Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`) / 1000;
  return Number.isNaN(seconds) || !/^\d{4}-\d\d-\d\d/.test(text)
    ? undefined
    : { kind: 'init', name: 'init_time', values: [seconds], length: 1 };
}

/** Attributes of a file that name its model and experiment, as of CMIP and of CORDEX, the horizon, and the zone of its days, as of this library. */
const MODEL_ATTRIBUTES = [
  ...DAY_KEYS,
  'horizon',
  'source_id',
  'model_id',
  'driving_model_id',
  'institution_id',
  'experiment_id',
  'experiment',
];
/** Attributes of a file that say of which run, member, model and days all its values are. */
export const FILE_IDENTITY = ['init_time', ...MEMBER_ATTRIBUTES, ...MODEL_ATTRIBUTES] as const;
/** Larger coordinates are compared by their number of values alone. */
const MAX_COMPARED = 2 ** 22;

/** The model, the coordinates of cells that no dimension has, and single values such as a height, as texts. */
async function readOthers(
  reader: ArrayReader,
  data: FileContent['data'],
  axes: FileContent['axes'],
): Promise<Map<string, string>> {
  const { file } = reader;
  const others = new Map<string, string>();
  for (const name of MODEL_ATTRIBUTES) {
    const value = file.attributes.get(name);
    if (isLabel(value)) others.set(name, String(value));
  }
  for (const array of file.arrays.values()) {
    const kind = coordinateKind(array);
    const isOfCells = kind === 'latitude' || kind === 'longitude';
    const isOther = isOfCells || (kind === undefined && array.shape.length === 0);
    if (!isOther || array.type === 'text' || data.has(array.name) || axes.has(array.name)) continue;
    const length = array.shape.reduce((product, n) => product * n, 1);
    const values = length > MAX_COMPARED ? [] : await reader.numbers(array);
    others.set(array.name, length === 1 ? String(values[0]) : `${length} values, ${checksum(values)}`);
  }
  return others;
}

function checksum(values: ArrayLike<number>): number {
  const doubles = Float64Array.from(values);
  return crc32(new Uint8Array(doubles.buffer));
}

function isLabel(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** Whether an array has values that depend on time or place: no coordinate, and no bounds of one. */
function isData(file: ArrayFile, array: StoredArray): boolean {
  if (array.type === 'text' || coordinateKind(array) !== undefined) return false;
  const isOfAnother = [...file.arrays.values()].some(({ attributes }) =>
    ['bounds', 'climatology', 'grid_mapping'].some((name) => textOf(attributes, name) === array.name),
  );
  return !isOfAnother && arrayDimensions(file, array).some(({ kind }) => kind !== undefined);
}

function textOf(attributes: Attributes, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === 'string' ? value : undefined;
}

async function readLabels(reader: ArrayReader, array: StoredArray): Promise<Labels> {
  const kind = coordinateKind(array);
  const head = { kind, name: array.name, length: array.shape.reduce((product, n) => product * n, 1) };
  const units = textAttribute(array.attributes, 'units');
  if (kind === 'time' || kind === 'init') {
    const { seconds, bounds, calendar } = await readTimeValues(reader, array);
    return { ...head, values: Array.from(seconds), calendar, ...(bounds && { bounds }) };
  }
  if (array.type === 'text') return { ...head, values: await reader.texts(array) };
  const unit = kind === 'lead' ? secondsOfUnit(unitOfLeads(array) ?? '') : undefined;
  if (unit !== undefined) {
    // Tools write each file in the largest unit that fits: 18 hours, 1 days.
    const hours = Array.from(await reader.numbers(array), (lead) => Math.round(1e3 * unit * lead) / 3.6e6);
    return { ...head, values: hours, units: 'hours' };
  }
  return { ...head, values: Array.from(await reader.numbers(array)), ...(units !== undefined && { units }) };
}
