import type { Table } from 'apache-arrow';
import { isPlumecastError } from '../../errors.js';
import { codedColumn } from '../../table/coded-column.js';
import { columnRoles } from '../../table/column-roles.js';
import type { ReadOptions } from '../../table/read-options.js';
import { shiftRow } from '../../table/row-reader.js';
import { columnOf } from '../../table/table-column.js';
import { meaningTest, otherVariable } from '../../table/table-variable.js';
import { runsOfVariable } from './rows-of-variable.js';

/**
 * The tables of a stream that have rows of the requested variable: a long table may have one variable after the other.
 * `read` reads these; errors have rows counted over all tables. Throws a DataError if no table has the variable.
 */
export async function* readVariableTables<Read>(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  read: (tables: AsyncIterable<Table>) => AsyncIterable<Read>,
): AsyncGenerator<Read> {
  const left = { rows: 0 };
  try {
    yield* read(tablesOfVariable(tables, options, left));
  } catch (error) {
    throw shifted(error, left.rows);
  }
}

/** As `readVariableTables` reads them; counts the rows of the tables that it leaves out in `left`. */
export async function* tablesOfVariable(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  left: { rows: number } = { rows: 0 },
): AsyncGenerator<Table> {
  const { variable, variables = [], source } = options;
  const others = new Set<string>();
  let isFound = false;
  try {
    for await (const table of tables) {
      const names = variable && otherNames(table, options, meaningTest(variable, variables));
      if (names === undefined) {
        isFound = true;
        yield* runsOf(table, options, left);
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
function* runsOf(table: Table, options: ReadOptions, left: { rows: number }): Generator<Table> {
  const runs = runsOfVariable(table, options);
  if (runs === undefined) return yield table;
  let end = 0;
  for (const { from, to } of runs) {
    left.rows += from - end;
    end = to;
    yield table.slice(from, to);
  }
  left.rows += table.numRows - end;
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
