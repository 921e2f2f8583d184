import type { Table } from 'apache-arrow';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { columnRoles } from '../../table/columns/column-roles.js';
import { tableCoordinates } from '../../table/columns/coordinates.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import type { StepTable } from '../../table/daily/step-table.js';

/** Whether rows go location by location, each with all members. */
export function isByLocation(table: Table, plan: StepTable, source?: string): boolean {
  const { latitude, longitude } = tableCoordinates(table, plan.roles, source);
  if (plan.values.form === 'long' || latitude === undefined || longitude === undefined) return false;
  const places = new PlaceRows();
  for (let row = 0; row < table.numRows; row++) {
    const isSame = row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row];
    if (!isSame && places.add(latitude[row], longitude[row], row) !== undefined) return false;
  }
  return true;
}

/** The first row of the last location of a table; 0 if all rows may belong to one location. */
export function lastLocation(table: Table, options: DailyTableOptions): number {
  const roles = columnRoles(table, options.columns, options.source);
  const { latitude, longitude } = tableCoordinates(table, roles, options.source);
  if (latitude === undefined || longitude === undefined) return 0;
  let row = table.numRows - 1;
  while (row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row]) row--;
  return row;
}
