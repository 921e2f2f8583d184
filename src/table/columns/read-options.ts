import { checkValues, type OptionSchema } from '../../check/option-checks.js';
import { unusable } from '../../errors.js';
import { CALENDARS, modelCalendar } from '../../period/calendar.js';
import { assertVariable, assertVariables, resolveVariable } from '../../variable/find-variable.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { Variable, WindowRule } from '../../variable/variable.js';
import { type ColumnRoles, givenRoles } from './column-role.js';

/** How to read a table. */
export interface ReadOptions {
  /** The variable to read. Default: the one that the table states. */
  readonly variable?: Variable;
  /**
   * The caller's name for it, if that is not its slug: of several columns of the variable, the one with this name is
   * read.
   */
  readonly variableName?: string;
  /** The caller's own variables, which the table may name. */
  readonly variables?: readonly Variable[];
  /** Names of columns that are not the usual ones. */
  readonly columns?: ColumnRoles;
  /**
   * The calendar of the dates by its CF name, if the table does not state it: `noleap`, `360_day`, ... Default: the
   * real one.
   */
  readonly calendar?: string;
  /** The file or source, for messages. */
  readonly source?: string;
  /**
   * A `PlaceReader`, which reads ids of places, and what else is constant for each; without it, only coordinates tell places
   * apart. Its type needs apache-arrow, which not all that know these options have.
   */
  readonly places?: unknown;
}

/** How to read a table, as it is given. */
export interface ReadingOptions extends Omit<ReadOptions, 'variable' | 'variableName' | 'places'> {
  /**
   * The variable to read: a slug, a name that files use, or a definition of your own. Default: the one that the table
   * states.
   */
  readonly variable?: VariableSlug | Variable;
}

/** The options for reading a table. */
export const READ_OPTIONS = {
  variable: { check: assertDefinition },
  variables: { check: assertVariables },
  columns: { check: assertRoles },
  calendar: { check: assertCalendar, choices: CALENDARS },
  source: { type: 'text' },
} satisfies OptionSchema<ReadingOptions>;

/** Checks the options for reading a table among others. Throws OptionError. */
export function checkReadOptions(options: ReadingOptions): ReadOptions {
  return withVariable(checkValues<ReadingOptions, typeof READ_OPTIONS>(options, READ_OPTIONS));
}

/**
 * Finds the variable of options that may name it; with a rule for windows, a name that means none is one of the caller's
 * own. Throws OptionError if there is none of this name.
 */
export function withVariable<
  Options extends Pick<ReadingOptions, 'variable' | 'variables'> & { readonly window?: WindowRule },
>(options: Options): Omit<Options, 'variable'> & Pick<ReadOptions, 'variable' | 'variableName'> {
  const { variable, variables, window } = options;
  return {
    ...options,
    ...(typeof variable === 'string' ? resolveVariable(variable, variables, window) : { variable }),
  };
}

function assertDefinition(variable: VariableSlug | Variable): void {
  if (typeof variable !== 'string') assertVariable(variable);
}

function assertRoles(columns: ColumnRoles): void {
  givenRoles(columns);
}

/** Throws OptionError unless `calendar` is the name of a calendar. */
function assertCalendar(calendar: unknown): void {
  if (typeof calendar !== 'string') throw unusable('calendar', calendar, 'a name such as "360_day"');
  modelCalendar(calendar);
}
