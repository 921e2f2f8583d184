import type { Table, Vector } from 'apache-arrow';
import { MemberColumn } from '../core/member-column.js';
import { DataError } from '../errors.js';
import { codedColumn } from './coded-column.js';
import { type ColumnRoles, columnRoles } from './column-roles.js';
import { tableCoordinates, withCoordinates } from './coordinates.js';
import { dayColumn } from './day-column.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import { fieldsOfRows } from './fields-of-rows.js';
import { refuseNoTable } from './given-table.js';
import { membersOfList } from './list-column.js';
import { fieldsOfLongTable } from './long-table.js';
import { refuseMixedRows } from './mixed-rows.js';
import { floatType, numberChunks } from './number-column.js';
import type { ReadOptions } from './read-options.js';
import type { RowIndex } from './row-index.js';
import { tableUnits } from './table-units.js';
import { tableVariable, variableRows } from './table-variable.js';
import { type ValueColumns, valueColumns } from './value-columns.js';

/**
 * Reads daily values of one variable from an Arrow table in any of four forms: wide (a column per member), long (a row per
 * member and day), a list of members in each row, or a single series, which is an ensemble of one. One place or many; nulls and
 * NaN are missing. Throws DataError for what is wrong in the table and OptionError for what the options ask in vain.
 */
export function readEnsemble(table: Table, options: ReadOptions = {}): Ensemble {
  const { source } = options;
  refuseNoTable(table, source);
  const roles = columnRoles(table, options.columns, source);
  const dateColumn = dateColumnOf(table, roles, source);
  refuseMixedRows(table, roles, source);
  const values = valueColumns(table, roles, options);
  const listed = roles.variable === undefined ? undefined : codedColumn(columnOf(table, roles.variable));
  const variable = tableVariable(table, listed, values.named, options);
  const use = variableRows(roles, listed, variable, options);
  const units = tableUnits(table, roles, values, variable, use, source);
  const index: RowIndex = {
    days: dayColumn(columnOf(table, dateColumn), dateColumn, source),
    ...tableCoordinates(table, roles, source),
    table,
    roles,
    valueNames: values.names,
    dateColumn,
    source,
  };
  return {
    variable,
    units: variable?.units ?? units,
    metadata: table.schema.metadata,
    parts: withCoordinates(readParts(index, values, use), table),
  };
}

function dateColumnOf(table: Table, roles: ColumnRoles, source?: string): string {
  if (roles.date !== undefined) return roles.date;
  throw new DataError({
    source,
    problem: 'no column of dates',
    received: table.schema.fields.map((field) => field.name).join(', '),
    allowed: 'a column named date, time, datetime or valid_time, or one given as date=NAME',
  });
}

function readParts(
  index: RowIndex,
  { form, names }: ValueColumns,
  use: ((row: number) => boolean) | undefined,
): EnsemblePart[] {
  const { table, roles, source } = index;
  const vectors = names.map((name) => columnOf(table, name));
  if (form === 'list') {
    const { members, type } = membersOfList(vectors[0], names[0], source);
    return fieldsOfRows(index, members, type);
  }
  const type = floatType(vectors);
  const columns = names.map((name, i) => new MemberColumn(name, numberChunks(vectors[i], name, type, source)));
  if (form !== 'long') return fieldsOfRows(index, columns, type);
  const memberColumn = roles.member as string;
  const member = codedColumn(columnOf(table, memberColumn));
  return fieldsOfLongTable({ ...index, member, memberColumn, value: columns[0], type, use });
}

function columnOf(table: Table, name: string): Vector {
  return table.getChild(name) as Vector;
}
