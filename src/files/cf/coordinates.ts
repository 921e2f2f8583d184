import { assertKnownKeys, assertObject } from '../../check/option-checks.js';
import { DataError, OptionError, unusable } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { listedNames, textAttribute } from './attribute-values.js';
import { countsFromDate, isDuration } from './time/time-units.js';

/** A dimension of an array. */
export interface ArrayDimension {
  /** Its place among the dimensions of the array. */
  readonly index: number;
  readonly name: string;
  readonly length: number;
  /** The array of the same name that has this dimension only. */
  readonly coordinate: StoredArray | undefined;
  /** The kind of its coordinate, or of its name where it has none. */
  readonly kind: CoordinateKind | undefined;
}

export function arrayDimensions(file: ArrayFile, array: StoredArray): ArrayDimension[] {
  return array.dimensions.map((name, index) => {
    const found = arrayNamed(file, array, name);
    const coordinate = found?.dimensions.length === 1 && found.dimensions[0] === name ? found : undefined;
    const kind = (coordinate === undefined ? undefined : coordinateKind(coordinate)) ?? kindOfName(name);
    return { index, name, length: array.shape[index], coordinate, kind };
  });
}

/** Finds the array that a name in an array's attributes or dimensions means: in the same group first. */
export function arrayNamed(file: ArrayFile, { name: path }: StoredArray, name: string): StoredArray | undefined {
  const group = path.slice(0, path.lastIndexOf('/') + 1);
  return file.arrays.get(group + name) ?? file.arrays.get(name);
}

/**
 * Finds the arrays of the given kind that are single values, or whose dimensions are all dimensions of `array`: first
 * those that its attribute `coordinates` names, then the coordinates of its dimensions, then others.
 */
export function findCoordinates(file: ArrayFile, array: StoredArray, kind: CoordinateKind): StoredArray[] {
  const named = listedNames(array.attributes, 'coordinates').map((name) => arrayNamed(file, array, name));
  const own = arrayDimensions(file, array).map(({ coordinate }) => coordinate);
  const others = [...file.arrays.values()];
  const candidates = new Set([...named, ...own, ...others]);
  return [...candidates].filter(
    (candidate): candidate is StoredArray =>
      candidate !== undefined &&
      candidate !== array &&
      (candidate.dimensions.every((dimension) => array.dimensions.includes(dimension)) || isSingle(candidate)) &&
      coordinateKind(candidate) === kind,
  );
}

/** Whether an array holds a single value. */
export function isSingle({ shape }: StoredArray): boolean {
  return shape.every((length) => length === 1);
}

/** A file with more than these is damaged or made up. */
const MAX_MEMBERS = 65_536;
const MAX_CELLS = 2 ** 28;

/** What is missing where a dimension of a kind has no elements. */
const MISSING: Readonly<Record<string, string>> = {
  time: 'time steps',
  lead: 'time steps',
  init: 'runs',
  member: 'members',
  latitude: 'cells',
  longitude: 'cells',
};

/**
 * Checks the dimensions of an array before anything is read: none is empty, its coordinates have the same lengths, and
 * the numbers of members and cells are possible. Throws DataError that names the dimension.
 */
export function assertDimensions(file: ArrayFile, array: StoredArray): void {
  const { source } = file;
  const column = array.name;
  const dimensions = arrayDimensions(file, array);
  const empty = dimensions.find(({ length }) => length === 0);
  if (empty !== undefined) {
    const problem = `has no ${MISSING[empty.kind ?? ''] ?? 'values'}`;
    throw new DataError({
      ...{ source, column, problem, received: `dimension ${empty.name} of length 0`, allowed: 'at least one' },
    });
  }
  for (const other of file.arrays.values()) assertSameLengths(source, array, other);
  const lengthOf = (isOf: (dimension: ArrayDimension) => boolean) =>
    dimensions.filter(isOf).reduce((product, { length }) => product * length, 1);
  const members = lengthOf(({ kind }) => kind === 'member');
  const cells = lengthOf(({ kind }) => kind === undefined || kind === 'latitude' || kind === 'longitude');
  if (members > MAX_MEMBERS) throw tooMany(source, column, `${members} members`, MAX_MEMBERS);
  if (cells > MAX_CELLS) throw tooMany(source, column, `${cells} cells`, MAX_CELLS);
}

