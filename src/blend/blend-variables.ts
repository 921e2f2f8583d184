import type { Table } from 'apache-arrow';
import { assertObject, checkOptions, type OptionSchema } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError, unusable } from '../errors.js';
import { isTable } from '../table/arrow/own-table.js';
import type { Opened } from '../table/rows/read-ensemble.js';
import type { VariableSlug } from '../variable/slug.js';
import { blend, type Timeline } from './blend.js';
import { PAIR_BY } from './join-options.js';
import { type BlendOptions, SHARED_OPTIONS } from './options.js';

/** Options of `blendVariables`: as `BlendOptions`, for all variables of the forecasts at once. */
export interface BlendVariablesOptions extends Omit<BlendOptions, 'variable' | 'also' | 'pairing'> {
  /**
   * The variables by which members are paired, for all: each must be in every horizon. Default: `temp_mean` and
   * `precipitation`, those that every horizon has, or else the first variable that every horizon has.
   */
  pairBy?: VariableSlug | readonly VariableSlug[];
}

/** The options of `blendVariables`. */
const VARIABLES_OPTIONS = /* @__PURE__ */ (() =>
  ({
    ...SHARED_OPTIONS,
    pairBy: { check: assertSlugs },
  }) satisfies OptionSchema<BlendVariablesOptions>)();

/** Throws OptionError for what is not a slug, or some of them, to pair members by. */
export function assertSlugs(pairBy: unknown): void {
  const slugs = typeof pairBy === 'string' ? [pairBy] : pairBy;
  if (Array.isArray(slugs) && slugs.length > 0 && slugs.every((slug) => typeof slug === 'string')) return;
  throw unusable('pairBy', pairBy, 'the slug of a variable, or a list of them');
}

/** Of the variables that every horizon has, the ones by which members are paired. */
export function usualPairing(everywhere: readonly string[]): string[] {
  const usual = PAIR_BY.filter((slug) => everywhere.includes(slug));
  return usual.length > 0 ? usual : everywhere.slice(0, 1);
}

/**
 * Joins all variables of the same forecasts, so that they stay consistent with each other: members are paired by some
 * of them, and the others follow. `horizons` has the tables of each horizon by slug, as `blend` takes them. A variable
 * that is missing in the last horizons ends where its data end; it is an error where it is missing in an earlier one.
 * Throws as `blend` does.
 */
export function blendVariables(
  core: Core,
  horizons: readonly Readonly<Record<string, Table | Opened | undefined>>[],
  options: BlendVariablesOptions = {},
): Record<string, Timeline> {
  assertCore(core);
  const checked = checkOptions<BlendVariablesOptions, typeof VARIABLES_OPTIONS>(options, VARIABLES_OPTIONS);
  const { pairBy: _, ...shared } = options;
  if (!Array.isArray(horizons)) throw unusable('horizons', horizons, 'a list of tables by variable');
  horizons.forEach((tables, h) => {
    if (isTable(tables)) throw unusable(`horizons[${h}]`, tables, 'tables by variable, such as { temp_mean: table }');
    assertObject(`horizons[${h}]`, tables, '{ temp_mean: table }');
  });
  const slugs = [...new Set(horizons.flatMap((tables) => Object.keys(tables)))];
  const everywhere = slugs.filter((slug) => horizons.every((tables) => tables[slug] !== undefined));
  const [pairBy = 'temp_mean', ...others] = [checked.pairBy ?? usualPairing(everywhere)].flat();
  const tablesOf = (slug: string) => {
    const isLeading = slug === pairBy || others.includes(slug);
    const last = isLeading ? horizons.length : horizons.findLastIndex((tables) => tables[slug] !== undefined) + 1;
    return horizons.slice(0, last).map((tables, h) => {
      if (tables[slug] !== undefined) return tables[slug];
      throw new OptionError({
        subject: `variable ${slug}`,
        problem: `not in horizon ${h + 1}`,
        received: Object.keys(tables).join(', '),
        allowed: isLeading
          ? 'a table of it in every horizon'
          : 'a table of it in every horizon up to the last that has one',
      });
    });
  };
  const leading = blend(core, tablesOf(pairBy), { ...shared, variable: pairBy, also: others.map(tablesOf) });
  const follow = (slug: string) => {
    const tables = tablesOf(slug);
    const { variables, columns, sources } = shared;
    const own = { variable: slug, variables, columns, sources: sources?.slice(0, tables.length) };
    return blend(core, tables, { ...own, pairing: leading.pairing });
  };
  return Object.fromEntries(slugs.map((slug) => [slug, slug === pairBy ? leading : follow(slug)]));
}
