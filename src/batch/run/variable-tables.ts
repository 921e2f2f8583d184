import type { Table } from 'apache-arrow';
import { isPlumecastError } from '../../errors.js';
import { codedColumn } from '../../table/coded-column.js';
import { columnRoles } from '../../table/column-roles.js';
import type { ReadOptions } from '../../table/read-options.js';
import { shiftRow } from '../../table/row-reader.js';
import { columnOf } from '../../table/table-column.js';
import { meaningTest, otherVariable } from '../../table/table-variable.js';

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
      const listed = variable === undefined ? undefined : listedNames(table, options);
      if (variable === undefined || listed === undefined || listed.some(meaningTest(variable, variables))) {
        isFound = true;
        yield table;
      } else {
        left.rows += table.numRows;
        for (const name of listed) others.add(name);
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

/** The names in a table's column of variables; undefined if it has none, or cannot be read, which its reader reports. */
function listedNames(table: Table, { columns, source }: ReadOptions): string[] | undefined {
  try {
    const { variable } = columnRoles(table, columns, source);
    return variable === undefined ? undefined : codedColumn(columnOf(table, variable)).values.map(String);
  } catch {
    return undefined;
  }
}

function shifted(error: unknown, rows: number): unknown {
  return isPlumecastError(error, 'data') ? shiftRow(error, rows) : error;
}