/** Checks a coordinate whose dimensions are all dimensions of the array. */
function assertSameLengths(source: string, array: StoredArray, coordinate: StoredArray): void {
  const places = coordinate.dimensions.map((name) => array.dimensions.indexOf(name));
  if (coordinate === array || places.includes(-1)) return;
  const other = places.findIndex((place, d) => array.shape[place] !== coordinate.shape[d]);
  if (other < 0 || coordinateKind(coordinate) === undefined) return;
  throw new DataError({
    ...{ source, column: array.name, problem: `dimension ${coordinate.dimensions[other]} has two lengths` },
    received: `${array.shape[places[other]]} here, ${coordinate.shape[other]} in ${coordinate.name}`,
    allowed: 'one length for all arrays along it',
  });
}

function tooMany(source: string, column: string, received: string, most: number): DataError {
  return new DataError({ source, column, problem: 'has impossible dimensions', received, allowed: `at most ${most}` });
}

/** What a coordinate states. */
type CoordinateKind = 'time' | 'init' | 'lead' | 'member' | 'latitude' | 'longitude';

const STANDARD_NAMES: Readonly<Record<string, CoordinateKind>> = {
  time: 'time',
  forecast_reference_time: 'init',
  forecast_period: 'lead',
  realization: 'member',
  latitude: 'latitude',
  longitude: 'longitude',
};

const NAMES: readonly (readonly [CoordinateKind, RegExp])[] = [
  [
    'init',
    /^(init|init_?time|init_?date|initiali[sz]ation_time|forecast_init_time|((forecast_)?reference|v\d+_ref|ref)_?(date)?time\d*|analysis_time|run|run_time)$/i,
  ],
  [
    'lead',
    /^(step|lead|lead_?time|lead_?(days?|hours?|months?)|forecast_?(period|hour|month)|fhour|prediction_timedelta)$/i,
  ],
  ['time', /^(time|valid_?time|t|times|date|datetime|day|forecast_time)$/i],
  [
    'member',
    /^(reali[sz]ations?|number|numbers|members?|member_id|ens|ensembles?|ensemble_members?|ens_?members?|perturbation(number)?|parameter)$/i,
  ],
  ['latitude', /^(lat|lats|latitude|latitudes|nav_lat|xlat|clat)$/i],
  ['longitude', /^(lon|lons|long|longitude|longitudes|nav_lon|xlong|clon)$/i],
];

const SOUTH = /^degrees?_?(S|[sS]outh|SOUTH)$/;
const WEST = /^degrees?_?(W|[wW]est|WEST)$/;

/** Whether units count degrees to the south or the west. */
export function areTurned(units: string | undefined): boolean {
  return SOUTH.test(units ?? '') || WEST.test(units ?? '');
}

const TIMES: readonly CoordinateKind[] = ['time', 'init', 'lead'];

/**
 * The kind of an array as a coordinate, by its standard name, units, name or axis; undefined where it is not a
 * coordinate.
 */
export function coordinateKind(array: StoredArray): CoordinateKind | undefined {
  const { attributes } = array;
  const standardName = textAttribute(attributes, 'standard_name') ?? '';
  if (Object.hasOwn(STANDARD_NAMES, standardName)) return timeOrLead(array, STANDARD_NAMES[standardName]);
  if (isRotated(array)) return undefined;
  const units = textAttribute(attributes, 'units') ?? '';
  if (/^degrees?_?n(orth)?$/i.test(units) || SOUTH.test(units)) return 'latitude';
  if (/^degrees?_?e(ast)?$/i.test(units) || WEST.test(units)) return 'longitude';
  const named = kindOfName(array.name) ?? (standardName === '' ? degreesByName(array, units) : undefined);
  const isOfTime = units === '' || countsFromDate(units) || isDuration(units);
  if (named !== undefined && (isOfTime || !TIMES.includes(named))) return timeOrLead(array, named);
  if (textAttribute(attributes, 'axis') === 'E') return 'member';
  return textAttribute(attributes, 'axis') === 'T' || countsFromDate(units) ? 'time' : undefined;
}

/** Whether degrees are of a rotated grid, by the standard name, the long name or the name: no places. */
export function isRotated({ name: path, attributes }: StoredArray): boolean {
  const standardName = textAttribute(attributes, 'standard_name');
  if (standardName !== undefined) return /^grid_(latitude|longitude)$/.test(standardName);
  const longName = textAttribute(attributes, 'long_name') ?? '';
  return (
    /\brotated\b/i.test(longName) || /^r(ot)?_?(lat|lon)(itude|gitude)?$/i.test(path.slice(path.lastIndexOf('/') + 1))
  );
}

/**
 * The kind of `x` and `y`, as GIS programs name axes, where units or a long name say that they are degrees of longitude
 * and latitude.
 */
