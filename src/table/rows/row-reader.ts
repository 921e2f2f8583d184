import type { Table } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import type { FloatType } from '../../core/number-arrays.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError, isPlumecastError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { folded, nameNotes } from '../../variable/find-variable.js';
import { unitsAgree } from '../../variable/unit-conversion.js';
import { assertTable } from '../arrow/own-table.js';
import { codedColumn, plainValue } from '../arrow/stored-values.js';
import { columnOf, findColumn } from '../arrow/table-schema.js';
import { type ColumnRoles, listed } from '../columns/column-role.js';
import { assertUnmixedRows, columnRoles } from '../columns/column-roles.js';
import { floatType, numberChunks, readListMembers } from '../columns/column-values.js';
import { type PlaceFinder, tableCoordinates, withCoordinates } from '../columns/coordinates.js';
import { type DayLoops, dayColumn, tableCalendar } from '../columns/day-column.js';
import type { NumberedPlaces } from '../columns/place-reader.js';
import type { ReadOptions } from '../columns/read-options.js';
import { heldValues, meaningTest, tableUnits } from '../columns/table-variable.js';
import type { ValueColumns } from '../columns/value-columns.js';
import { type RowIndex, RowOrderError } from './row-index.js';

/** What the columns of a table are, and what it states about all its rows. */
interface TableHead extends Omit<Ensemble, 'parts'> {
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
interface RowReading {
  readonly dayLoops?: DayLoops;
  readonly placesOf?: PlaceFinder;
  /** The places of the tables before. */
  readonly places?: NumberedPlaces | undefined;
  /** The length of lists. */
  readonly listSize?: number;
}

/** Reads what is known of a table without its rows. Throws DataError and OptionError as `readEnsemble` does. */
export function readHead(table: Table, options: ReadOptions = {}): TableHead {
  const { source } = options;
  assertTable(table, source);
  const roles = columnRoles(table, options.columns, source);
  const { date: dateColumn } = roles;
  if (dateColumn === undefined) throw noDates(table, source);
  assertUnmixedRows(table, roles, source, options.places, dateColumn);
  const { values, variable, use } = heldValues(table, roles, options);
  const units = tableUnits(table, roles, values, variable, use, source);
  const { metadata: stated } = table.schema;
  const calendar = tableCalendar(table, options);
  const metadata = calendar === undefined ? stated : new Map(stated).set('calendar', calendar);
  const notes = [...nameNotes(options), ...values.notes];
  return { variable, units: variable?.units || units, metadata, calendar, notes, roles, dateColumn, values, use };
}

/** Reads the rows of a table with this head. Throws DataError as `readEnsemble` does, except for rows out of order. */
export function readRows(
  table: Table,
  head: TableHead,
  source?: string,
  { dayLoops, placesOf, listSize, places = head.values.labels?.begin(table) }: RowReading = {},
): EnsembleRows {
  const { roles, dateColumn, values, calendar } = head;
  const coordinates = tableCoordinates(table, roles, source, placesOf);
  return {
    head,
    index: {
      days: dayColumn(columnOf(table, dateColumn), dateColumn, source, calendar, dayLoops),
      calendar,
      ...(places?.numbered(table, coordinates) ?? coordinates),
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

function noDates(table: Table, source?: string): DataError {
  return new DataError({
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

/** What is known of the first rows, without the memory that holds them. */
interface FirstRows {
  readonly head: TableHead;
  readonly hasPlaces: boolean;
  readonly listSize?: number;
  readonly rowsBefore: number;
  readonly places: NumberedPlaces | undefined;
}

/** How tables are read that come one after the other. */
export interface SeriesReading extends RowReading {
  /**
   * Whether tables may have no rows of the variable, and a RowOrderError says where only all tables together show which
   * rows are used; without it, each table has to state what the first one does.
   */
  readonly mayLackRows?: boolean;
}

/** Reads the rows of tables of one schema that come one after the other. */
export class RowReader {
  readonly #options: ReadOptions;
  readonly #heads: RowHeads | undefined;
  readonly #reading: RowReading;
  #rowsBefore = 0;
  #first?: FirstRows;

  constructor(options: ReadOptions, { mayLackRows = false, ...reading }: SeriesReading = {}) {
    this.#options = options;
    this.#heads = mayLackRows ? new RowHeads(options) : undefined;
    this.#reading = reading;
  }

  /** The rows of the next table. Throws as `readEnsemble` does, with rows counted from the first table on. */
  read(table: Table): EnsembleRows {
    const rows = this.#read(table);
    this.#rowsBefore += table.numRows;
    const { head, index, members } = rows;
    const { places, rowsBefore } = index;
    const listSize = head.values.form === 'list' ? members.length : undefined;
    this.#first ??= { head, hasPlaces: index.latitude !== undefined, listSize, rowsBefore, places };
    assertConsistentRows(rows, this.#first);
    return rows;
  }

  /** An ensemble of parts of the tables; undefined without parts. */
  ensemble(parts: readonly EnsemblePart[]): Ensemble | undefined {
    if (parts.length === 0 || this.#first === undefined) return undefined;
    const { variable, units, metadata } = this.#first.head;
    return { variable, units, metadata, parts: withCoordinates(parts, metadata, this.#first.places) };
  }

  #read(table: Table): EnsembleRows {
    try {
      const reading = { ...this.#reading, listSize: this.#first?.listSize, places: this.#first?.places };
      const rows = readRows(table, this.#head(table), this.#options.source, reading);
      return { ...rows, index: { ...rows.index, rowsBefore: this.#rowsBefore } };
    } catch (error) {
      throw isPlumecastError(error, 'data') ? shiftRow(error, this.#rowsBefore) : error;
    }
  }

  /** The head of the first table, unless rows of later tables may state another variable or units. */
  #head(table: Table): TableHead {
    if (this.#heads !== undefined) return this.#heads.add(table);
    const head = this.#first?.head;
    const isInRows = head?.roles.variable !== undefined || head?.roles.units !== undefined;
    return head === undefined || isInRows ? readHead(table, this.#options) : head;
  }
}

/** The error of a table, with its row counted from the first table on. */
export function shiftRow(error: DataError, rowsBefore: number): DataError {
  if (error.row === undefined || rowsBefore === 0) return error;
  const { source, row, column, problem, received, allowed, cause } = error;
  return new DataError({ source, row: row + rowsBefore, column, problem, received, allowed, cause });
}

/**
 * Throws if rows of a stream state another variable or other units than its first rows, or have coordinates where those
 * have none.
 */
function assertConsistentRows({ head, index }: EnsembleRows, first: FirstRows): void {
  const { source, roles, rowsBefore } = index;
  const { variable, units } = head;
  if (variable?.slug !== first.head.variable?.slug) {
    throw new OptionError({
      subject: subjectIn(source, 'variable'),
      problem: 'the table holds several',
      received: [first.head, head].map((each) => each.variable?.slug ?? 'one that is not known').join(', '),
      allowed: `one of them, by ${mentionOption('variable')}`,
    });
  }
  if (units !== undefined && first.head.units !== undefined && !unitsAgree(units, first.head.units)) {
    throw new DataError({
      source,
      row: rowsBefore + 1,
      column: roles.units,
      problem: `mixed ${roles.units}`,
      received: units,
      allowed: `${first.head.units}, as in the rows before`,
    });
  }
  if ((index.latitude !== undefined) !== first.hasPlaces) {
    throw new DataError({
      source,
      row: (index.latitude === undefined ? rowsBefore : first.rowsBefore) + 1,
      column: roles.latitude,
      problem: 'missing coordinate',
      received: null,
      allowed: 'a number of degrees in every row, or in none',
    });
  }
}

/**
 * The heads of tables of one schema that come one after the other: the head of the first one, with the rows that each
 * table uses. Tables may have no rows of the variable.
 */
class RowHeads {
  readonly #options: ReadOptions;
  #first?: TableHead;
  /** How rows of the variable name it. */
  readonly #names = new Set<string>();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** The head of the next table. Throws RowOrderError where only all tables together say which rows are used. */
  add(table: Table): TableHead {
    const first = (this.#first ??= this.#read(table));
    const { roles } = first;
    if (roles.variable === undefined && roles.units === undefined) return first;
    if (roles.variable !== undefined && !this.#hasVariable(table, roles.variable))
      return { ...first, use: () => false };
    const head = this.#read(table);
    if (head.variable?.slug !== first.variable?.slug) throw this.#uneven('rows of several variables');
    const isSameUnit = head.units === undefined || (first.units !== undefined && unitsAgree(head.units, first.units));
    if (!isSameUnit) throw this.#uneven('units that are not those of the first rows');
    return { ...first, use: head.use };
  }

  #read(table: Table): TableHead {
    try {
      return readHead(table, this.#options);
    } catch (cause) {
      if (!isPlumecastError(cause)) throw cause;
      throw this.#uneven('rows that do not state what the first ones do', cause);
    }
  }

  /** Whether some rows of a table are of the variable. */
  #hasVariable(table: Table, column: string): boolean {
    const { variable, variables = [] } = this.#options;
    const { codes, values } = codedColumn(columnOf(table, column));
    if (codes.includes(-1)) throw this.#uneven('rows without a variable');
    const names = values.map(String);
    const meant = variable === undefined ? names : names.filter(meaningTest(variable, variables));
    for (const name of meant) this.#names.add(folded(name));
    if (this.#names.size > 1) throw this.#uneven('rows that name the variable in several ways');
    return meant.length > 0;
  }

  #uneven(problem: string, cause?: unknown): RowOrderError {
    return new RowOrderError({ source: this.#options.source, problem, cause });
  }
}
