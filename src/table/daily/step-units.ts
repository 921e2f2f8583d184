import { type Field, Schema, Table, type Vector } from 'apache-arrow';
import type { MemberColumn } from '../../core/member-column.js';
import { floatArray } from '../../core/number-arrays.js';
import { mentionOption, OptionError, subjectIn } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import { countedConversion } from '../../variable/counted-unit.js';
import { type RateName, rateName } from '../../variable/find-variable.js';
import { type UnitConversion, unitsAgree } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { columnOf, quickSchema } from '../arrow/table-schema.js';
import { createTable, type NewColumn, numbers } from '../build/create-table.js';
import { memberName } from '../build/wide-table.js';
import { readRows } from '../rows/row-reader.js';
import type { StepTable } from './step-table.js';

/** What the caller states about the units of values. */
interface UnitsOption {
  readonly units?: string;
  readonly source?: string;
}

/** How values become values of a variable, and notes on it. */
interface StepConversion {
  readonly conversion: UnitConversion;
  readonly notes: readonly string[];
}

/**
 * The units that the table states, else the given ones: also where nothing can be made of the stated ones. Throws OptionError
 * if the two contradict each other.
 */
export function resolveUnits(
  { units: stated, variable }: Pick<StepTable, 'units'> & Partial<Pick<StepTable, 'variable'>>,
  { units: given, source }: UnitsOption,
): string | undefined {
  if (given !== undefined && stated !== undefined && !unitsAgree(given, stated)) {
    if (variable?.units && countedConversion(stated, variable.units) === undefined) return given;
    throw new OptionError({
      subject: subjectIn(source, 'units'),
      problem: 'not those that the table states',
      received: given,
      allowed: `${stated}, or no units`,
    });
  }
  return stated ?? given;
}

/**
 * How values of time steps become values of their variable. Throws OptionError if their units are not stated, unless
 * they have the CF standard name of a flux, and if they cannot be converted.
 */
export function resolveStepUnits(plan: StepTable, variable: Variable, options: UnitsOption): StepConversion {
  const units = resolveUnits(plan, options);
  // A variable that is defined in place has the units of its values.
  if (variable.units === '')
    return { conversion: conversionTo({ ...variable, units: units ?? '1' }, units ?? '1', options), notes: [] };
  const flux = units === undefined ? rateName(plan.names, variable.slug) : undefined;
  const from = units ?? flux?.units;
  if (from === undefined) throw unstated(plan, variable, options.source);
  const conversion = conversionTo(variable, from, options);
  const notes = flux === undefined ? otherUnits(plan, units) : [rateNote(flux)];
  return { conversion, notes: conversion.text === undefined ? notes : [...notes, conversion.text] };
}

/**
 * The units of daily values: those that the table states, the given ones, or what the name of a rate says. Undefined if
 * none of these is known. Throws an OptionError for a rate whose name leaves its units open.
 */
function resolveDayUnits(plan: StepTable, options: UnitsOption): { units: string | undefined; notes: string[] } {
  const units = resolveUnits(plan, options);
  const rate = units === undefined && plan.variable ? rateName(plan.names, plan.variable.slug) : undefined;
  if (rate === undefined) return { units, notes: otherUnits(plan, units) };
  if (rate.units !== undefined) return { units: rate.units, notes: [rateNote(rate)] };
  throw new OptionError({
    subject: subjectIn(options.source, 'units'),
    problem: 'not stated, for values that are rates by their name',
    received: rate.name,
    allowed: `a column named units, or ${mentionOption('units')}, such as "kg m-2 s-1" or "m s-1"`,
  });
}

/** A note for given units in place of stated ones that nothing can be made of. */
function otherUnits({ units: stated, names }: StepTable, units: string | undefined): string[] {
  return stated === undefined || units === stated ? [] : [`units of ${names.at(-1)} are ${units}, not ${stated}`];
}

function rateNote({ name, units }: RateName): string {
  return `${name}, without units, taken as ${units}`;
}

/** The conversion of units to the unit of a variable. Throws OptionError if there is none. */
function conversionTo(
  { slug, units: aim }: Variable,
  units: string,
  { units: given, source }: UnitsOption,
): UnitConversion {
  const conversion = countedConversion(units, aim);
  if (conversion !== undefined) return conversion;
  throw new OptionError({
    subject: subjectIn(source, given === undefined ? 'the units' : 'units'),
    problem: `cannot be converted to those of ${slug}`,
    received: units,
    allowed: `${aim}, or units of the same kind${given === undefined ? `; ${mentionOption('units')} states others` : ''}`,
  });
}

function unstated({ names }: StepTable, { slug, units }: Variable, source?: string): OptionError {
  return new OptionError({
    subject: subjectIn(source, 'units'),
    problem: 'not given, and values of several times a day may be in any',
    ...(names.length > 0 && { received: names.join(', ') }),
    allowed: `a column named units, or ${mentionOption('units', EXAMPLES[units] ?? units)}, for instance, for ${slug}`,
  });
}

/** Units that values of steps often have, by the unit of the variable. */
const EXAMPLES: Readonly<Record<string, string>> = {
  degC: 'K',
  mm: 'mm',
  '%': '1',
  'MJ m-2 d-1': 'W m-2',
};

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
): { table: Table; conversions: readonly string[]; units: string | undefined; accumulation?: 'per-step' } {
  const { variable } = plan;
  const { units, notes } = resolveDayUnits(plan, options);
  const asItIs = { table: statingUnits(table, plan, units), conversions: [], units };
  const isOwn = plan.units === undefined || units === plan.units;
  if (!variable?.units || units === undefined || (isOwn && unitsAgree(units, variable.units))) return asItIs;
  const conversion = conversionTo(variable, units, options);
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
    units,
    ...(conversion.perSecond && { accumulation: 'per-step' }),
  };
}

/** The table with given units of values of no known variable, where it states none itself. */
function statingUnits(table: Table, { variable, units: stated }: StepTable, units: string | undefined): Table {
  if (variable?.units || stated !== undefined || units === undefined) return table;
  const { fields, metadata } = table.schema;
  return new Table(quickSchema(new Schema(fields, new Map(metadata).set('units', units))), table.batches);
}

function converted(member: MemberColumn, type: 'float32' | 'float64', { factor, offset, perSecond }: UnitConversion) {
  const values = floatArray(type, member.length);
  member.copyTo(values, 0, 0, member.length);
  const seconds = perSecond ? DAY_SECONDS : 1;
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
