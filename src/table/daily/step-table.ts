import type { Table } from 'apache-arrow';
import type { ModelCalendar } from '../../period/calendar.js';
import { nameNotes } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { assertTable } from '../arrow/assert-table.js';
import { type CodedColumn, codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import { parseColumnName } from '../columns/column-name.js';
import { type ColumnRoles, columnRoles } from '../columns/column-roles.js';
import { assertUnmixedRows } from '../columns/mixed-rows.js';
import type { ReadOptions } from '../columns/read-options.js';
import { calendarNotes, tableCalendar } from '../columns/table-calendar.js';
import { tableUnits } from '../columns/table-units.js';
import { tableVariable, variableRows } from '../columns/table-variable.js';
import { type ValueColumns, valueColumns } from '../columns/value-columns.js';
import { namedAsSteps } from './step-rule.js';
import { areSubDaily, timeColumn } from './time-column.js';
import { checkUtcDays } from './utc-days.js';

/** What the columns of a table are; its values may be of time steps, or in units other than the variable's. */
export interface StepTable {
  readonly roles: ColumnRoles;
  readonly dateColumn: string;
  readonly values: ValueColumns;
  readonly variable: Variable | undefined;
  /**
   * The table's names for its values: in its column of variables; else in its metadata, and the name of the column of
   * values.
   */
  readonly names: readonly string[];
  /** The units that the table states, which may not be those of the variable. */
  readonly units: string | undefined;
  /** The calendar of the dates, if it is not the real one. */
  readonly calendar?: ModelCalendar;
  readonly use?: (row: number) => boolean;
  /** For people: which columns of numbers are left out, and which members have no column. */
  readonly notes: readonly string[];
  /** Whether values are of the time steps before their times. */
  readonly areOfPrecedingSteps: boolean;
  /** The time of each row in seconds since 1970-01-01 UTC, if there are several a day. */
  readonly times?: Float64Array;
}

/**
 * Finds out what a table holds; undefined if it has no column of dates, which is an error for readers. `areSteps` says
 * whether its rows are time steps, if that is known. Throws DataError and OptionError as `readEnsemble` does for wrong
 * columns and variables.
 */
export function stepTable(table: Table, options: ReadOptions, areSteps?: boolean): StepTable | undefined {
  const { source } = options;
  assertTable(table, source);
  const roles = columnRoles(table, options.columns, source);
  const dateColumn = roles.date;
  if (dateColumn === undefined) return undefined;
  assertUnmixedRows(table, roles, source);
  const calendar = tableCalendar(table, options);
  const times = timeColumn(columnOf(table, dateColumn), dateColumn, source, calendar);
  const hasSteps = times !== undefined && (areSteps ?? areSubDaily(times));
  const ofDates = times === undefined || hasSteps ? [] : checkUtcDays(table, dateColumn, times, source);
  const requested = hasSteps ? asSteps(options) : options;
  const values = valueColumns(table, roles, requested);
  const listed = roles.variable === undefined ? undefined : codedColumn(columnOf(table, roles.variable));
  const variable = tableVariable(table, listed, values.named, requested);
  const use = variableRows(roles, listed, variable, requested);
  return {
    ...{ roles, dateColumn, values, use, calendar },
    notes: [
      ...calendarNotes(calendar),
      ...nameNotes(options),
      ...values.notes,
      ...ofDates,
      ...(hasSteps ? zoneNote(table) : []),
    ],
    areOfPrecedingSteps: areOfPrecedingSteps(table, values.names),
    variable: options.variable ?? variable,
    names: namesOf(table, listed, values, use),
    units: tableUnits(table, roles, values, undefined, use, source),
    ...(hasSteps && { times }),
  };
}

/** The note on times that have another zone in the file. */
export function zoneNote({ schema }: Table): string[] {
  const zone = schema.metadata.get('time_zone');
  return zone === undefined ? [] : [`times of ${zone} shifted to UTC`];
}

function asSteps(options: ReadOptions): ReadOptions {
  const { variable, variables = [] } = options;
  if (variable === undefined) return options;
  const named = namedAsSteps(variable);
  return { ...options, variable: named, variables: [named, ...variables] };
}

function namesOf(
  table: Table,
  listed: CodedColumn | undefined,
  { named }: ValueColumns,
  use: (row: number) => boolean = () => true,
): string[] {
  const { metadata } = table.schema;
  const stated = [metadata.get('standard_name'), metadata.get('variable'), named].filter((name) => name !== undefined);
  if (listed === undefined) return stated;
  const used = new Set<number>();
  listed.codes.forEach((code, row) => {
    if (!used.has(code) && use(row)) used.add(code);
  });
  return [...used].filter((code) => code >= 0).map((code) => String(listed.values[code]));
}

/**
 * Names of Open-Meteo's variables whose value is the sum, the mean or the highest value of the time step before its
 * time; values of all others are of that instant. Source: "Valid time" in the tables of hourly variables of its
 * documentation.
 */
const OF_PRECEDING_STEP =
  /^(precipitation|rain|showers|snowfall(?!_height)|hail|freezing_rain|(et0_fao_|potential_)?evapotranspiration|sunshine_duration|wind_?gusts|lightning_potential)|radiation|irradiance|_(sum|mean|max|min)$/;

/** Whether the values of a table are of the time steps before their times, so that times mark the ends of steps. */
export function areOfPrecedingSteps(table: Table, columns: readonly string[]): boolean {
  if (table.schema.metadata.get('provider') !== 'Open-Meteo') return false;
  const { stem } = parseColumnName(columns[0]);
  return OF_PRECEDING_STEP.test(stem) && !stem.endsWith('_instant');
}
