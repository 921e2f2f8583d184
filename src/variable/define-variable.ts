import { OptionError } from '../errors.js';
import { type Availability, isFields, PRODUCTS } from './availability.js';
import { nearestName } from './nearest-name.js';
import { frozen, type Variable, WINDOW_RULES } from './variable.js';

/**
 * The fields that `defineVariable` needs (`slug`, `units`, `window`), and those that have a default. A bound may be null,
 * as in JSON: there is none at this end.
 */
export type VariableDefinition = Pick<Variable, 'slug' | 'units' | 'window'> &
  Partial<Omit<Variable, 'bounds'>> & { readonly bounds?: readonly [number | null, number | null] };

/**
 * Defines a variable that is not built in, checked and frozen, to be passed where a variable or a list of extra ones is
 * taken.
 *
 * Defaults: group `other`, no standard name, the unit as label, no bounds (minus to plus infinity), 2 decimals, neither
 * derived nor downscalable, available everywhere, no other file names. Throws an OptionError for the first field that
 * is missing, unknown or wrong.
 *
 * @example
 * ```js
 * import { tableFromArrays } from 'apache-arrow';
 * import { defineVariable, loadCore, statistics } from 'plumecast';
 *
 * const snow = defineVariable({ slug: 'snow_depth', units: 'cm', window: 'max', fileNames: ['sde'] });
 * const table = tableFromArrays({ date: ['2026-03-02', '2026-03-03'], sde: Float64Array.of(12, 15) });
 * const { units, mean } = statistics(await loadCore(), table, { variable: snow, granularity: 'weekly', partial: true }).get(0);
 * console.log(mean, units);
 * ```
 *
 * ```text
 * 15 cm
 * ```
 */
export function defineVariable(definition: VariableDefinition): Variable {
  checkSlug(definition?.slug);
  const { slug } = definition;
  for (const field of Object.keys(definition)) checkField(slug, field);

  const {
    group = 'other',
    standardName,
    units,
    label = units,
    window,
    bounds = [null, null],
    decimals = 2,
    derived = false,
    downscalable = false,
    availability = Object.fromEntries(PRODUCTS.map((product) => [product, {}])),
    fileNames = [],
  } = definition;
  const names = { standardName, units, label, fileNames };
  const ends =
    Array.isArray(bounds) &&
    bounds.map((bound, i) => (bound === null ? (i === 0 ? -1 : 1) * Number.POSITIVE_INFINITY : bound));
  const variable: Variable = {
    ...{
      slug,
      group,
      ...names,
      window,
      bounds: (ends || bounds) as Variable['bounds'],
      decimals,
      derived,
      downscalable,
      availability,
    },
  };
  for (const [field, rule] of Object.entries(RULES)) {
    const value = variable[field as keyof typeof RULES];
    if (!rule.accepts(value)) reject(slug, field, value, rule.allowed);
  }
  return frozen(variable);
}

interface Rule {
  accepts: (value: unknown) => boolean;
  allowed: string;
}

const TEXT: Rule = { accepts: isText, allowed: 'a text that is not empty and has no blank at either end' };
const BOOLEAN: Rule = { accepts: (value) => typeof value === 'boolean', allowed: 'true or false' };

const RULES: Readonly<Record<Exclude<keyof Variable, 'slug'>, Rule>> = {
  group: TEXT,
  standardName: {
    accepts: (value) => value === undefined || (typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_]*$/.test(value)),
    allowed: 'a CF standard name: letters, digits and underscores; or leave it out',
  },
  units: TEXT,
  label: TEXT,
  window: {
    accepts: (value) => (WINDOW_RULES as readonly unknown[]).includes(value),
    allowed: 'sum, mean, min, max, count',
  },
  bounds: {
    accepts: (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      value.every((bound) => typeof bound === 'number') &&
      value[0] < value[1],
    allowed: 'two numbers, the lower one first',
  },
  decimals: {
    accepts: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10,
    allowed: 'an integer from 0 to 10',
  },
  derived: BOOLEAN,
  downscalable: BOOLEAN,
  availability: {
    accepts: isAvailability,
    allowed: 'any of history, short-term, subseasonal and seasonal, each {} or { lastLead }, 0 or more',
  },
  fileNames: {
    accepts: (value) => Array.isArray(value) && value.every(isText),
    allowed: 'a list of texts, none empty',
  },
};

function checkSlug(slug: unknown): void {
  if (typeof slug === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(slug)) return;
  throw new OptionError({
    subject: 'variable',
    problem: slug === undefined ? 'has no slug' : 'has an unusable slug',
    received: slug,
    allowed: 'a lower-case letter, then lower-case letters, digits and underscores, 64 in all at most',
  });
}

function checkField(slug: string, field: string): void {
  if (field === 'slug' || Object.hasOwn(RULES, field)) return;
  const fields = ['slug', ...Object.keys(RULES)];
  const nearest = nearestName(field, fields);
  throw new OptionError({
    subject: `variable ${slug}`,
    problem: nearest === undefined ? 'has an unknown field' : `has an unknown field, the nearest is ${nearest}`,
    received: field,
    allowed: fields.join(', '),
  });
}

function reject(slug: string, field: string, received: unknown, allowed: string): never {
  const problem = received === undefined ? `has no ${field}` : `has unusable ${field}`;
  throw new OptionError({ subject: `variable ${slug}`, problem, received, allowed });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value === value.trim();
}

function isAvailability(value: unknown): value is Availability {
  if (!isFields(value)) return false;
  return Object.entries(value as Availability).every(([product, coverage]) => {
    if (!(PRODUCTS as readonly string[]).includes(product)) return false;
    if (!isFields(coverage)) return false;
    const { lastLead, ...rest } = coverage;
    return Object.keys(rest).length === 0 && (lastLead === undefined || (Number.isInteger(lastLead) && lastLead >= 0));
  });
}
