import { unusable } from '../errors.js';
import { modelCalendar } from '../period/calendar.js';
import { assertVariable, assertVariables } from '../variable/assert-variable.js';
import { resolveVariable } from '../variable/find-variable.js';
import type { VariableSlug } from '../variable/slug.js';
import type { Variable } from '../variable/variable.js';
import { type ColumnRoles, givenRoles } from './column-roles.js';

/** How to read a table. */
export interface ReadOptions {
  /** The variable to read. Default: the one that the table states. */
  readonly variable?: Variable;
  /** The caller's name for it, if that is not its slug: of several columns of the variable, the one with this name is read. */
  readonly variableName?: string;
  /** The caller's own variables, which the table may name. */
  readonly variables?: readonly Variable[];
  /** Names of columns that are not the usual ones. */
  readonly columns?: ColumnRoles;
  /** The calendar of the dates by its CF name, if the table does not state it: `noleap`, `360_day`, ... Default: the real one. */
  readonly calendar?: string;
  /** The file or source, for messages. */
  readonly source?: string;
}

/** Checks options; the variable may be a slug, a name that files use, or a definition. Throws OptionError. */
export function checkReadOptions({
  variable,
  variables,
  columns,
  calendar,
  source,
}: Omit<ReadOptions, 'variable'> & { readonly variable?: VariableSlug | Variable }): ReadOptions {
  assertVariables(variables);
  if (variable !== undefined && typeof variable !== 'string') assertVariable(variable);
  if (columns !== undefined) givenRoles(columns);
  if (calendar !== undefined) assertCalendar(calendar);
  if (source !== undefined && typeof source !== 'string') throw unusable('source', source, 'a text');
  return {
    ...(typeof variable === 'string' ? resolveVariable(variable, variables) : { variable }),
    variables,
    columns,
    calendar,
    source,
  };
}

/** Throws OptionError unless `calendar` is the name of a calendar. */
export function assertCalendar(calendar: unknown): void {
  if (typeof calendar !== 'string') throw unusable('calendar', calendar, 'a name such as "360_day"');
  modelCalendar(calendar);
}
