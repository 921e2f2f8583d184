import type { Table } from 'apache-arrow';
import { DataError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { folded, variableFinder } from '../../variable/find-variable.js';
import { unitConversion, unitsAgree } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { type CodedColumn, codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { unitsInColumnName } from './column-name.js';
import type { ColumnRoles } from './column-role.js';
import { columnRoles } from './column-roles.js';
import { onlyText } from './column-values.js';
import type { ReadOptions } from './read-options.js';
import { type ValueColumns, valueColumns } from './value-columns.js';

/** What a table holds: its columns of values, its column of variables, its variable, and which rows are used, if not all. */
interface HeldValues {
  readonly values: ValueColumns;
  readonly listed: CodedColumn | undefined;
  readonly variable: Variable | undefined;
  readonly use: ((row: number) => boolean) | undefined;
}

/** Finds out what a table with these roles holds. Throws OptionError and DataError as \`readEnsemble\` does. */
export function heldValues(table: Table, roles: ColumnRoles, options: ReadOptions): HeldValues {
  const values = valueColumns(table, roles, options);
  const listed = roles.variable === undefined ? undefined : codedColumn(columnOf(table, roles.variable));
  const variable = tableVariable(table, listed, values.named, options);
  return { values, listed, variable, use: variableRows(roles, listed, variable, options) };
}

/**
 * The variable of a table: the requested one, else that of the schema's metadata, of a column of variables that all
 * agree (`column`), or of the name of the column of values. Undefined if none of these states it. Throws OptionError if
 * a table holds several variables and none is requested, and DataError if it holds another variable than the requested
 * one, or a column of values that is named as one of other units.
 */
function tableVariable(
  table: Table,
  column: CodedColumn | undefined,
  valueColumn: string | undefined,
  { variable: requested, variables = [], columns, source }: ReadOptions,
): Variable | undefined {
  const find = variableFinder(variables);
  // No variable has an empty name.
  const known = (name = '') => find(name);
  const stated = table.schema.metadata.get('variable');
  const listed = (column?.values ?? []).map(String);
  if (requested !== undefined) {
    // A column of temperature is no rain, unless it is said to be; an extreme of temperatures may be requested.
    const name = stated ?? (columns?.value ? '' : valueColumn);
    const other = known(name);
    // Rows are more exact than the table's metadata.
    const isOther = listed.length
      ? !listed.some(meaningTest(requested, variables))
      : other && (stated ? other.slug !== requested.slug : !unitConversion(other.units, requested.units));
    if (isOther) throw otherVariable(requested, listed.join(', ') || name, source);
    return requested;
  }
  if (listed.length > 1) {
    throw new OptionError({
      subject: subjectIn(source, 'variable'),
      problem: 'the table holds several',
      received: listed.join(', '),
      allowed: `one of them, by ${mentionOption('variable')}`,
    });
  }
  const listedVariable = known(listed[0]);
  const statedVariable = known(stated);
  if (listed.length && statedVariable && listedVariable?.slug !== statedVariable.slug) {
    throw new DataError({
      source,
      problem: `the metadata say ${stated}, the column of variables another`,
      received: listed[0],
      allowed: `one variable, or the one meant by ${mentionOption('variable')}`,
    });
  }
  return statedVariable ?? listedVariable ?? known(valueColumn);
}

/**
 * Which rows are of the variable, by a column of variables; undefined if all are. If the column has several names for
 * the variable, the caller's name counts. Throws an OptionError if none of them is that name, and a DataError if each
 * row has all members.
 */
function variableRows(
  roles: ColumnRoles,
  column: CodedColumn | undefined,
  variable: Variable | undefined,
  { variableName, variables = [], source }: ReadOptions,
): ((row: number) => boolean) | undefined {
  if (column === undefined || variable === undefined) return undefined;
  const listed = column.values.map(String);
  const isOfVariable = listed.map(meaningTest(variable, variables));
  const names = new Set(listed.filter((_, code) => isOfVariable[code] && column.codes.includes(code)).map(folded));
  const name = folded(variableName ?? variable.slug);
  const isMeant = names.size > 1 ? listed.map((each) => folded(each) === name) : isOfVariable;
  if (!isMeant.includes(true))
    throw new OptionError({
      subject: subjectIn(source, 'variable'),
      problem: `several names in the column of variables mean ${variable.slug}`,
      received: listed.filter((_, code) => isOfVariable[code]).join(', '),
      allowed: 'one of them, named as the variable',
    });
  if (isMeant.every(Boolean)) return undefined;
  if (roles.member === undefined) {
    throw new DataError({
      source,
      column: roles.variable,
      problem: 'several variables in a table that has no row per member',
      received: listed.join(', '),
      allowed: 'one variable, or a column of members and one of values',
    });
  }
  return (row) => isMeant[column.codes[row]] === true;
}

/** The slugs of the variables in a table's column of variables; none if it has no such column. */
export function listedVariables(table: Table, columns?: ColumnRoles): string[] {
  const { variable: name } = columnRoles(table, columns);
  if (name === undefined) return [];
  const { values } = codedColumn(columnOf(table, name));
  const find = variableFinder();
  const slugs = values.map((value) => find(String(value))?.slug);
  return [...new Set(slugs.filter((slug) => slug !== undefined))];
}

/** A test whether a name in a column of variables means `variable`. */
export function meaningTest(variable: Variable, variables: readonly Variable[]): (name: string) => boolean {
  const find = variableFinder([variable, ...variables]);
  return (name) => name === variable.slug || find(name)?.slug === variable.slug;
}

/** The error for a table that holds `found` only. */
export function otherVariable(requested: Variable, found: string | undefined, source?: string): DataError {
  return new DataError({
    source,
    problem: `does not hold ${requested.slug}`,
    received: found,
    allowed: `a table of ${requested.slug}, or another variable`,
  });
}

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
  { named, names }: Pick<ValueColumns, 'named' | 'names'>,
  variable: Variable | undefined,
  use: ((row: number) => boolean) | undefined,
  source?: string,
): string | undefined {
  const fromColumn =
    roles.units === undefined
      ? undefined
      : onlyText(columnOf(table, roles.units), roles.units, unitsAgree, source, use, CONVERT_OTHERS);
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
  const units = ofTable ?? fromFields?.units ?? unitOfName(names, named !== undefined);
  if (units !== undefined && variable?.units && !unitsAgree(units, variable.units)) {
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

/** What to do where units that are stated differ. */
export const CONVERT_OTHERS = ': convert it, no option does';

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
      throw new DataError({
        ...{ source, column: name, problem: 'mixed units', received: units },
        allowed: `${first.units}, as in column ${first.column}${CONVERT_OTHERS}`,
      });
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

/** The unit at the end of the name of the first column of a known variable, or as the whole name of a single column. */
function unitOfName([name, ...others]: readonly string[], isNamed: boolean): string | undefined {
  const whole = others.length === 0 && name.length > 1 ? `_${name}` : '';
  const found = (isNamed ? UNIT_AT_END.exec(name.trim()) : null) ?? UNIT_AT_END.exec(whole);
  if (found === null || !(isNamed || found.index === 0)) return undefined;
  return WRITTEN_OUT[found[1].toLowerCase()] ?? found[1];
}
