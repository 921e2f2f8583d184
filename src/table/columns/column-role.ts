import { assertObject } from '../../check/option-checks.js';
import { OptionError, subjectIn, unusable } from '../../errors.js';

/*
 * Programs without apache-arrow have these, too: options are checked by them.
 */

/** What a column may be, other than a member. */
export const COLUMN_ROLES = [
  'date',
  'member',
  'value',
  'latitude',
  'longitude',
  'id',
  'variable',
  'units',
  'year',
  'month',
  'day',
  'hour',
] as const;

/** What a column may be, other than a member. */
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** The names of the columns with a role, if they are not the usual ones. */
export type ColumnRoles = Partial<Record<ColumnRole, string>>;

/** Checks given roles; their columns must be among `names`, if these are known. Throws OptionError. */
export function givenRoles(given: ColumnRoles, names?: readonly string[], source?: string): ColumnRoles {
  assertObject('columns', given, '{ member: "run", value: "mm" }');
  const known = names && new Set(names);
  const roles: ColumnRoles = {};
  for (const [role, name] of Object.entries(given) as [ColumnRole, string | undefined][]) {
    if (name === undefined) continue;
    if (!COLUMN_ROLES.includes(role)) {
      throw unusable('columns', role, COLUMN_ROLES.join(', '));
    }
    const subject = subjectIn(source, `column for ${role}`);
    if (typeof name !== 'string') throw unusable(subject, name, 'the name of a column');
    if (names !== undefined && !known?.has(name)) {
      throw new OptionError({
        subject,
        problem: 'not in the table',
        received: name,
        allowed: `one of ${listed(names)}`,
      });
    }
    const other = COLUMN_ROLES.find((taken) => roles[taken] === name);
    if (other !== undefined) {
      throw new OptionError({
        subject: `column ${name}`,
        problem: `given as ${other} and as ${role}`,
        allowed: 'one role for a column',
      });
    }
    roles[role] = name;
  }
  return roles;
}

/** Messages list this many names at most. */
const MAX_LISTED = 100;

/** The names of columns, as a list for messages. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return more > 0 ? `${names.slice(0, MAX_LISTED).join(', ')} and ${more} more` : names.join(', ');
}
