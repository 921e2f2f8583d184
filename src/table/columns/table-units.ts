import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { unitConversion } from '../../variable/unit-conversion.js';
import { unitsAgree } from '../../variable/units-agree.js';
import type { Variable } from '../../variable/variable.js';
import { columnOf } from '../arrow/table-column.js';
import { unitsInColumnName } from './column-name.js';
import type { ColumnRoles } from './column-roles.js';
import { onlyText } from './text-column.js';
import type { ValueColumns } from './value-columns.js';

/** Units at the end of the names of columns, such as `t2m_K`. */
const UNIT_AT_END =
  /[\s_.-](mm|cm|m|deg_?c|celsius|c|kelvin|k|deg_?f|fahrenheit|f|percent|pct|%|kpa|hpa|pa|m_s|mps|mj_?m2|w_?m2|j_?m2)$/i;
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  k: 'K',
  f: 'degF',
  m_s: 'm s-1',
  mjm2: 'MJ m-2',
  mj_m2: 'MJ m-2',
};

/**
 * The units that a table states: in a column; in the metadata of the columns of values, or of the schema; else in
 * brackets at the end of the names of these columns, or after the name of a single one. Throws DataError if rows or
 * columns differ, if brackets contradict what is stated, and if the units are not those of the variable: nothing is
 * converted.
 */
export function tableUnits(
  table: Table,
  roles: ColumnRoles,
  { named, names }: ValueColumns,
  variable: Variable | undefined,
  use: ((row: number) => boolean) | undefined,
  source?: string,
): string | undefined {
  const fromColumn =
    roles.units === undefined
      ? undefined
      : onlyText(columnOf(table, roles.units), roles.units, unitsAgree, source, use);
  const fromFields = unitsOfFields(table, names, source);
  const ofTable = fromColumn ?? (fromFields?.isMetadata ? undefined : table.schema.metadata.get('units'));
  if (ofTable !== undefined && fromFields !== undefined && !areSame(ofTable, fromFields.units)) {
    throw new DataError({
      source,
      column: fromFields.column,
      problem: 'units that contradict those of the table',
      received: fromFields.units,
      allowed: `${ofTable}, as the table states`,
    });
  }
  const units = ofTable ?? fromFields?.units ?? (named === undefined ? undefined : unitAtEnd(names[0]));
  if (units !== undefined && variable !== undefined && !unitsAgree(units, variable.units)) {
    throw new DataError({
      source,
      column: fromColumn === undefined ? names[0] : roles.units,
      problem: `units are not those of ${variable.slug}`,
      received: units,
      allowed: `${variable.units}; convert the values first`,
    });
  }
  return units;
}

interface FieldUnits {
  readonly units: string;
  readonly column: string;
  /** Whether they are from the column's metadata, not from its name. */
  readonly isMetadata: boolean;
}

/** The units that columns have in their metadata, or in brackets in their names. Throws a DataError if they differ. */
function unitsOfFields(table: Table, names: readonly string[], source?: string): FieldUnits | undefined {
  const wanted = new Set(names);
  let first: FieldUnits | undefined;
  for (const { name, metadata } of table.schema.fields) {
    if (!wanted.has(name)) continue;
    const stated = metadata.get('units');
    const units = stated ?? unitsInColumnName(name, names.length === 1);
    if (units === undefined) continue;
    if (first !== undefined && first.units !== units && !areSame(first.units, units)) {
      const allowed = `${first.units}, as in column ${first.column}`;
      throw new DataError({ source, column: name, problem: 'mixed units', received: units, allowed });
    }
    first ??= { units, column: name, isMetadata: stated !== undefined };
  }
  return first;
}

/** Whether values are the same in two units: `inch` and `in`, `F` and `degF`. */
function areSame(one: string, other: string): boolean {
  if (unitsAgree(one, other)) return true;
  const conversion = unitConversion(one, other);
  return conversion?.factor === 1 && conversion.offset === 0 && !conversion.perSecond;
}

function unitAtEnd(name: string): string | undefined {
  const found = UNIT_AT_END.exec(name.trim())?.[1];
  return found === undefined ? undefined : (WRITTEN_OUT[found.toLowerCase()] ?? found);
}
