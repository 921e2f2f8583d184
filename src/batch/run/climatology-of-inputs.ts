import type { Table } from 'apache-arrow';
import { climatologyTable } from '../../climate/climatology-table.js';
import { climatology } from '../../climate/compute-climatology.js';
import { type ClimatologyOptions, checkClimatologyOptions } from '../../climate/options.js';
import type { Core } from '../../core/load.js';
import { DataError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { readTable } from '../../files/read-table.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { checkReadOptions } from '../../table/read-options.js';
import { variableByName } from '../../variable/variable-by-name.js';
import { climatologyOfGrids } from './grid-climatology.js';
import { readInput, sourceName } from './input-file.js';
import { columnsOfTable, tableOptions, type ValueOptions } from './input-statistics.js';
import { type Report, readingOptions, reportConversions } from './notice.js';
import { openEnsemble } from './open-ensemble.js';
import { isGridPath, openGridFile } from './open-grid-file.js';
import { findImplausible } from './result-warnings.js';

/** Bytes of values of files of arrays held at a time. */
const GRID_BYTES = 536_870_912;

/**
 * Computes the climatology of files, as `climatology` does for tables; for files of arrays some cells at a time, in
 * bounded memory. Reports conversions and warnings. Throws as `climatology` does, and DataError if some files hold
 * arrays and others tables.
 */
export async function* climatologyOfInputs(
  core: Core,
  files: readonly string[],
  request: ClimatologyOptions,
  values: ValueOptions,
  report: Report,
): AsyncGenerator<Table> {
  const options = { ...request, calendar: values.calendar, source: files.map(sourceName) };
  const grids = await Promise.all(files.map(isGridPath));
  const other = grids.indexOf(!grids[0]);
  if (other >= 0) throw mixed(options.source[0], options.source[other], grids[0]);
  const tables = grids[0]
    ? ofGrids(core, files, options, values, report)
    : ofTables(core, files, options, values, report);
  let isFirst = true;
  let hasWarned = false;
  for await (const table of tables) {
    const missing = table.schema.metadata.get('lacking_years');
    const text = `computed without the missing reference years ${missing}`;
    if (isFirst && missing !== undefined) report({ kind: 'warning', source: options.source[0], text });
    isFirst = false;
    const variable = variableByName(table.schema.metadata.get('variable') ?? '');
    const warning: string | undefined =
      hasWarned || variable === undefined ? undefined : findImplausible(table, variable);
    if (warning !== undefined) report({ kind: 'warning', source: options.source[0], text: warning });
    hasWarned ||= warning !== undefined;
    yield table;
  }
}

async function* ofTables(
  core: Core,
  files: readonly string[],
  request: ClimatologyOptions & { source: readonly string[] },
  values: ValueOptions,
  report: Report,
): AsyncGenerator<Table> {
  const tables: Table[] = [];
  const { variable, variableName, variables } = checkReadOptions({
    variable: request.variable,
    variables: request.variables,
  });
  const given = columnsOfTable(request.columns, values);
  let columns = given;
  for (const file of files) {
    const source = sourceName(file);
    const table = await readTable(await readInput(file), readingOptions(report, source, values));
    const said = { ...tableOptions(values), variable, variableName, variables, columns: given };
    const daily = dailyTable(table, { ...said, source });
    tables.push(daily.table);
    reportConversions(report, source, daily.conversions);
    columns = daily.columns;
  }
  yield climatologyTable(climatology(core, tables, { ...request, columns }));
}

async function* ofGrids(
  core: Core,
  paths: readonly string[],
  request: ClimatologyOptions,
  values: ValueOptions,
  report: Report,
): AsyncGenerator<Table> {
  const options = checkClimatologyOptions(request);
  const files: ArrayFile[] = [];
  try {
    const ensembles: GridEnsemble[] = [];
    for (const path of paths) {
      const file = await openGridFile(path);
      files.push(file);
      ensembles.push(await openEnsemble(file, options, values, report));
    }
    yield* climatologyOfGrids(core, ensembles, options, GRID_BYTES);
  } finally {
    for (const file of files) await file.close();
  }
}

function mixed(first: string, other: string, firstIsGrid: boolean): DataError {
  const [grid, table] = ['a file of arrays', 'a table'];
  return new DataError({
    source: other,
    problem: `is ${firstIsGrid ? table : grid}, and ${first} is ${firstIsGrid ? grid : table}`,
    allowed: 'files of one kind; plumecast convert turns one into the other',
  });
}
