import type { ColumnRoles } from '../arrow/column-roles.js';
import { OptionError } from '../errors.js';
import { refuseUnknown } from '../statistics/options.js';
import { findVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import type { BlendMethod, Pairing } from './pairing.js';

/** How horizons become one timeline. */
export interface BlendOptions {
  /** What the horizons are called, in order. Default: short-term, subseasonal, seasonal for three; else as their metadata say. */
  names?: readonly string[];
  /** What the tables are called in messages, such as their files' names. Default: the horizons' names. */
  sources?: readonly string[];
  /** `rank`: paired by rank and handed over one after the other. `splice`: by index, at once. Default `rank`. */
  method?: BlendMethod;
  /** The last days of each horizon but the last, in which its members hand over to the next. Default 3 and then 7. */
  overlaps?: readonly number[];
  /**
   * The last day that is used of each horizon, counted from the timeline's first (0); `null` for all of them. Default 14, 41, 214 for
   * three horizons, else all days of each.
   */
  lastLeads?: readonly (number | null)[];
  /** Whether all locations share one pairing, which keeps them coherent for area totals. Default false: each has its own. */
  fieldWide?: boolean;
  /** Whether days may lie between two horizons that none of them has, and that are missing then. Default false: an error. */
  keepGaps?: boolean;
  /** The variable: a slug, or a definition of your own. Default: what the tables say. */
  variable?: string | Variable;
  /** Variables of your own that the tables, or `variable`, may name. */
  variables?: readonly Variable[];
  /** Names of the tables' columns where they are not the usual ones. */
  columns?: ColumnRoles;
  /** The pairing of another variable of the same forecasts. Default: one made from this variable. */
  pairing?: Pairing;
}

/** Blend options, checked, for a number of horizons. */
export interface CheckedBlendOptions {
  readonly names?: readonly string[];
  readonly sources?: readonly string[];
  readonly method: BlendMethod;
  readonly overlaps: readonly number[];
  readonly lastLeads: readonly (number | undefined)[];
  readonly fieldWide: boolean;
  readonly keepGaps: boolean;
  readonly variable?: Variable;
  readonly variables?: readonly Variable[];
  readonly columns?: ColumnRoles;
  readonly pairing?: Pairing;
}

const KEYS = [
  ...['names', 'sources', 'method', 'overlaps', 'lastLeads', 'fieldWide', 'keepGaps'],
  ...['variable', 'variables', 'columns', 'pairing'],
];

/** What the horizons are called and where they end where there are three of them. */
export const THREE_HORIZONS = /* @__PURE__ */ Object.freeze(['short-term', 'subseasonal', 'seasonal'] as const);
const THREE_LAST_LEADS = [14, 41, 214];
const FIRST_OVERLAP = 3;
const LATER_OVERLAP = 7;

/** Checks what `blend` is asked of `count` horizons and fills in what is not. Throws OptionError. */
export function checkBlendOptions(options: BlendOptions, count: number): CheckedBlendOptions {
  refuseUnknown(options, KEYS);
  const { names, sources, method = 'rank', fieldWide = false, keepGaps = false, variable, variables } = options;
  const seams = count - 1;
  const overlaps =
    options.overlaps ?? Array.from({ length: seams }, (_, s) => (s === 0 ? FIRST_OVERLAP : LATER_OVERLAP));
  const lastLeads = options.lastLeads ?? (count === 3 ? THREE_LAST_LEADS : new Array<null>(count).fill(null));
  if (method !== 'rank' && method !== 'splice') {
    throw new OptionError({ subject: 'method', problem: 'unknown', received: method, allowed: 'rank, splice' });
  }
  trueOrFalse('fieldWide', fieldWide);
  trueOrFalse('keepGaps', keepGaps);
  ofLength('names', names, count);
  ofLength('sources', sources, count);
  wholeNumbers('overlaps', overlaps, seams, 1);
  wholeNumbers('lastLeads', lastLeads, count, 0);
  return {
    names,
    sources,
    method,
    overlaps,
    lastLeads: lastLeads.map((lead) => lead ?? undefined),
    fieldWide,
    keepGaps,
    variable: typeof variable === 'string' ? findVariable(variable, variables) : variable,
    variables,
    columns: options.columns,
    pairing: options.pairing,
  };
}

function trueOrFalse(subject: string, received: unknown): void {
  if (typeof received === 'boolean') return;
  throw new OptionError({ subject, problem: 'neither true nor false', received, allowed: 'true or false' });
}

function ofLength(subject: string, received: readonly unknown[] | undefined, length: number): void {
  if (received === undefined || (Array.isArray(received) && received.length === length)) return;
  throw new OptionError({
    subject,
    problem: 'not one for each',
    received,
    allowed: `a list of ${length}`,
  });
}

function wholeNumbers(subject: string, received: readonly (number | null)[], length: number, least: number): void {
  ofLength(subject, received, length);
  for (const days of received) {
    if ((subject === 'lastLeads' && days === null) || (Number.isInteger(days) && Number(days) >= least)) continue;
    throw new OptionError({
      subject,
      problem: 'not a number of days',
      received: days,
      allowed: `whole numbers from ${least}`,
    });
  }
}
