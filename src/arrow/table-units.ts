import type { Table, Vector } from 'apache-arrow';
import { DataError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { Variable } from '../variable/variable.js';
import type { ColumnRoles } from './column-roles.js';
import { onlyText } from './text-column.js';
import type { ValueColumns } from './value-columns.js';

/** Units as they end the names of columns, `t2m_K`, `Rain (mm)`; other words in those places say something else. */
const UNIT_AT_END =
  /[\s_.-](mm|cm|m|deg_?c|celsius|c|kelvin|k|deg_?f|fahrenheit|f|percent|pct|%|kpa|hpa|pa|m_s|mps|mj_?m2|w_?m2|j_?m2)$/i;
const UNIT_IN_BRACKETS =
  /[([](mm|cm|m|in|inch|inches|(?:°|deg ?)?[ckf]|celsius|kelvin|fahrenheit|%|[kh]?pa|m ?s-1|(?:m|ft)\/s|km\/h|mph|kt|knots)[)\]]$/i;
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  k: 'K',
  f: 'degF',
  m_s: 'm s-1',
  mjm2: 'MJ m-2',
  mj_m2: 'MJ m-2',
};

/**
 * The units that a table states: in a column, in the metadata of the schema or of the column of values, else at the end of that
 * column's name, or in brackets in that of a member. Throws DataError where rows differ, and where the units are not the variable's: nothing is converted.
 */
export function tableUnits(
  table: Table,
  roles: ColumnRoles,
  { named, names }: ValueColumns,
  variable: Variable | undefined,
  use: ((row: number) => boolean) | undefined,
  source?: string,
): string | undefined {
  const field = table.schema.fields.find(({ name }) => name === named);
  const fromColumn =
    roles.units === undefined
      ? undefined
      : onlyText(table.getChild(roles.units) as Vector, roles.units, unitsAgree, source, use);
  const stated = fromColumn ?? field?.metadata.get('units') ?? table.schema.metadata.get('units');
  const units = stated ?? unitsInName(named) ?? unitsOfMembers(names, source);
  if (units !== undefined && variable !== undefined && !unitsAgree(units, variable.units)) {
    throw new DataError({
      source,
      column: fromColumn === undefined ? named : roles.units,
      problem: `units are not those of ${variable.slug}`,
      received: units,
      allowed: `${variable.units}; convert the values first`,
    });
  }
  return units;
}

function unitsOfMembers(names: readonly string[], source?: string): string | undefined {
  let units: string | undefined;
  for (const name of names) {
    const own = UNIT_IN_BRACKETS.exec(name.trim())?.[1];
    if (own === undefined) continue;
    if (units !== undefined && !unitsAgree(units, own)) {
      throw new DataError({
        source,
        column: name,
        problem: 'mixed units',
        received: own,
        allowed: `${units}, as before`,
      });
    }
    units = WRITTEN_OUT[own.toLowerCase()] ?? own;
  }
  return units;
}

function unitsInName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const found = (UNIT_IN_BRACKETS.exec(name.trim()) ?? UNIT_AT_END.exec(name.trim()))?.[1];
  return found === undefined ? undefined : (WRITTEN_OUT[found.toLowerCase()] ?? found);
}
