import type { Table } from 'apache-arrow';
import type { FloatType } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { DataError, mentionOption } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { nameNotes } from '../../variable/find-variable.js';
import { assertTable } from '../arrow/assert-table.js';
import { codedColumn } from '../arrow/coded-column.js';
import { plainValue } from '../arrow/stored-values.js';
import { columnOf, findColumn } from '../arrow/table-column.js';
import { type ColumnRoles, columnRoles, listed } from '../columns/column-roles.js';
import { type PlaceFinder, tableCoordinates } from '../columns/coordinates.js';
import { type DayLoops, dayColumn } from '../columns/day-column.js';
import { readListMembers } from '../columns/list-column.js';
import { assertUnmixedRows } from '../columns/mixed-rows.js';
import { floatType, numberChunks } from '../columns/number-column.js';
import type { ReadOptions } from '../columns/read-options.js';
import { tableCalendar } from '../columns/table-calendar.js';
import { tableUnits } from '../columns/table-units.js';
import { tableVariable, variableRows } from '../columns/table-variable.js';
import { type ValueColumns, valueColumns } from '../columns/value-columns.js';
import type { RowIndex } from './row-index.js';

/** What the columns of a table are, and what it states about all its rows. */
export interface TableHead extends Omit<Ensemble, 'parts'> {
  readonly roles: ColumnRoles;
  readonly dateColumn: string;
  readonly values: ValueColumns;
  /** The calendar of the dates, if it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** Which rows are used, if not all. */
  readonly use?: (row: number) => boolean;
}

/** The rows of a table: the place and day of each, and its values. */
export interface EnsembleRows {
  readonly head: TableHead;
  readonly index: RowIndex;
  /** The columns of values: one for each member, or a single one if the table is long. */
  readonly members: readonly MemberColumn[];
  readonly type: FloatType;
}

/** How rows are read faster where they are copied, and what is known of them from tables before. */
export interface RowReading {
  readonly dayLoops?: DayLoops;
  readonly placesOf?: PlaceFinder;
  /** The length of lists. */
  readonly listSize?: number;
}

/** Reads what is known of a table without its rows. Throws DataError and OptionError as `readEnsemble` does. */
export function readHead(table: Table, options: ReadOptions = {}): TableHead {
  const { source } = options;
  assertTable(table, source);
  const roles = columnRoles(table, options.columns, source);
  const dateColumn = dateColumnOf(table, roles, source);
  assertUnmixedRows(table, roles, source);
  const values = valueColumns(table, roles, options);
  const listed = roles.variable === undefined ? undefined : codedColumn(columnOf(table, roles.variable));
  const variable = tableVariable(table, listed, values.named, options);
  const use = variableRows(roles, listed, variable, options);
  const units = tableUnits(table, roles, values, variable, use, source);
  const { metadata: stated } = table.schema;
  const calendar = tableCalendar(table, options);
  const metadata = calendar === undefined ? stated : new Map(stated).set('calendar', calendar);
  const notes = [...nameNotes(options), ...values.notes];
  return { variable, units: variable?.units ?? units, metadata, calendar, notes, roles, dateColumn, values, use };
}

/** Reads the rows of a table with this head. Throws DataError as `readEnsemble` does, except for rows out of order. */
export function readRows(
  table: Table,
  head: TableHead,
  source?: string,
  { dayLoops, placesOf, listSize }: RowReading = {},
): EnsembleRows {
  const { roles, dateColumn, values, calendar } = head;
  return {
    head,
    index: {
      days: dayColumn(columnOf(table, dateColumn), dateColumn, source, calendar, dayLoops),
      calendar,
      ...tableCoordinates(table, roles, source, placesOf),
      rowsBefore: 0,
      table,
      cell: (name, row) => plainValue(findColumn(table, name)?.get(row)),
      roles,
      valueNames: values.names,
      dateColumn,
      source,
    },
    ...memberColumns(table, values, source, listSize),
  };
}

function dateColumnOf(table: Table, roles: ColumnRoles, source?: string): string {
  if (roles.date !== undefined) return roles.date;
  throw new DataError({
    source,
    problem: 'no column of dates',
    received: listed(table.schema.fields.map((field) => field.name)),
    allowed: `a column named date, time, datetime or valid_time, or one by ${mentionOption('columns', { date: 'NAME' })}`,
  });
}

function memberColumns(
  table: Table,
  { form, names }: ValueColumns,
  source?: string,
  listSize?: number,
): Pick<EnsembleRows, 'members' | 'type'> {
  const vectors = names.map((name) => columnOf(table, name));
  if (form === 'list') return readListMembers(vectors[0], names[0], source, listSize);
  const type = floatType(vectors);
  const members = names.map((name, i) => new MemberColumn(name, numberChunks(vectors[i], name, type, source)));
  return { members, type };
}
