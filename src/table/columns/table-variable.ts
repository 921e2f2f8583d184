import type { Table } from 'apache-arrow';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import { variables as builtIn } from '../../variable/built-in.js';
import type { Variable } from '../../variable/variable.js';
import { folded, variableFinder } from '../../variable/variable-by-name.js';
import { type CodedColumn, codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import { type ColumnRoles, columnRoles } from './column-roles.js';
import type { ReadOptions } from './read-options.js';

/**
 * The variable of a table: the requested one, else that of the schema's metadata, of a column of variables that all
 * agree (`column`), or of the name of the column of values. Undefined if none of these states it. Throws OptionError if
 * a table holds several variables and none is requested, and DataError if it holds another variable than the requested
 * one.
 */
export function tableVariable(
  table: Table,
  column: CodedColumn | undefined,
  valueColumn: string | undefined,
  { variable: requested, variables = [], source }: ReadOptions,
): Variable | undefined {
  const find = variableFinder(variables);
  const known = (name: string | undefined) => (name === undefined ? undefined : find(name));
  const stated = table.schema.metadata.get('variable');
  const listed = (column?.values ?? []).map(String);
  if (requested !== undefined) {
    const other = known(stated);
    if (listed.length > 0) {
      // Rows are more exact than the table's metadata.
      if (!listed.some(meaningTest(requested, variables))) throw otherVariable(requested, listed.join(', '), source);
    } else if (other !== undefined && other.slug !== requested.slug) throw otherVariable(requested, stated, source);
    return requested;
  }
  if (listed.length > 1) {
    throw new OptionError({
      subject: source === undefined ? 'variable' : `${source}, variable`,
      problem: 'the table holds several',
      received: listed.join(', '),
      allowed: `one of them, by ${mentionOption('variable')}`,
    });
  }
  const [listedVariable, statedVariable] = [known(listed[0]), known(stated)];
  if (listed.length > 0 && statedVariable !== undefined && listedVariable?.slug !== statedVariable.slug) {
    throw new DataError({
      source,
      problem: `the metadata say ${stated}, the column of variables another`,
      received: listed[0],
      allowed: `one variable, or the one that is meant by ${mentionOption('variable')}`,
    });
  }
  return statedVariable ?? listedVariable ?? known(valueColumn);
}

/**
 * Which rows are of the variable, by a column of variables; undefined if all are. If the column has several names for
 * the variable, the caller's name counts. Throws an OptionError if none of them is that name, and a DataError if each
 * row has all members.
 */
export function variableRows(
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
    throw severalNames(
      variable,
      listed.filter((_, code) => isOfVariable[code]),
      source,
    );
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

function severalNames({ slug }: Variable, received: readonly string[], source?: string): OptionError {
  return new OptionError({
    subject: source === undefined ? 'variable' : `${source}, variable`,
    problem: `several names in the column of variables mean ${slug}`,
    received: received.join(', '),
    allowed: 'one of them, named as the variable',
  });
}

/** The error for a table that holds `found` only. */
export function otherVariable(requested: Variable, found: string | undefined, source?: string): DataError {
  return new DataError({
    source,
    problem: `does not hold ${requested.slug}`,
    received: found,
    allowed: `a table of ${requested.slug}, or another of ${builtIn.map(({ slug }) => slug).join(', ')} as the variable`,
  });
}
