import { OptionError, unusable } from '../errors.js';
import { variables } from './built-in.js';
import { relativeHumidity } from './humidity.js';
import { nearestName } from './nearest-name.js';
import type { VariableSlug } from './slug.js';
import { type Variable, WINDOW_RULES, type WindowRule } from './variable.js';

/** Throws OptionError unless `variable` is one: an object without a slug, for example, is not. */
export function assertVariable(variable: unknown, subject = 'variable'): asserts variable is Variable {
  const { slug, units, window, standardName, fileNames }: Partial<Variable> = variable ?? {};
  const texts = Array.isArray(fileNames) ? [slug, units, ...fileNames] : [undefined];
  if (standardName !== undefined) texts.push(standardName);
  if (WINDOW_RULES.includes(window as never) && texts.every((text) => typeof text === 'string')) return;
  throw unusable(subject, variable, 'a known slug, or what defineVariable returns');
}

/** Throws OptionError unless `variables` is a list of variables, or undefined. */
export function assertVariables(variables: unknown): asserts variables is readonly Variable[] | undefined {
  if (variables === undefined) return;
  if (!Array.isArray(variables)) throw unusable('variables', variables, 'a list of definitions');
  variables.forEach((variable, i) => {
    assertVariable(variable, `variables[${i}]`);
  });
}

/**
 * The variable that a name in a file means, or undefined if it means none, or may mean several.
 *
 * A name is a slug, one of the usual short names, or a CF standard name that only one variable has; case and the
 * separators blank, `_`, `-` and `.` do not matter, and a unit may follow (`t2m_degC`, `Rain (mm)`). Levels and
 * spans may be written out, as by NCEP and ECMWF: `TMP_2maboveground`, `APCP_surface`, `2 metre temperature`,
 * `maximum_2m_temperature_since_previous_post_processing`. `extra` is searched first, so that a caller's own variable
 * replaces a built-in one. The plain `air_temperature` and `wind_speed` mean the daily mean. A name says nothing about
 * the unit of the values: check it with `unitsAgree`.
 */
export function variableByName(name: string, extra: readonly Variable[] = []): Variable | undefined {
  assertVariables(extra);
  if (typeof name !== 'string') throw unusable('name', name, 'a text');
  return variableFinder(extra)(name);
}

/** Longer names mean no variable. */
const MAX_LENGTH = 256;

type VariableFinder = (name: string) => Variable | undefined;

let builtInFinder: VariableFinder | undefined;

/** `variableByName` for many names: a table may have thousands of columns. */
export function variableFinder(extra: readonly Variable[] = []): VariableFinder {
  if (extra.length > 0) return createFinder(extra);
  builtInFinder ??= createFinder([]);
  return builtInFinder;
}

function createFinder(extra: readonly Variable[]): VariableFinder {
  const own = new Set(extra.map((variable) => variable.slug));
  const known = [...extra, ...variables.filter((variable) => !own.has(variable.slug))];
  const bySlug = new Map<string, Variable>();
  const byFileName = new Map<string, Variable>();
  /** Undefined for names that several variables share. */
  const byStandardName = new Map<string, Variable | undefined>();
  for (const variable of known) {
    const { slug, fileNames, standardName } = variable;
    if (!bySlug.has(folded(slug))) bySlug.set(folded(slug), variable);
    for (const name of fileNames.map(folded)) if (!byFileName.has(name)) byFileName.set(name, variable);
    if (standardName === undefined) continue;
    const standard = folded(standardName);
    byStandardName.set(standard, byStandardName.has(standard) ? undefined : variable);
  }
  const meaning = (name: string) => {
    const wanted = folded(name);
    return bySlug.get(wanted) ?? byFileName.get(wanted) ?? byStandardName.get(wanted);
  };
  return (name) => meaning(name) ?? meaning(withoutUnit(name)) ?? meaning(withPlainLevel(withoutUnit(name)));
}

/** A name without case and separators. */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

function withoutUnit(name: string): string {
  if (name.length > MAX_LENGTH) return name;
  return name
    .trim()
    .replace(/\s*(\([^()]*\)|\[[^[\]]*\])$/, '')
    .replace(/[\s_.-](mm|cm|m|degc|celsius|c|kelvin|k|degf|f|percent|pct|%|kpa|hpa|pa|m_?s|mps|mjm2|wm2|jm2)$/i, '');
}

/** A name with its level at its end, as short names write it (`tmp_2m`, `apcp_sfc`), and without the time span of an extreme. */
function withPlainLevel(name: string): string {
  if (name.length > MAX_LENGTH) return name;
  return folded(name)
    .replace(/(sinceprevious(post)?processing|inthelast\d*hours?|24h|6hr|f(inst|tavg))$/, '')
    .replace(/air(?!$)/, '')
    .replace(/maboveground$|met(re|er)/, 'm')
    .replace(/surface$/, 'sfc')
    .replace(/^(2|10)m(.+)/, '$2$1m');
}

/**
 * The variable with exactly this slug. `extra` is searched first, so that a caller's own variable replaces a built-in
 * one.
 *
 * Throws an OptionError if there is none. It names the nearest known slug: that of the variable with this name in
 * files, or else the one with the most similar spelling.
 */
export function findVariable(slug: VariableSlug, extra: readonly Variable[] = []): Variable {
  const found = bySlug(slug, extra);
  if (found === undefined) throw unknownName(slug, extra);
  return found;
}

/** A variable, and the name that the caller used for it, where that is not its slug but a name from files. */
export interface NamedVariable {
  readonly variable: Variable;
  readonly variableName?: string;
}

