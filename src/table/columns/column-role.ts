/*
 * Declarations for programs without apache-arrow name these types.
 */

/** What a column may be, other than a member. */
export type ColumnRole =
  | 'date'
  | 'member'
  | 'value'
  | 'latitude'
  | 'longitude'
  | 'variable'
  | 'units'
  | 'year'
  | 'month'
  | 'day'
  | 'hour';

/** The names of the columns with a role, if they are not the usual ones. */
export type ColumnRoles = Partial<Record<ColumnRole, string>>;
