import type { Table } from 'apache-arrow';
import { type Checked, checkOptions, type OptionSchema } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { READ_OPTIONS, type ReadOptions, withVariable } from '../table/columns/read-options.js';
import type { Opened } from '../table/rows/read-ensemble.js';
import type { VariableSlug } from '../variable/slug.js';
import type { Variable } from '../variable/variable.js';
import { checkDays, JOIN_OPTIONS, type JoinOptions } from './join-options.js';
import { assertPairing, type Pairing } from './pairing/pairing.js';

/** How horizons become one timeline. */
export interface BlendOptions extends JoinOptions {
  /** The variable: a slug, or a definition of your own. Default: as the tables say. */
  variable?: VariableSlug | Variable;
  /** Variables of your own that the tables, or `variable`, may name. */
  variables?: readonly Variable[];
  /** Names of the tables' columns where they are not the usual ones. */
  columns?: ColumnRoles;
  /**
   * Horizons of other variables of the same forecasts by which members are paired, too: for each variable a list like
   * the first argument.
   */
  also?: readonly (readonly (Table | Opened)[])[];
  /**
   * The pairing of the same forecasts. It decides how members are joined, whatever the other options say; with method
   * `cell` the timeline's locations are in its order. Default: a pairing made from this variable.
   */
  pairing?: Pairing;
}

/** The options that hold for all variables of the same forecasts. */
export const SHARED_OPTIONS = /* @__PURE__ */ (() => {
  const { variables, columns } = READ_OPTIONS;
  return { ...JOIN_OPTIONS, variables, columns } satisfies OptionSchema<
    Omit<BlendOptions, 'variable' | 'also' | 'pairing'>
  >;
})();

/** Throws OptionError for what is not a list of lists of horizons. */
function assertLists(also: unknown): void {
  if (Array.isArray(also) && also.every((horizons) => Array.isArray(horizons))) return;
  throw unusable('also', also, 'for each variable a list of its horizons');
}

/** The options of `blend`. */
export const BLEND_OPTIONS = /* @__PURE__ */ (() =>
  ({
    ...SHARED_OPTIONS,
    variable: READ_OPTIONS.variable,
    also: { check: assertLists },
    pairing: { check: assertPairing },
  }) satisfies OptionSchema<BlendOptions>)();

/** Blend options, checked, for a number of horizons. */
export interface CheckedBlendOptions
  extends Omit<Checked<BlendOptions, typeof BLEND_OPTIONS>, 'variable' | 'overlaps' | 'lastLeads'>,
    Pick<ReadOptions, 'variable' | 'variableName'> {
  readonly overlaps: readonly number[];
  readonly lastLeads: readonly (number | undefined)[];
}

/** Checks the options of `blend` for `count` horizons, and fills in defaults. Throws OptionError. */
export function checkBlendOptions(options: BlendOptions, count: number): CheckedBlendOptions {
  const checked = checkOptions<BlendOptions, typeof BLEND_OPTIONS>(options, BLEND_OPTIONS);
  return withVariable({ ...checked, ...checkDays(checked, count, 'a table') });
}
