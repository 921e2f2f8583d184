import { isPlumecastError } from '../../errors.js';
import { DEFAULT_QUANTILES, MAX_QUANTILES, parseQuantiles, QUANTILE_FORM } from '../../statistics/options.js';
import { isAvailable, type Product } from '../../variable/availability.js';
import { variables as builtIn } from '../../variable/built-in.js';
import { findVariable } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { Parameter, Reject } from './parameters.js';

/** For longer texts no similar slug is looked up. */
const MAX_SLUG_LENGTH = 64;

/**
 * Variables by their slugs: the built-in ones and `extra`, which replace built-in ones of the same slug. The
 * documentation lists the variables of `product`; others are accepted, too, as an endpoint may leave them out of its
 * answer.
 */
export function variablesParameter(
  extra: readonly Variable[],
  product?: Product,
): Parameter<'var', readonly Variable[] | undefined> {
  const bySlug = variablesBySlug(extra);
  const slugs = [...bySlug.keys()];
  const listed = [...bySlug.values()].filter((variable) => product === undefined || isAvailable(variable, product));
  return {
    name: 'var',
    description:
      'Variables: one slug, several separated by commas, or the parameter several times. A slug given twice counts once. ' +
      `Default: all that the endpoint has and that are not derived. Derived: ${slugsWhere(listed, 'derived')}. ` +
      `Downscalable: ${slugsWhere(listed, 'downscalable')}.`,
    schema: { type: 'array', items: { type: 'string', enum: listed.map(({ slug }) => slug) }, minItems: 1 },
    example: ['precipitation'],
    required: false,
    repeatable: true,
    maxLength: Number.POSITIVE_INFINITY,
    allowed: `slugs separated by commas, of ${slugs.join(', ')}`,
    read(text, reject) {
      const requested = new Set<Variable>();
      for (const slug of new Set(text.split(','))) {
        const variable = bySlug.get(slug);
        if (variable !== undefined) requested.add(variable);
        else rejectSlug(slug, extra, reject);
      }
      return [...requested];
    },
  };
}

/** The built-in variables, and `extra`, which replace those of the same slug. */
export function variablesBySlug(extra: readonly Variable[]): ReadonlyMap<string, Variable> {
  return new Map([...builtIn, ...extra].map((variable) => [variable.slug, variable]));
}

/** Rejects a slug that no variable has, with the nearest one where there is one. */
export function rejectSlug(slug: string, extra: readonly Variable[], reject: Reject): undefined {
  if (slug === '') return reject('has an empty item', { received: slug });
  if (slug.length > MAX_SLUG_LENGTH) return reject('is not known', { received: slug });
  return reject(whyUnknown(slug, extra), { received: slug });
}

function whyUnknown(slug: string, extra: readonly Variable[]): string {
  try {
    findVariable(slug, extra);
  } catch (error) {
    if (isPlumecastError(error, 'option')) return error.problem;
    throw error;
  }
  return 'is not known';
}

function slugsWhere(variables: readonly Variable[], property: 'derived' | 'downscalable'): string {
  return variables
    .filter((variable) => variable[property])
    .map(({ slug }) => slug)
    .join(', ');
}

const ITEM = QUANTILE_FORM.source.slice(1, -1);

/** The requested quantiles. */
export function quantilesParameter(): Parameter<'statistics', readonly number[]> {
  return {
    name: 'statistics',
    description:
      'Quantiles over the members, separated by commas: at most 99 plain decimals from 0 to 1, each of at most 6 places. ' +
      'The order is kept, and one given twice counts once. The field of 0.05 is `q05`, of 0.5 `q50`, of 0.025 `q025`.',
    schema: {
      type: 'string',
      pattern: `^${ITEM}(?:,${ITEM}){0,${MAX_QUANTILES - 1}}$`,
      default: DEFAULT_QUANTILES.join(','),
    },
    example: '0.1,0.5,0.9',
    required: false,
    default: DEFAULT_QUANTILES,
    repeatable: false,
    maxLength: Number.POSITIVE_INFINITY,
    allowed: 'at most 99 plain decimals from 0 to 1, each of at most 6 places, separated by commas',
    read(text, reject) {
      if (/\s/.test(text)) return reject('has a blank');
      try {
        return parseQuantiles(text);
      } catch (error) {
        if (!isPlumecastError(error, 'option')) throw error;
        return reject(described(error.problem), { received: String(error.received) });
      }
    },
  };
}

/** Turns a problem of `parseQuantiles` into a predicate, like all details. */
function described(problem: string): string {
  if (problem === 'an empty item') return 'has an empty item';
  return problem === 'too many' ? 'has too many quantiles' : `has an item that is ${problem}`;
}
