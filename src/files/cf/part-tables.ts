import type { Table } from 'apache-arrow';
import type { EnsembleField } from '../../core/field.js';
import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { copyFiniteRows } from '../../ensemble/finite-rows.js';
import { memberName, wideTable } from '../../table/build/wide-table.js';

/** About how many values make up one table. */
const TABLE_VALUES = 2_097_152;

/** The metadata of an ensemble, from any format. */
export interface EnsembleTexts {
  readonly metadata: ReadonlyMap<string, string>;
  /** The slug of the variable, or its name in the input. */
  readonly variable: string | undefined;
  readonly units: string | undefined;
  /** The names of members in the input. */
  readonly members: readonly string[];
}

/** Metadata that only apply to the table that values were read from. */
const OF_INPUT = ['pandas', 'ARROW:schema', 'standard_name'];

/**
 * The metadata of a canonical table of an ensemble: those of the input, the variable and its units, and `member_names`,
 * a JSON array of the members' names in the input if columns have other names.
 */
export function canonicalMetadata({ metadata, variable, units, members }: EnsembleTexts): Map<string, string> {
  const result = new Map([...metadata].filter(([key]) => !OF_INPUT.includes(key)));
  if (variable !== undefined) result.set('variable', variable);
  if (units !== undefined) result.set('units', units);
  const isRenamed = members.some((name, m) => name !== memberName(m, members.length));
  if (isRenamed && !result.has('member_names')) result.set('member_names', JSON.stringify(members));
  return result;
}

/**
 * Turns a part of an ensemble into canonical tables of some locations each: a row for each location and day, location
 * by location. Values are copied. Throws DataError for an infinite one.
 */
export function* tablesOfPart(part: EnsemblePart, metadata: ReadonlyMap<string, string>): Generator<Table> {
  const { cells, days, members } = part.field;
  const step = Math.max(1, Math.floor(TABLE_VALUES / (days * members.length)));
  for (let cell = 0; cell < cells; cell += step) {
    yield tableOfCells(part, cell, Math.min(step, cells - cell), metadata);
  }
}

function tableOfCells(
  { field, latitude, longitude, labels }: EnsemblePart,
  first: number,
  cells: number,
  metadata: ReadonlyMap<string, string>,
): Table {
  const { days, firstDay } = field;
  const rows = cells * days;
  const ofCell = (values: Float64Array) =>
    Float64Array.from({ length: rows }, (_, row) => values[first + Math.floor(row / days)]);
  const columns = {
    latitude: ofCell(latitude),
    longitude: ofCell(longitude),
    labels: labels && {
      ...labels,
      of: Int32Array.from({ length: rows }, (_, row) => labels.of[first + Math.floor(row / days)]),
    },
    date: Int32Array.from({ length: rows }, (_, row) => firstDay + (row % days)),
    members: field.members.map((_, member) => valuesByCell(field, member, first, cells)),
  };
  return wideTable(columns, metadata);
}

/** The values of a member at some cells, with all days of a cell together. Throws DataError for an infinite one. */
function valuesByCell(field: EnsembleField, member: number, first: number, cells: number): FloatArray {
  const { type, order, days, cells: all } = field;
  const values = floatArray(type, cells * days);
  if (order === 'day-fastest') {
    copyFiniteRows(field, member, first * days, values);
    return values;
  }
  const ofDay = floatArray(type, cells);
  for (let day = 0; day < days; day++) {
    copyFiniteRows(field, member, day * all + first, ofDay);
    for (let cell = 0; cell < cells; cell++) values[cell * days + day] = ofDay[cell];
  }
  return values;
}
