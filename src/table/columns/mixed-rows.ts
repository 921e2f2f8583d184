import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import { type ColumnRoles, isPlaceName } from './column-roles.js';

/** Families of forecasts whose rows are members; rows of other families are parameters of a distribution. */
const MEMBER_FAMILIES = new Set(['ensemble', 'sample']);

/**
 * Throws a DataError for rows that must not be pooled: those of several places that only have names, and those of
 * parameters of a distribution, such as mean and standard deviation with a `family` of `normal`.
 */
export function assertUnmixedRows(table: Table, roles: ColumnRoles, source?: string): void {
  const taken = new Set(Object.values(roles));
  for (const { name } of table.schema.fields) {
    if (taken.has(name)) continue;
    if (isPlaceName(name) && roles.latitude === undefined) assertOnePlaceColumn(table, name, source);
    if (name.trim().toLowerCase() === 'family') assertOneFamily(table, name, source);
  }
}

function assertOnePlaceColumn(table: Table, column: string, source?: string): void {
  const { codes, values } = codedColumn(columnOf(table, column));
  if (values.length < 2) return;
  throw new DataError({
    source,
    row: codes.indexOf(1) + 1,
    column,
    problem: 'another place than in the rows before',
    received: values[1],
    allowed: `one place, ${values[0]}; several need columns of latitude and longitude, or a table each`,
  });
}

function assertOneFamily(table: Table, column: string, source?: string): void {
  const { codes, values } = codedColumn(columnOf(table, column));
  const other = values.findIndex((value) => !MEMBER_FAMILIES.has(String(value)));
  if (other < 0) return;
  throw new DataError({
    source,
    row: codes.indexOf(other) + 1,
    column,
    problem: 'parameters of a distribution, not members',
    received: values[other],
    allowed: [...MEMBER_FAMILIES].join(', '),
  });
}
