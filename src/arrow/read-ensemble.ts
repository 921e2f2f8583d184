import type { Table, Vector } from 'apache-arrow';
import type { FloatType } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { DataError, OptionError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { Variable } from '../variable/variable.js';
import { variableByName } from '../variable/variable-by-name.js';
import { type ColumnRoles, columnRoles, otherColumns } from './column-roles.js';
import { dayColumn } from './day-column.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import { fieldsOfRows } from './fields-of-rows.js';
import { isListColumn, membersOfList } from './list-column.js';
import { fieldsOfLongTable } from './long-table.js';
import { floatType, looksNumeric, numberChunks } from './number-column.js';
import type { ReadOptions } from './read-options.js';
import type { RowIndex } from './row-blocks.js';
import { tableVariable, variableRows } from './table-variable.js';
import { onlyText } from './text-column.js';

/**
 * Reads daily values of one variable from an Arrow table in any of four forms: wide (a column per member), long (a row per
 * member and day), a list of members in each row, or a single series, which is an ensemble of one. One place or many; nulls and
 * NaN are missing. Throws DataError for what is wrong in the table and OptionError for what the options ask in vain.
 */
export function readEnsemble(table: Table, options: ReadOptions = {}): Ensemble {
  const { source } = options;
  const roles = columnRoles(table, options.columns);
  const index = rowIndex(table, roles, source);
  const values = valueColumns(table, roles, options);
  const variable = tableVariable(table, roles, values.named, options);
  const use = variableRows(table, roles, variable, options);
  const units = tableUnits(table, roles, variable, use, options);
  const parts = readParts(table, roles, values, index, use, options);
  return {
    variable,
    units: variable?.units ?? units,
    metadata: table.schema.metadata,
    parts: withCoordinates(parts, table),
  };
}

function rowIndex(table: Table, roles: ColumnRoles, source?: string): RowIndex {
  if (roles.date === undefined) {
    throw new DataError({
      source,
      problem: 'no column of dates',
      received: table.schema.fields.map((field) => field.name).join(', '),
      allowed: 'a column named date, time, datetime or valid_time, or one given as date=NAME',
    });
  }
  if ((roles.latitude === undefined) !== (roles.longitude === undefined)) {
    const [there, lacking] = roles.latitude === undefined ? ['longitude', 'latitude'] : ['latitude', 'longitude'];
    throw new DataError({ source, problem: `a column of ${there} but none of ${lacking}`, allowed: 'both or none' });
  }
  const coordinate = (name?: string) => {
    if (name === undefined) return undefined;
    const column = new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64', source));
    const values = new Float64Array(table.numRows);
    column.copyTo(values, 0, 0, table.numRows);
    return values;
  };
  return {
    days: dayColumn(columnOf(table, roles.date), roles.date, source),
    latitude: coordinate(roles.latitude),
    longitude: coordinate(roles.longitude),
    dateColumn: roles.date,
    source,
  };
}

function columnOf(table: Table, name: string): Vector {
  return table.getChild(name) as Vector;
}

/** Which columns hold the values, and in which form. */
interface ValueColumns {
  readonly form: 'wide' | 'long' | 'list' | 'series';
  readonly names: readonly string[];
  /** The name of the one column that all values are in, which may tell the variable. */
  readonly named?: string;
}

function valueColumns(table: Table, roles: ColumnRoles, { variable, variables, source }: ReadOptions): ValueColumns {
  const others = otherColumns(table, roles);
  const lists = others.filter((name) => isListColumn(columnOf(table, name)));
  const numbers = others.filter((name) => looksNumeric(columnOf(table, name)));
  const single = (name: string): ValueColumns => ({
    form: isListColumn(columnOf(table, name)) ? 'list' : roles.member === undefined ? 'series' : 'long',
    names: [name],
    named: name,
  });
  if (roles.value !== undefined) return single(roles.value);
  const candidates = lists.length > 0 ? lists : numbers;
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
  const meaning = candidates.map((name) => variableByName(name, variables));
  const severalVariables =
    lists.length > 0 ||
    roles.member !== undefined ||
    (meaning.some((found) => found !== undefined) && !isNumbered(candidates));
  if (!severalVariables) return { form: 'wide', names: candidates };
  const wanted = candidates.filter((_, i) => variable !== undefined && meaning[i]?.slug === variable.slug);
  if (wanted.length === 1) return single(wanted[0]);
  throw new OptionError({
    subject: source === undefined ? 'value column' : `${source}, value column`,
    problem: wanted.length > 1 ? `several columns are ${variable?.slug}` : 'several columns may be meant',
    received: (wanted.length > 1 ? wanted : candidates).join(', '),
    allowed: 'one of them, given as value=NAME',
  });
}

/** Whether names differ by a number at the end only: `m01`, `m02`, ... */
function isNumbered(names: readonly string[]): boolean {
  const stems = new Set(names.map((name) => /^(.*?)\d+$/.exec(name)?.[1]));
  return stems.size === 1 && !stems.has(undefined);
}

function readParts(
  table: Table,
  roles: ColumnRoles,
  { form, names }: ValueColumns,
  index: RowIndex,
  use: ((row: number) => boolean) | undefined,
  { source }: ReadOptions,
): EnsemblePart[] {
  const vectors = names.map((name) => columnOf(table, name));
  if (form === 'list') {
    const { members, type } = membersOfList(vectors[0], names[0], source);
    return fieldsOfRows(index, members, type);
  }
  const type: FloatType = vectors.every((vector) => floatType(vector) === 'float32') ? 'float32' : 'float64';
  const columns = names.map((name, i) => new MemberColumn(name, numberChunks(vectors[i], name, type, source)));
  if (form !== 'long') return fieldsOfRows(index, columns, type);
  const member = columnOf(table, roles.member as string);
  return fieldsOfLongTable({ ...index, member, memberColumn: roles.member as string, value: columns[0], type, use });
}

/** The units that the table states; they must be the variable's. */
function tableUnits(
  table: Table,
  roles: ColumnRoles,
  variable: Variable | undefined,
  use: ((row: number) => boolean) | undefined,
  { source }: ReadOptions,
): string | undefined {
  const stated =
    roles.units === undefined
      ? table.schema.metadata.get('units')
      : onlyText(columnOf(table, roles.units), roles.units, unitsAgree, source, use);
  if (stated !== undefined && variable !== undefined && !unitsAgree(stated, variable.units)) {
    throw new DataError({
      source,
      column: roles.units,
      problem: `units are not those of ${variable.slug}`,
      received: stated,
      allowed: `${variable.units}; convert the values first`,
    });
  }
  return stated;
}

/** Coordinates from the schema's metadata where no column has them. */
function withCoordinates(parts: EnsemblePart[], table: Table): EnsemblePart[] {
  const latitude = Number.parseFloat(table.schema.metadata.get('latitude') ?? '');
  const longitude = Number.parseFloat(table.schema.metadata.get('longitude') ?? '');
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return parts;
  return parts.map((part) => ({
    ...part,
    latitude: part.latitude.map((own) => (Number.isNaN(own) ? latitude : own)),
    longitude: part.longitude.map((own) => (Number.isNaN(own) ? longitude : own)),
  }));
}
