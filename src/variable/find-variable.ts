import { OptionError, unusable } from '../errors.js';
import { assertVariables } from './assert-variable.js';
import { variables } from './built-in.js';
import { nearestName } from './nearest-name.js';
import type { VariableSlug } from './slug.js';
import type { Variable } from './variable.js';
import { folded, variableByName } from './variable-by-name.js';

/**
 * The variable with exactly this slug. `extra` is searched first, so that a caller's own variable replaces a built-in
 * one.
 *
 * Throws an OptionError if there is none. It names the nearest known slug: that of the variable with this name in
 * files, or else the one with the most similar spelling.
 */
export function findVariable(slug: VariableSlug, extra: readonly Variable[] = []): Variable {
  const found = bySlug(slug, extra);
  if (found !== undefined) return found;
  const slugs = knownSlugs(extra);
  const nearest = variableByName(slug, extra)?.slug ?? nearestName(slug, slugs);
  throw unknownVariable(
    slug,
    nearest === undefined ? 'is not known' : `is not known, the nearest is ${nearest}`,
    slugs,
  );
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
 * `variableByName`. Throws an OptionError if there is none, as `findVariable` does, and for words that may mean several
 * variables.
 */
export function resolveVariable(name: string, extra: readonly Variable[] = []): NamedVariable {
  const own = bySlug(name, extra);
  if (own !== undefined) return { variable: own };
  const variable = variableByName(name, extra);
  if (variable === undefined) return { variable: findVariable(name, extra) };
  const several = OPEN_NAMES[folded(name)];
  if (several === undefined || extra.includes(variable)) return { variable, variableName: name };
  throw unknownVariable(name, 'may be one of several variables', [several]);
}

/** A note for people that says which variable a name from files means; none for slugs. */
export function nameNotes({ variable, variableName }: Partial<NamedVariable>): string[] {
  return variable === undefined || variableName === undefined ? [] : [`${variableName} is ${variable.slug}`];
}

function bySlug(slug: string, extra: readonly Variable[]): Variable | undefined {
  assertVariables(extra);
  if (typeof slug !== 'string') throw unusable('variable', slug, 'the slug of a variable, such as temp_mean');
  return [...extra, ...variables].find((variable) => variable.slug === slug);
}

function knownSlugs(extra: readonly Variable[]): string[] {
  return [...new Set([...extra, ...variables].map((variable) => variable.slug))];
}

function unknownVariable(received: string, problem: string, allowed: readonly string[]): OptionError {
  return new OptionError({ subject: 'variable', problem, received, allowed: allowed.join(', ') });
}
