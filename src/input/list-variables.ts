import type { Table } from 'apache-arrow';
import { isPlumecastError } from '../errors.js';
import type { ArrayFile } from '../files/array/array-file.js';
import { arrayVariable } from '../files/cf/array-variable.js';
import { dataArrays, hasTime } from '../files/cf/open-grid-ensemble.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { columnRoles } from '../table/columns/column-roles.js';
import { listedVariables } from '../table/columns/table-variable.js';
import { valueCandidates } from '../table/columns/value-columns.js';
import { variableByName } from '../variable/find-variable.js';

/**
 * Lists the variables of a file of arrays by the names of its arrays: slugs, each once; with `others`, also the names of
 * arrays that are no known variable.
 */
export function variablesOfArrays(arrays: ArrayFile, others?: boolean): string[] {
  return eachOnce(
    dataArrays(arrays)
      .filter((array) => hasTime(arrays, array))
      .map((array) => arrayVariable(array)?.slug ?? (others ? array.name : undefined)),
  );
}

/**
 * Lists the variables of a table by its rows, its metadata or its columns: slugs, each once; with `others`, also the names
 * of columns that are no known variable.
 */
export function variablesOfTable(table: Table, columns?: ColumnRoles, others?: boolean): string[] {
  const listed = listedVariables(table, columns);
  // A column named by the caller holds one variable.
  if (listed.length > 0 || columns?.value !== undefined) return eachOnce(listed);
  const stated = variableByName(table.schema.metadata.get('variable') ?? '');
  if (stated !== undefined) return [stated.slug];
  try {
    const roles = columnRoles(table, columns);
    const groups = valueCandidates(table, roles, { columns });
    return eachOnce(
      groups.map(({ variable, names }) => variable?.slug ?? (others && names.length === 1 ? names[0] : undefined)),
    );
  } catch (error) {
    // Reading the table reports what is wrong with its columns.
    if (isPlumecastError(error)) return [];
    throw error;
  }
}

function eachOnce(slugs: readonly (string | undefined)[]): string[] {
  return [...new Set(slugs)].filter((slug) => slug !== undefined);
}
