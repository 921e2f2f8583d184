import type { Table } from 'apache-arrow';
import { type DataError, isPlumecastError } from '../../errors.js';
import { assertTable } from '../../table/arrow/assert-table.js';
import { codedColumn } from '../../table/arrow/coded-column.js';
import { columnOf } from '../../table/arrow/table-column.js';
import { columnRoles } from '../../table/columns/column-roles.js';
import type { ReadOptions } from '../../table/columns/read-options.js';
import { meaningTest } from '../../table/columns/table-variable.js';
import { shiftRow } from '../../table/rows/row-reader.js';
import { type RowRun, takeRuns } from './take-runs.js';

/**
 * The runs of rows of the requested variable in a table with all members in each row and a column of variables, as a
 * service answers with several variables; undefined if all rows are read together: those of one variable, of a row for
 * each member, and where none is of the variable.
 */
export function runsOfVariable(
  table: Table,
  { variable, variables = [], columns, source }: ReadOptions,
): readonly RowRun[] | undefined {
  if (variable === undefined) return undefined;
  assertTable(table, source);
  const roles = columnRoles(table, columns, source);
  if (roles.variable === undefined || roles.member !== undefined) return undefined;
  const { codes, values } = codedColumn(columnOf(table, roles.variable));
  const isMeant = values.map(String).map(meaningTest(variable, variables));
  if (isMeant.every(Boolean) || !isMeant.includes(true)) return undefined;
  const runs: RowRun[] = [];
  for (let row = 0; row < codes.length; ) {
    const from = row;
    while (row < codes.length && isMeant[codes[row]] === true) row++;
    if (row > from) runs.push({ from, to: row });
    else row++;
  }
  return runs;
}

/**
 * Reads the rows of the requested variable of a table; errors have the rows of the given table. Throws what `read`
 * throws.
 */
export function readRowsOfVariable<Read>(given: Table, options: ReadOptions, read: (table: Table) => Read): Read {
  const runs = runsOfVariable(given, options);
  if (runs === undefined) return read(given);
  try {
    return read(takeRuns(given, runs));
  } catch (error) {
    throw isPlumecastError(error, 'data') ? atRowOfRuns(error, runs) : error;
  }
}

/** An error whose row is counted over runs of rows, with the row of the table that they are of. */
export function atRowOfRuns(error: DataError, runs: readonly RowRun[]): DataError {
  const { row = 0 } = error;
  let before = 0;
  for (const { from, to } of runs) {
    if (row <= before + to - from) return shiftRow(error, from - before);
    before += to - from;
  }
  return error;
}