function degreesByName({ name: path, attributes }: StoredArray, units: string): CoordinateKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const kind = name === 'x' ? 'longitude' : name === 'y' ? 'latitude' : undefined;
  if (kind === undefined || isLength(units)) return undefined;
  const longName = textAttribute(attributes, 'long_name') ?? '';
  const isOther = /\b(grid|rotated|projection|projected)\b/i.test(longName);
  const isNamed = (kind === 'longitude' ? /\blon(gitude)?\b/i : /\blat(itude)?\b/i).test(longName);
  return !isOther && (isNamed || /^deg(ree)?s?$/i.test(units)) ? kind : undefined;
}

/** Whether units measure a length, as of coordinates of projected grids. */
export function isLength(units: string | undefined): boolean {
  return /^(k?m|(kilo)?met(er|re)s?)$/i.test(units ?? '');
}

/** The kind of a dimension without a coordinate, or of an array, by its name. */
export function kindOfName(path: string): CoordinateKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}

/** A time in hours or days that do not count from a date is a lead; a lead that counts from a date is a time. */
function timeOrLead({ attributes }: StoredArray, kind: CoordinateKind): CoordinateKind {
  const units = textAttribute(attributes, 'units');
  if (kind === 'lead' && countsFromDate(units)) return 'time';
  return kind === 'time' && units !== undefined && isDuration(units) ? 'lead' : kind;
}

/** The names of the arrays with the latitudes and longitudes of a file. */
export interface NamedCoordinates {
  readonly latitude?: string;
  readonly longitude?: string;
}

const KINDS = ['latitude', 'longitude'] as const;

/** Checks names of coordinates without their file. Throws OptionError. */
export function assertCoordinates(coordinates: NamedCoordinates): void {
  assertObject('coordinates', coordinates, '{ latitude: "y", longitude: "x" }');
  assertKnownKeys(coordinates, KINDS, 'coordinates');
  for (const [kind, name] of Object.entries(coordinates)) {
    const isName = name === undefined || (typeof name === 'string' && name !== '');
    if (!isName) throw unusable(`coordinates.${kind}`, name, 'the name of an array');
  }
}

/**
 * Returns the file with the named arrays as its latitudes and longitudes, instead of its own. Throws OptionError for an
 * array that it does not have, or that is in metres.
 */
export function withNamedCoordinates(file: ArrayFile, coordinates: NamedCoordinates | undefined): ArrayFile {
  if (coordinates === undefined) return file;
  const arrays = new Map(file.arrays);
  for (const kind of KINDS) {
    const name = coordinates[kind];
    if (name === undefined) continue;
    const array = namedArray(file, kind, name);
    for (const [other, { name: path }] of arrays) {
      if (path !== array.name && coordinateKind(arrays.get(other) as StoredArray) === kind) arrays.delete(other);
    }
    arrays.set(name, { ...toPlainArray(array), attributes: new Map([...array.attributes, ['standard_name', kind]]) });
  }
  const { format, source, attributes, notices, notes, runs } = file;
  const reports = { ...(notices && { notices }), ...(notes && { notes }), ...(runs && { runs }) };
  return { format, source, attributes, arrays, ...reports, close: () => file.close() };
}

/** Copies an array to a plain object: spreading an instance would lose the methods of its class. */
export function toPlainArray(array: StoredArray): StoredArray {
  const { name, type, dimensions, shape, attributes, chunk, filters, severalRuns } = array;
  const how = { ...(chunk && { chunk }), ...(filters && { filters }), ...(severalRuns && { severalRuns }) };
  return {
    ...{ name, type, dimensions, shape, attributes, ...how },
    read: (box, into) => array.read(box, into),
    readTexts: () => array.readTexts(),
  };
}

function namedArray({ source, arrays }: ArrayFile, kind: string, name: string): StoredArray {
  const subject = `${source}, coordinates.${kind}`;
  const array = arrays.get(name);
  if (array === undefined) {
    const allowed = [...arrays.values()].filter(({ shape, type }) => shape.length <= 2 && type !== 'text');
    throw new OptionError({
      ...{ subject, problem: 'the file has no such array', received: name },
      allowed: allowed.map((other) => other.name).join(', '),
    });
  }
  const units = textAttribute(array.attributes, 'units');
  if (!isLength(units)) return array;
  throw new OptionError({
    ...{ subject, problem: `array ${name} is in ${units}, not in degrees`, received: name },
    allowed: `an array of degrees of ${kind}; remap projected grids first, as with cdo remapbil`,
  });
}
