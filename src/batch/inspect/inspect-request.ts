import type { ColumnRoles } from '../../table/column-roles.js';
import type { ValueOptions } from '../run/input-statistics.js';

/** How to look at an input. */
export interface InspectRequest {
  /** Whether values are looked at, beside the structure. */
  readonly values: boolean;
  /** What the input does not tell of its values. */
  readonly options: ValueOptions;
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
}
