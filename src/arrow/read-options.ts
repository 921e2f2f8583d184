import type { Variable } from '../variable/variable.js';
import type { ColumnRoles } from './column-roles.js';

/** How to understand a table. */
export interface ReadOptions {
  /** The variable that is wanted; without it, what the table says. */
  readonly variable?: Variable;
  /** Variables of the caller's own that the table may name. */
  readonly variables?: readonly Variable[];
  /** Names of columns that are not the usual ones. */
  readonly columns?: ColumnRoles;
  /** The file or source, for messages. */
  readonly source?: string;
}
