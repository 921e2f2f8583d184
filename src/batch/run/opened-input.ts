import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { isPlumecastError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import { arrayVariable } from '../../files/cf/array-variable.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { dataArrays } from '../../files/cf/grid-ensembles.js';
import { hasTime } from '../../files/cf/open-grid-ensemble.js';
import { readTable } from '../../files/read-table.js';
import { type ColumnRoles, columnRoles } from '../../table/column-roles.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { readEnsemble } from '../../table/read-ensemble.js';
import { listedVariables } from '../../table/table-variable.js';
import { valueCandidates } from '../../table/value-columns.js';
import type { NamedVariable } from '../../variable/find-variable.js';
import { variableByName } from '../../variable/variable-by-name.js';
import { type DailyInput, gridInput, readAllCells, tableInput } from './daily-input.js';
import { tableGrowthWarning } from './growth-warning.js';
import { type InputFile, readInput } from './input-file.js';
import { columnsOfTable, tableOptions, type ValueOptions } from './input-statistics.js';
import { type Report, readingOptions, reportConversions } from './notice.js';
import { openEnsemble } from './open-ensemble.js';
import { isGridPath, openGridFile } from './open-grid-file.js';

/** A file of arrays that was opened, or a table that was read. */
export type OpenedInput = { readonly source: string } & (
  | { readonly arrays: ArrayFile; readonly table?: undefined }
  | { readonly table: Table; readonly arrays?: undefined }
);

/** What to read from an input; without a variable, the one that it names. */
export interface DailyRequest extends Partial<NamedVariable> {
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
  readonly values: ValueOptions;
}

/** Opens a file of arrays, or reads a table. Throws as `openGridFile` and `readTable` do. */
export async function openInput(
  { path, source }: Pick<InputFile, 'path' | 'source'>,
  values: ValueOptions,
  report: Report,
): Promise<OpenedInput> {
  if (await isGridPath(path)) return { source, arrays: await openGridFile(path) };
  return { source, table: await readTable(await readInput(path), readingOptions(report, source, values)) };
}

export async function closeInput({ arrays }: OpenedInput): Promise<void> {
  await arrays?.close();
}

/** Lists the variables of an input by the names of its arrays or columns: slugs, each once. */
export function listVariables({ arrays, table }: OpenedInput, columns?: ColumnRoles): string[] {
  const found =
    arrays === undefined
      ? variablesOfTable(table, columns)
      : dataArrays(arrays)
          .filter((array) => hasTime(arrays, array))
          .map((array) => arrayVariable(array)?.slug);
  return [...new Set(found)].filter((slug) => slug !== undefined);
}

function variablesOfTable(table: Table, columns?: ColumnRoles): (string | undefined)[] {
  const listed = listedVariables(table, columns);
  // A column named by the caller holds one variable.
  if (listed.length > 0 || columns?.value !== undefined) return listed;
  const stated = variableByName(table.schema.metadata.get('variable') ?? '');
  if (stated !== undefined) return [stated.slug];
  try {
    const roles = columnRoles(table, columns);
    return valueCandidates(table, roles, { columns }).map(({ variable }) => variable?.slug);
  } catch (error) {
    // Reading the table reports what is wrong with its columns.
    if (isPlumecastError(error)) return [];
    throw error;
  }
}

/** The bytes of values of a file of arrays that are read at a time when all are needed. */
const GRID_BYTES = 134_217_728;

/**
 * Reads the daily values of one variable of an input. Reports conversions and warnings. Throws OptionError and
 * DataError.
 */
export async function dailyInput(
  core: Core,
  input: OpenedInput,
  request: DailyRequest,
  report: Report,
): Promise<DailyInput> {
  return input.arrays === undefined
    ? tableInput(input.source, ensembleOfTable(input.table, input.source, request, report))
    : gridInput(core, await ensembleOfArrays(input.arrays, request, report));
}

/** As `dailyInput`, with all values at once. */
export async function dailyEnsemble(
  core: Core,
  input: OpenedInput,
  request: DailyRequest,
  report: Report,
): Promise<Ensemble> {
  return input.arrays === undefined
    ? ensembleOfTable(input.table, input.source, request, report)
    : readAllCells(gridInput(core, await ensembleOfArrays(input.arrays, request, report)), GRID_BYTES);
}

function ensembleOfArrays(
  arrays: ArrayFile,
  { variable, variableName, values }: DailyRequest,
  report: Report,
): Promise<GridEnsemble> {
  return openEnsemble(arrays, { variable, variableName }, values, report);
}

function ensembleOfTable(
  table: Table,
  source: string,
  { variable, variableName, columns, values }: DailyRequest,
  report: Report,
): Ensemble {
  const named = { variable, variableName, source };
  const daily = dailyTable(table, { ...named, columns: columnsOfTable(columns, values), ...tableOptions(values) });
  reportConversions(report, source, daily.conversions);
  const ensemble = readEnsemble(daily.table, { ...named, columns: daily.columns });
  const isGrowthKnown = values.accumulation !== undefined || daily.accumulation !== undefined;
  const warning = isGrowthKnown ? undefined : tableGrowthWarning(ensemble);
  if (warning !== undefined) report({ kind: 'warning', source, text: warning });
  return { ...ensemble, notes: undefined };
}
