import type { Table } from 'apache-arrow';
import { type DataError, isPlumecastError } from '../../errors.js';
import { codedColumn } from '../../table/arrow/coded-column.js';
import { columnOf } from '../../table/arrow/table-column.js';
import { columnRoles } from '../../table/columns/column-roles.js';
import type { ReadOptions } from '../../table/columns/read-options.js';
import { meaningTest, otherVariable } from '../../table/columns/table-variable.js';
import { shiftRow } from '../../table/rows/row-reader.js';
import { atRowOfRuns, runsOfVariable } from './rows-of-variable.js';
import { type RowRun, takeRuns } from './take-runs.js';

/**
 * The tables of a stream that have rows of the requested variable: a long table may have one variable after the other.
 * `read` reads these; errors have rows counted over all tables. Throws a DataError if no table has the variable.
 */
export async function* readVariableTables<Read>(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  read: (tables: AsyncIterable<Table>) => AsyncIterable<Read>,
): AsyncGenerator<Read> {
  const left: LeftRows = { rows: 0, read: 0 };
  try {
    yield* read(tablesOfVariable(tables, options, left));
  } catch (error) {
    throw isPlumecastError(error, 'data') ? atRowOfFile(error, left) : error;
  }
}

/** The rows that are left out. */
interface LeftRows {
  /** Their number before the table that is being read. */
  rows: number;
  /** The number of rows that are read, before that table. */
  read: number;
  /** The runs of rows that are read of that table; undefined if all are. */
  runs?: readonly RowRun[] | undefined;
}

/** As `readVariableTables` reads them; counts the rows of the tables that it leaves out in `left`. */
export async function* tablesOfVariable(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  left: LeftRows = { rows: 0, read: 0 },
): AsyncGenerator<Table> {
  const { variable, variables = [], source } = options;
  const others = new Set<string>();
  let isFound = false;
  try {
    for await (const table of tables) {
      const names = variable && otherNames(table, options, meaningTest(variable, variables));
      if (names === undefined) {
        isFound = true;
        yield* rowsOf(table, options, left);
      } else {
        left.rows += table.numRows;
        for (const name of names) others.add(name);
      }
    }
  } catch (error) {
    // Its rows are those of the file already.
    throw shifted(error, -left.rows);
  }
  if (variable !== undefined && !isFound && others.size > 0) {
    throw otherVariable(variable, [...others].join(', '), source);
  }
}

/** A table, or its rows of the variable where it has others with all members in each row. */
function* rowsOf(table: Table, options: ReadOptions, left: LeftRows): Generator<Table> {
  const runs = runsOfVariable(table, options);
  const own = runs === undefined ? table : takeRuns(table, runs);
  left.runs = runs;
  yield own;
  left.runs = undefined;
  left.read += own.numRows;
  left.rows += table.numRows - own.numRows;
}

/** An error whose row is counted over the rows that are read, with its row in the file. */
function atRowOfFile(error: DataError, { rows, read, runs }: LeftRows): DataError {
  if (runs === undefined || (error.row ?? 0) <= read) return shiftRow(error, rows);
  return shiftRow(atRowOfRuns(shiftRow(error, -read), runs), read + rows);
}

/**
 * The names in a table's column of variables where none means the variable; undefined if one does, or where there is no
 * such column, or none that can be read, which its reader reports. Most tables show it by their first or last row.
 */
function otherNames(
  table: Table,
  { columns, source }: ReadOptions,
  isMeant: (name: string) => boolean,
): string[] | undefined {
  try {
    const { variable } = columnRoles(table, columns, source);
    if (variable === undefined || table.numRows === 0) return undefined;
    const column = columnOf(table, variable);
    if ([0, table.numRows - 1].some((row) => isMeant(String(column.get(row))))) return undefined;
    const names = codedColumn(column).values.map(String);
    return names.some(isMeant) ? undefined : names;
  } catch {
    return undefined;
  }
}

function shifted(error: unknown, rows: number): unknown {
  return isPlumecastError(error, 'data') ? shiftRow(error, rows) : error;
}
