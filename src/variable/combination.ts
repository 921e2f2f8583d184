import { folded, variableByName, withPlainLevel } from './find-variable.js';
import { relativeHumidity } from './humidity.js';

/*
 * Variables that can be computed from two others, for each member and time step: wind speed from its components, and
 * relative humidity from temperature and dew point.
 */

/** One of the two inputs of a combination. */
export interface CombinationInput {
  /** Its name in messages. */
  readonly what: string;
  /** The unit that the formula takes. */
  readonly units: string;
  /** Whether a name in a file, or a CF standard name, means it. */
  readonly isNamed: (name: string) => boolean;
}

/** A quantity that is computed from two others, value by value. */
export interface Combination {
  /** The slug of the variable that holds its daily means. */
  readonly slug: string;
  readonly standardName: string;
  readonly units: string;
  readonly inputs: readonly [CombinationInput, CombinationInput];
  readonly formula: (first: number, second: number) => number;
  /** Why daily means cannot be its inputs; undefined if they can. */
  readonly needsSteps?: string;
}

const EASTWARD =
  'u10 10u avg_10u uas u10m ugrd ugrd_10m u_wind_10m wind_u_10m u_component_of_wind_10m 10m_u_component_of_wind ' +
  '10m_u_wind_component eastward_wind';
const NORTHWARD =
  'v10 10v avg_10v vas v10m vgrd vgrd_10m v_wind_10m wind_v_10m v_component_of_wind_10m 10m_v_component_of_wind ' +
  '10m_v_wind_component northward_wind';

const COMBINATIONS: readonly Combination[] = /* @__PURE__ */ [
  {
    slug: 'wind_speed',
    standardName: 'wind_speed',
    units: 'm s-1',
    inputs: [
      { what: 'the eastward wind', units: 'm s-1', isNamed: namedIn(EASTWARD) },
      { what: 'the northward wind', units: 'm s-1', isNamed: namedIn(NORTHWARD) },
    ],
    formula: (east: number, north: number) => Math.sqrt(east * east + north * north),
    needsSteps: 'the speed of the mean wind of a day is less than the mean of its speeds',
  },
  {
    slug: 'relative_humidity',
    standardName: 'relative_humidity',
    units: '%',
    inputs: [
      { what: 'temperature', units: 'degC', isNamed: namesVariable('temp_mean') },
      { what: 'dew point', units: 'degC', isNamed: namesVariable('dew_point') },
    ],
    formula: relativeHumidity,
  },
];

/** The slugs of the variables that can be computed from two others. */
export const COMBINED_VARIABLES = ['wind_speed', 'relative_humidity'] as const;

/** The combination that gives a variable, or the values whose daily extremes it holds; undefined for all others. */
export function combinationFor(slug: string): Combination | undefined {
  const ofMeans = slug === 'wind_speed_max' ? 'wind_speed' : slug;
  return COMBINATIONS.find((combination) => combination.slug === ofMeans);
}

/** Combines two values. The result is infinite if one of them is: that is an error in the data, not a missing value. */
export function combine({ formula }: Combination, first: number, second: number): number {
  const value = formula(first, second);
  const isInfinite = Math.abs(first) === Number.POSITIVE_INFINITY || Math.abs(second) === Number.POSITIVE_INFINITY;
  return isInfinite ? Number.POSITIVE_INFINITY : value;
}

function namedIn(text: string): (name: string) => boolean {
  const names = new Set(text.split(' ').map(folded));
  return (name) => names.has(folded(name)) || names.has(withPlainLevel(name));
}

function namesVariable(slug: string): (name: string) => boolean {
  return (name) => variableByName(name)?.slug === slug;
}
