import { variables as builtIn } from '../../variable/built-in.js';
import { variableByName } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { StoredArray } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import { timeMethod } from './time/time-axis.js';

/** The variables of one quantity: its daily means, minima and maxima. */
interface Family {
  readonly mean: string;
  readonly minimum?: string;
  readonly maximum: string;
}

const FAMILIES: readonly Family[] = [
  { mean: 'temp_mean', minimum: 'temp_min', maximum: 'temp_max' },
  { mean: 'wind_speed', maximum: 'wind_speed_max' },
];

/** The family of a variable. */
export function variableFamily(slug: string | undefined): Family | undefined {
  return FAMILIES.find((family) => Object.values(family).includes(slug));
}

/**
 * Finds the variable that an array holds: by its CF standard name, its own name and those of GRIB tables, with its cell
 * methods: `air_temperature` with `time: maximum` is temp_max, and an array of maxima or minima holds no means or
 * totals. A name such as `tasmin` is more specific than its standard name. Undefined where none is known. `extra`
 * variables take precedence.
 */
export function arrayVariable(
  array: Pick<StoredArray, 'name' | 'attributes'>,
  extra: readonly Variable[] = [],
): Variable | undefined {
  const known = (slug: string | undefined) => [...extra, ...builtIn].find((variable) => variable.slug === slug);
  const standardName = textAttribute(array.attributes, 'standard_name');
  const standard = standardName === undefined ? undefined : variableByName(standardName, extra);
  const named = byNames(array, extra);
  if (named === undefined && PART_OF_DAY.test(array.name)) return undefined;
  const isFiner = named !== undefined && (extra.includes(named) || isOfFamily(named, standard));
  const variable = standard === undefined || isFiner ? named : standard;
  const method = timeMethod(array.attributes) ?? extremeOfName(array.name);
  if (variable === undefined || (method !== 'minimum' && method !== 'maximum')) return variable;
  const family = variableFamily(variable.slug);
  if (family !== undefined) return known(family[method]);
  return variable.slug.endsWith('_min') || variable.slug.endsWith('_max') ? variable : undefined;
}

/** Names of AgERA5 of values of a part of the day, or of one hour of it: their standard names say daily means. */
const PART_OF_DAY = /_((day|night)_time|\d\dh)$/i;

/** What a name says of the time of its values: `maximum_temperature_2m`. */
function extremeOfName(path: string): 'minimum' | 'maximum' | undefined {
  const [, word] = /^(min|max)(imum)?_/i.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  return word === undefined ? undefined : word.toLowerCase() === 'min' ? 'minimum' : 'maximum';
}

/**
 * Whether an array is of another level than 2 or 10 m, by its name and GRIB's type of level: `temperature_850hpa`. Screens
 * stand at 1.25 to 2 m.
 */
export function isOfOtherLevel({ name, attributes }: Pick<StoredArray, 'name' | 'attributes'>): boolean {
  const own = name.slice(name.lastIndexOf('/') + 1);
  const isAloft = /isobaric|hybrid|pressure/i.test(textAttribute(attributes, 'GRIB_typeOfLevel') ?? '');
  // `u100` and `u850` have the standard name of the wind at 10 m, too.
  return isAloft || /\d/.test(own.replace(/(^|\D)(1\.\d+|2|10)(?!\d)/, ''));
}

function isOfFamily(variable: Variable, other: Variable | undefined): boolean {
  const family = variableFamily(variable.slug);
  return family !== undefined && family === variableFamily(other?.slug);
}

function byNames(
  { name, attributes }: Pick<StoredArray, 'name' | 'attributes'>,
  extra: readonly Variable[],
): Variable | undefined {
  const own = name.slice(name.lastIndexOf('/') + 1);
  const names = [own, textAttribute(attributes, 'GRIB_shortName'), textAttribute(attributes, 'GRIB_cfVarName')];
  for (const candidate of names) {
    const variable = candidate === undefined ? undefined : variableByName(candidate, extra);
    if (variable !== undefined) return variable;
  }
  return undefined;
}
