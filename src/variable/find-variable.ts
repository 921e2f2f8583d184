import { OptionError, unusable } from '../errors.js';
import { assertVariables } from './assert-variable.js';
import { variables } from './built-in.js';
import { nearestName } from './nearest-name.js';
import type { VariableSlug } from './slug.js';
import type { Variable } from './variable.js';
import { variableByName } from './variable-by-name.js';

/**
 * The variable with exactly this slug, of `extra` first, so that a caller's own variable replaces a built-in one.
 *
 * Throws an OptionError where there is none; it names the nearest known slug: that of the variable which is called so
 * in files, or else the one that is spelled alike.
 */
export function findVariable(slug: VariableSlug, extra: readonly Variable[] = []): Variable {
  assertVariables(extra);
  if (typeof slug !== 'string') throw unusable('variable', slug, 'the slug of a variable, such as temp_mean');
  const known = [...extra, ...variables];
  const found = known.find((variable) => variable.slug === slug);
  if (found !== undefined) return found;

  const slugs = [...new Set(known.map((variable) => variable.slug))];
  const nearest = variableByName(slug, extra)?.slug ?? nearestName(slug, slugs);
  throw new OptionError({
    subject: 'variable',
    problem: nearest === undefined ? 'is not known' : `is not known, the nearest is ${nearest}`,
    received: slug,
    allowed: slugs.join(', '),
  });
}
