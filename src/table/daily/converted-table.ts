import { type Field, Schema, Table, type Vector } from 'apache-arrow';
import { floatArray } from '../../core/float-array.js';
import type { MemberColumn } from '../../core/member-column.js';
import type { UnitConversion } from '../../variable/unit-conversion.js';
import { unitsAgree } from '../../variable/units-agree.js';
import { quickSchema } from '../arrow/quick-schema.js';
import { columnOf } from '../arrow/table-column.js';
import { createTable, type NewColumn, numbers } from '../build/create-table.js';
import { memberName } from '../build/wide-table.js';
import { readRows } from '../rows/read-rows.js';
import type { StepTable } from './step-table.js';
import { conversionTo, resolveDayUnits, type UnitsOption } from './step-units.js';

const SECONDS_PER_DAY = 86_400;

/**
 * Converts a table of daily values to the unit of its variable; the table itself if it has that unit, or if its
 * variable or units are not known. Rows and columns stay the same, except that lists become a column for each member,
 * and a column of units is removed. Values keep their type and are rounded once; missing values become null. Throws
 * OptionError if given units contradict the table or cannot be converted.
 */
export function convertedTable(
  table: Table,
  plan: StepTable,
  options: UnitsOption,
): { table: Table; conversions: readonly string[]; accumulation?: 'per-step' } {
  const { variable } = plan;
  const { units, notes } = resolveDayUnits(plan, options);
  const asItIs = { table, conversions: [] };
  if (variable === undefined || units === undefined || unitsAgree(units, variable.units)) return asItIs;
  const conversion = conversionTo(variable, units, options.source);
  const { metadata } = table.schema;
  const { members, type } = readRows(table, { ...plan, variable, units, metadata }, options.source);
  const columns = members.map((member, m) => {
    const name = plan.values.form === 'list' ? memberName(m, members.length) : member.name;
    return numbers(name, converted(member, type, conversion));
  });
  return {
    table: withColumns(
      table,
      new Set([plan.roles.units, ...plan.values.names]),
      columns,
      variable.units,
      new Map(metadata).set('units', variable.units),
    ),
    conversions: conversion.text === undefined ? notes : [...notes, conversion.text],
    ...(conversion.perSecond && { accumulation: 'per-step' }),
  };
}

function converted(member: MemberColumn, type: 'float32' | 'float64', { factor, offset, perSecond }: UnitConversion) {
  const values = floatArray(type, member.length);
  member.copyTo(values, 0, 0, member.length);
  const seconds = perSecond ? SECONDS_PER_DAY : 1;
  for (let row = 0; row < values.length; row++) values[row] = values[row] * factor * seconds + offset;
  return values;
}

/** Replaces some columns of a table by columns of values in `units`. */
export function withColumns(
  table: Table,
  replaced: ReadonlySet<string | undefined>,
  columns: readonly NewColumn[],
  units: string,
  metadata: Map<string, string>,
): Table {
  const made = createTable(columns, new Map());
  const kept = table.schema.fields.filter(({ name }) => !replaced.has(name));
  const vectors: Record<string, Vector> = {};
  for (const { name } of kept) vectors[name] = columnOf(table, name);
  for (const { name } of columns) vectors[name] = columnOf(made, name);
  // Units in the names of the columns may be wrong now.
  const stated = new Map([['units', units]]);
  const fields: Field[] = [...kept, ...made.schema.fields.map((field) => field.clone({ metadata: stated }))];
  return new Table(quickSchema(new Schema(fields, metadata)), vectors);
}
