import type { Table, Vector } from 'apache-arrow';
import { DataError, OptionError } from '../errors.js';
import { variableByName } from '../variable/variable-by-name.js';
import { type ColumnRoles, otherColumns } from './column-roles.js';
import { isListColumn } from './list-column.js';
import { looksNumeric } from './number-column.js';
import type { ReadOptions } from './read-options.js';

/** Which columns hold the values, and in which form. */
export interface ValueColumns {
  readonly form: 'wide' | 'long' | 'list' | 'series';
  readonly names: readonly string[];
  /** The name of the one column that all values are in, which may tell the variable. */
  readonly named?: string;
}

/**
 * Finds the columns of values: the one that has the role, else lists, else those that hold numbers and whose name says nothing
 * else. Throws DataError where there is none, and OptionError where one of several has to be named.
 */
export function valueColumns(
  table: Table,
  roles: ColumnRoles,
  { variable, variables, source }: ReadOptions,
): ValueColumns {
  const single = (name: string): ValueColumns => ({
    form: isListColumn(columnOf(table, name)) ? 'list' : roles.member === undefined ? 'series' : 'long',
    names: [name],
    named: name,
  });
  if (roles.value !== undefined) return single(roles.value);
  const others = otherColumns(table, roles);
  const lists = others.filter((name) => isListColumn(columnOf(table, name)));
  const candidates = lists.length > 0 ? lists : numberColumns(table, others);
  if (candidates.length === 0) {
    throw new DataError({
      source,
      problem: 'no column of values',
      received: table.schema.fields.map((field) => field.name).join(', '),
      allowed:
        'a column of numbers for each member, one of lists, or one named value, prediction, or given as value=NAME',
    });
  }
  if (candidates.length === 1) return single(candidates[0]);
  const mayBeMembers = lists.length === 0 && roles.member === undefined;
  if (mayBeMembers && isNumbered(candidates)) return { form: 'wide', names: candidates };
  const meaning = candidates.map((name) => variableByName(name, variables));
  if (mayBeMembers && meaning.every((found) => found === undefined)) return { form: 'wide', names: candidates };
  const wanted = candidates.filter((_, i) => variable !== undefined && meaning[i]?.slug === variable.slug);
  if (wanted.length === 1) return single(wanted[0]);
  throw new OptionError({
    subject: source === undefined ? 'value column' : `${source}, value column`,
    problem: wanted.length > 1 ? `several columns are ${variable?.slug}` : 'several columns may be meant',
    received: (wanted.length > 1 ? wanted : candidates).join(', '),
    allowed: 'one of them, given as value=NAME',
  });
}

/** Columns of numbers, and those numbered like them: a member that is missing throughout, or of which no text is a number. */
function numberColumns(table: Table, names: readonly string[]): string[] {
  const numbers = new Set(names.filter((name) => looksNumeric(columnOf(table, name))));
  const stems = new Set([...numbers].map(stem));
  stems.delete(undefined);
  return names.filter((name) => numbers.has(name) || stems.has(stem(name)));
}

/** Whether names differ by a number at the end only: `m01`, `m02`, ... */
function isNumbered(names: readonly string[]): boolean {
  const stems = new Set(names.map(stem));
  return stems.size === 1 && !stems.has(undefined);
}

/** What stands before the number at a name's end. */
function stem(name: string): string | undefined {
  return /^(.*?)\d+$/.exec(name)?.[1];
}

function columnOf(table: Table, name: string): Vector {
  return table.getChild(name) as Vector;
}
