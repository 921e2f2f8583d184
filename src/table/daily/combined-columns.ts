import type { Table } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import { DataError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { type Combination, type CombinationInput, combinationFor, combine } from '../../variable/find-variable.js';
import { unitConversion } from '../../variable/unit-conversion.js';
import { columnOf } from '../arrow/table-schema.js';
import { numbers } from '../build/create-table.js';
import { parseColumnName } from '../columns/column-name.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { columnRoles } from '../columns/column-roles.js';
import { isListColumn, numberChunks, readListMembers } from '../columns/column-values.js';
import { tableUnits } from '../columns/table-variable.js';
import { valueCandidates } from '../columns/value-columns.js';
import { memberKey, type ValueGroup } from '../columns/value-groups.js';
import type { DailyTableOptions } from './daily-options.js';
import type { StepTable } from './step-table.js';
import { resolveUnits, withColumns } from './step-units.js';

/** A table with columns of a variable that is computed from two others, and the options to read it with. */
export interface CombinedColumns {
  readonly table: Table;
  readonly options: DailyTableOptions;
  readonly notes: readonly string[];
  readonly combination: Combination;
}

/**
 * Replaces the columns of two variables by columns of the requested one, which is computed from them for each row and
 * member (wind speed from its components, relative humidity from temperature and dew point); undefined if the table
 * does not have both, or has the requested variable itself. Values are Float64, null where either input is missing.
 *
 * Throws OptionError if several columns may be one of the inputs, and if their units are not stated or do not fit, and
 * DataError if the two do not have the same members.
 */
export function combinedColumns(table: Table, options: DailyTableOptions): CombinedColumns | undefined {
  const { variable, columns, source } = options;
  const combination = variable && combinationFor(variable.slug);
  if (variable === undefined || combination === undefined || columns?.value !== undefined) return undefined;
  const roles = columnRoles(table, columns, source);
  if (roles.value !== undefined || roles.variable !== undefined) return undefined;
  const groups = valueCandidates(table, roles, options);
  const isThere = groups.some((group) => [variable.slug, combination.slug].includes(group.variable?.slug ?? ''));
  const found = combination.inputs.map(({ isNamed }) => groups.filter(({ named = '' }) => isNamed(named)));
  if (isThere || found.some(({ length }) => length === 0)) return undefined;
  for (const [i, several] of found.entries()) {
    if (several.length > 1) throw severalInputs(combination, combination.inputs[i], several, source);
  }
  const [[first], [second]] = found;
  const [ofFirst, ofSecond] = [first, second].map((group, i) =>
    readInput(table, roles, group, combination.inputs[i], options),
  );
  const made = [...ofFirst.members].map(([key, values]) => {
    const others = ofSecond.members.get(key);
    if (others === undefined) throw otherMembers(combination, first, second, source);
    return numbers(
      variable.slug + key,
      values.map((value, row) => combine(combination, value, others[row])),
    );
  });
  if (ofFirst.members.size !== ofSecond.members.size) throw otherMembers(combination, first, second, source);
  const metadata = new Map(table.schema.metadata);
  for (const key of ['variable', 'standard_name', 'units']) metadata.delete(key);
  const replaced = new Set([roles.units, ...first.names, ...second.names]);
  const { units: _, ...left } = columns ?? {};
  return {
    table: withColumns(table, replaced, made, combination.units, metadata),
    options: { ...options, units: undefined, columns: left },
    notes: [
      `${combination.slug} from ${first.named} and ${second.named}`,
      ...new Set([...ofFirst.notes, ...ofSecond.notes]),
    ],
    combination,
  };
}

/**
 * Throws a DataError if the formula of a combination does not hold for daily means, and its inputs are daily values.
 */
export function assertSameSteps({ slug, needsSteps }: Combination, plan: StepTable, source?: string): void {
  if (needsSteps === undefined || plan.times !== undefined) return;
  throw new DataError({
    ...{ source, problem: `${slug} cannot be computed from one value a day: ${needsSteps}` },
    allowed: `steps shorter than a day, or columns of ${slug} itself`,
  });
}

/** The values of each member of an input, in the unit of the formula; the keys are the ends of the members' names. */
function readInput(
  table: Table,
  roles: ColumnRoles,
  group: ValueGroup,
  input: CombinationInput,
  options: DailyTableOptions,
): { members: Map<string, Float64Array>; notes: string[] } {
  const { source } = options;
  const { names, named } = group;
  const stated = tableUnits(table, roles, { names, named }, undefined, undefined, source);
  const units = resolveUnits({ units: stated }, options);
  const conversion = units === undefined ? undefined : unitConversion(units, input.units);
  if (conversion === undefined) throw wrongUnits(group, input, units, source);
  const vectors = names.map((name) => columnOf(table, name));
  const columns = isListColumn(vectors[0])
    ? readListMembers(vectors[0], names[0], source).members
    : names.map((name, i) => new MemberColumn(name, numberChunks(vectors[i], name, 'float64', source)));
  const isList = isListColumn(vectors[0]);
  const members = new Map<string, Float64Array>();
  columns.forEach((column, m) => {
    const values = new Float64Array(table.numRows);
    column.copyTo(values, 0, 0, values.length);
    for (let row = 0; row < values.length; row++) values[row] = values[row] * conversion.factor + conversion.offset;
    members.set(isList ? `_member${m}` : group.hasMembers ? nameEnd(names[m]) : '', values);
  });
  return { members, notes: conversion.text === undefined ? [] : [conversion.text] };
}

/** The end of the name of a member's column; empty for the control. */
function nameEnd(name: string): string {
  const { member } = parseColumnName(name);
  if (member === undefined || member.kind === 'control') return '';
  const key = memberKey(member);
  return member.label !== undefined ? `_${key}` : key === 'perturbed 0' ? '_pert0' : `_member${key}`;
}

function wrongUnits({ named }: ValueGroup, { what, units }: CombinationInput, received?: string, source?: string) {
  return new OptionError({
    subject: subjectIn(source, 'units'),
    problem: received === undefined ? `of ${named}, ${what}, are not stated` : `of ${named} are not those of ${what}`,
    ...(received !== undefined && { received }),
    allowed: `${units}, or units that can be converted to it, in the table or by ${mentionOption('units')}`,
  });
}

function severalInputs(
  { slug }: Combination,
  { what }: CombinationInput,
  groups: readonly ValueGroup[],
  source?: string,
): OptionError {
  return new OptionError({
    subject: source === undefined ? slug : `${source}, ${slug}`,
    problem: `several columns hold ${what}, from which it would be computed`,
    received: groups.map(({ names }) => names[0]).join(', '),
    allowed: `one column of ${what} for each member`,
  });
}

function otherMembers({ slug }: Combination, first: ValueGroup, second: ValueGroup, source?: string): DataError {
  return new DataError({
    ...{ source, problem: `${slug} cannot be computed: ${first.named} and ${second.named} have other members` },
    received: `${first.names.length} and ${second.names.length} columns`,
    allowed: 'a column of each for every member, with the same names or numbers of members',
  });
}
