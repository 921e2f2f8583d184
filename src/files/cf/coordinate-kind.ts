import type { StoredArray } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import { countsFromDate, secondsOfUnit } from './time/time-units.js';

/** What a coordinate states. */
export type CoordinateKind = 'time' | 'init' | 'lead' | 'member' | 'latitude' | 'longitude';

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
    /^(init|init_?time|init_?date|initiali[sz]ation_time|forecast_init_time|(forecast_)?reference_(date)?time|analysis_time|run|run_time)$/i,
  ],
  [
    'lead',
    /^(step|lead|lead_?time|lead_?days?|lead_?hours?|forecast_period|forecast_hour|fhour|prediction_timedelta)$/i,
  ],
  ['time', /^(time|valid_?time|t|times|date|datetime|day|forecast_time)$/i],
  [
    'member',
    /^(reali[sz]ations?|number|numbers|members?|member_id|ens|ensembles?|ensemble_members?|ens_?members?|perturbation(number)?|parameter)$/i,
  ],
  ['latitude', /^(lat|lats|latitude|latitudes|nav_lat|xlat)$/i],
  ['longitude', /^(lon|lons|long|longitude|longitudes|nav_lon|xlong)$/i],
];

const TIMES: readonly CoordinateKind[] = ['time', 'init', 'lead'];

/**
 * The kind of an array as a coordinate, by its standard name, units, name or axis; undefined where it is not a
 * coordinate.
 */
export function coordinateKind(array: StoredArray): CoordinateKind | undefined {
  const { attributes } = array;
  const standardName = textAttribute(attributes, 'standard_name') ?? '';
  if (Object.hasOwn(STANDARD_NAMES, standardName)) return timeOrLead(array, STANDARD_NAMES[standardName]);
  const units = textAttribute(attributes, 'units') ?? '';
  if (/^degrees?_?n(orth)?$/i.test(units)) return 'latitude';
  if (/^degrees?_?e(ast)?$/i.test(units)) return 'longitude';
  const named = kindOfName(array.name) ?? (standardName === '' ? degreesByName(array, units) : undefined);
  const isOfTime = units === '' || countsFromDate(units) || secondsOfUnit(units) !== undefined;
  if (named !== undefined && (isOfTime || !TIMES.includes(named))) return timeOrLead(array, named);
  if (textAttribute(attributes, 'axis') === 'E') return 'member';
  return textAttribute(attributes, 'axis') === 'T' || countsFromDate(units) ? 'time' : undefined;
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

/** Whether units are those of a length, as of coordinates of projected grids. */
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
  const isDuration = units !== undefined && secondsOfUnit(units) !== undefined;
  return kind === 'time' && isDuration ? 'lead' : kind;
}
