import { isPlumecastError } from '../../../errors.js';
import { isAvailable, type Product } from '../../../variable/availability.js';
import { variables as builtIn } from '../../../variable/built-in.js';
import { findVariable } from '../../../variable/find-variable.js';
import type { Variable } from '../../../variable/variable.js';
import type { Parameter, Reject } from './parameter.js';

/** For longer texts no similar slug is looked up. */
const MAX_SLUG_LENGTH = 64;

/**
 * Variables by their slugs: the built-in ones and `extra`, which replace built-in ones of the same slug. The
 * documentation lists the variables of `product`; others are accepted, too, as an endpoint may leave them out of its
 * answer.
 */
export function variablesParameter(extra: readonly Variable[] = [], product?: Product): Parameter<'var'> {
  const bySlug = new Map([...builtIn, ...extra].map((variable) => [variable.slug, variable]));
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

function rejectSlug(slug: string, extra: readonly Variable[], reject: Reject): void {
  if (slug === '') reject('has an empty item', { received: slug });
  else if (slug.length > MAX_SLUG_LENGTH) reject('is not known', { received: slug });
  else reject(whyUnknown(slug, extra), { received: slug });
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