/** Everyday words that may mean several variables. */
const OPEN_NAMES: Readonly<Record<string, string>> = {
  temp: 'temp_mean, temp_min, temp_max',
  temperature: 'temp_mean, temp_min, temp_max',
  wind: 'wind_speed, wind_speed_max, wind_gust_max',
};

/**
 * The variable of a slug, or of a name that files use for it (`tp`, `t2m`, `lwe_precipitation_rate`), see
 * `variableByName`. With a `window` rule, or a measure of windows, a name that means none of these is a variable that is
 * defined in place, in the units of the data. Throws an OptionError if there is none, as `findVariable` does, and for
 * words that may mean several variables.
 */
export function resolveVariable(
  name: string,
  extra: readonly Variable[] = [],
  window?: WindowRule | object,
): NamedVariable {
  const found = bySlug(name, extra);
  if (found !== undefined) return { variable: found };
  const variable = variableFinder(extra)(name);
  if (variable === undefined) {
    if (!window) throw unknownName(name, extra);
    // Empty units mean the units of the data; groups and places of a variable without a definition do not matter.
    const bounds = [-Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    return {
      variable: {
        ...variables[0],
        slug: name,
        window: WINDOW_RULES.find((rule) => rule === window) ?? 'mean',
        units: '',
        label: '',
        standardName: undefined,
        fileNames: [],
        bounds,
      },
    };
  }
  const several = extra.includes(variable) ? undefined : OPEN_NAMES[folded(name)];
  if (several) throw unknownVariable(name, 'may be one of several variables', several);
  return { variable, variableName: name };
}

/** A note for people that says which variable a name from files means; none for slugs. */
export function nameNotes({ variable, variableName }: Partial<NamedVariable>): string[] {
  return variable === undefined || variableName === undefined ? [] : [`${variableName} is ${variable.slug}`];
}

function bySlug(slug: string, extra: readonly Variable[]): Variable | undefined {
  assertVariables(extra);
  if (typeof slug !== 'string') throw unusable('variable', slug, 'a slug');
  return [...extra, ...variables].find((variable) => variable.slug === slug);
}

/** What messages say may be a variable. */
export function allowedVariables(slugs = slugList()): string {
  return `${slugs}; any other with the option window, or by defineVariable in variables`;
}

/** The slugs of all variables that are known. */
function slugList(extra: readonly Variable[] = []): string {
  return [...new Set([...extra, ...variables].map(({ slug }) => slug))].join(', ');
}

/** The error for a name that means no variable; it names the nearest one. */
function unknownName(name: string, extra: readonly Variable[]): OptionError {
  const slugs = slugList(extra);
  const nearest = variableFinder(extra)(name)?.slug ?? nearestName(name, slugs.split(', '));
  return unknownVariable(name, `is not known${nearest ? `, the nearest is ${nearest}` : ''}`, slugs);
}

function unknownVariable(received: string, problem: string, slugs: string): OptionError {
  return new OptionError({
    subject: 'variable',
    problem,
    received,
    allowed: allowedVariables(slugs),
  });
}

/** Units of values with a CF standard name of a flux or rate that do not state their units. */
const STANDARD_UNITS: Readonly<Record<string, string>> = {
  precipitation_flux: 'kg m-2 s-1',
  rainfall_flux: 'kg m-2 s-1',
  lwe_precipitation_rate: 'm s-1',
  water_potential_evaporation_flux: 'kg m-2 s-1',
  water_potential_evapotranspiration_flux: 'kg m-2 s-1',
  surface_downwelling_shortwave_flux: 'W m-2',
  surface_downwelling_shortwave_flux_in_air: 'W m-2',
};

/** Other names of rates, which some centres give in metres and others in kilograms: `prate_sfc`, `mtpr`, `avg_sdswrf`. */
const RATE = /rate(sfc)?$|^mtpr$|^(msdw|avgsd)swrf$|^mean.*flux$/;

/** A name which says that values are rates, and its units if it is a CF standard name. */
export interface RateName {
  readonly name: string;
  readonly units: string | undefined;
}

/** The first name which says that values of a variable are rates; undefined if there is no such name. */
export function rateName(names: readonly string[], slug: string): RateName | undefined {
  for (const name of names) {
    const plain = name.trim().toLowerCase();
    const units = Object.hasOwn(STANDARD_UNITS, plain) ? STANDARD_UNITS[plain] : undefined;
    const isRate = units !== undefined || RATE.test(withPlainLevel(name));
    if (isRate && variableByName(name)?.slug === slug) return { name, units };
  }
  return undefined;
}

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
  'u10 10u avg_10u uas u10m ugrd ugrd_10m u_wind_10m wind_u_10m u_component_of_wind_10m u_wind_component_10m ' +
  'eastward_wind';
const NORTHWARD = /* @__PURE__ */ EASTWARD.replace(/(?<![a-z])u/g, 'v').replace('east', 'north');

const COMBINATIONS: readonly Combination[] = /* @__PURE__ */ [
  {
    slug: 'wind_speed',
    standardName: 'wind_speed',
    units: 'm s-1',
    inputs: [
      { what: 'the eastward wind', units: 'm s-1', isNamed: /* @__PURE__ */ namedIn(EASTWARD) },
      { what: 'the northward wind', units: 'm s-1', isNamed: /* @__PURE__ */ namedIn(NORTHWARD) },
    ],
    formula: (east: number, north: number) => Math.sqrt(east * east + north * north),
    needsSteps: 'the speed of the mean wind of a day is less than the mean of its speeds',
  },
  {
    slug: 'relative_humidity',
    standardName: 'relative_humidity',
    units: '%',
    inputs: [
      { what: 'temperature', units: 'degC', isNamed: /* @__PURE__ */ namesVariable('temp_mean') },
      { what: 'dew point', units: 'degC', isNamed: /* @__PURE__ */ namesVariable('dew_point') },
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
