import type { Table, Vector } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import { type FloatArray, type FloatType, floatArray } from '../core/float-array.js';
import { MemberColumn } from '../core/member-column.js';
import { DataError } from '../errors.js';
import type { Statistic } from '../statistics/result-column.js';
import { ownTable } from '../table/arrow/own-table.js';
import { columnRoles } from '../table/columns/column-roles.js';
import { tableCoordinates } from '../table/columns/coordinates.js';
import { floatType, numberChunks } from '../table/columns/number-column.js';
import { checkReadOptions } from '../table/columns/read-options.js';
import { tableCalendar } from '../table/columns/table-calendar.js';
import { onlyText } from '../table/columns/text-column.js';
import { unitsAgree } from '../variable/units-agree.js';
import { type Variable, WINDOW_RULES } from '../variable/variable.js';
import { variableByName } from '../variable/variable-by-name.js';
import { limitStatistics } from './category-limits.js';
import type { Climatology } from './climatology.js';
import { readPeriodColumn, readStatistics } from './climatology-columns.js';
import { otherMetadata } from './climatology-metadata.js';
import { assertOrdered, entriesOfRows, sampleCounts } from './climatology-rows.js';
import { parseReference } from './reference-years.js';

/** How to read a table of a climatology. */
export interface ReadClimatologyOptions {
  /** Variables of your own that the table may name. */
  variables?: readonly Variable[];
  /**
   * The calendar of its days by its CF name, where the table does not state it, as from CSV: `noleap`, `360_day`, ...
   */
  calendar?: string;
  /** The name of the table in messages. */
  source?: string;
}

/**
 * Reads a climatology from a table of `climatologyTable`. From Arrow, nothing is lost; without metadata, as from CSV,
 * the granularity follows from the periods, and window and reference are not known. Rows may be in any order; entries
 * without a row have no samples. Throws DataError for what is not a climatology, such as limits that do not ascend;
 * OptionError for what is not a table.
 */
export function readClimatology(given: Table, options: ReadClimatologyOptions = {}): Climatology {
  assertKnownKeys(options, ['variables', 'calendar', 'source']);
  const { variables, source } = checkReadOptions(options);
  const table = ownTable(given, source);
  const calendar = tableCalendar(table, options);
  const periods = readPeriodColumn(table, calendar, source);
  const { granularity, keys, keyOfRow } = periods;
  const { metadata } = table.schema;
  const { nameOf, quantiles, categories, thresholds } = readStatistics(table, source);
  const slug = stated(table, 'variable', (a, b) => a === b, source);
  const variable = slug === undefined ? undefined : variableByName(slug, variables);
  const units = stated(table, 'units', unitsAgree, source);
  if (variable !== undefined && units !== undefined && !unitsAgree(units, variable.units)) {
    const problem = `units are not those of ${variable.slug}`;
    throw new DataError({ source, column: 'units', problem, received: units, allowed: variable.units });
  }
  const rows = entriesOfRows(tableCoordinates(table, columnRoles(table, {}, source), source), keyOfRow, keys, source);
  const type = floatType([columnOf(table, nameOf({ kind: 'mean' }), source)]);
  const values = (statistic: Statistic) => columnValues(table, nameOf(statistic), type, source);
  const sampleColumn = nameOf({ kind: 'count', of: 'samples' });
  const samples = sampleCounts(columnValues(table, sampleColumn, 'float64', source), { ...periods, source });
  const limitColumns = limitStatistics(categories);
  const limits = limitColumns.map(values);
  assertOrdered(limitColumns.map(nameOf), limits, { ...periods, source });
  return {
    variable,
    units: variable?.units ?? units,
    granularity,
    window: WINDOW_RULES.find((rule) => rule === metadata.get('window')),
    reference: parseReference(metadata.get('reference') ?? ''),
    metadata: calendar === undefined ? otherMetadata(metadata) : otherMetadata(metadata).set('calendar', calendar),
    latitude: rows.latitude,
    longitude: rows.longitude,
    keys,
    // An entry without a row is NaN, which becomes 0 samples.
    samples: Int32Array.from(rows.arrange(samples)),
    mean: rows.arrange(values({ kind: 'mean' })),
    ...{ quantiles, categories, thresholds },
    quantileValues: quantiles.map((probability) => rows.arrange(values({ kind: 'quantile', probability }))),
    limits: limits.map(rows.arrange),
    probabilities: thresholds.map((threshold) => rows.arrange(values({ kind: 'exceedance', threshold }))),
  };
}

/** The text that all rows of a column have, else that of the metadata. */
function stated(
  table: Table,
  name: 'variable' | 'units',
  agree: (a: string, b: string) => boolean,
  source?: string,
): string | undefined {
  const column = table.getChild(name);
  return (column === null ? undefined : onlyText(column, name, agree, source)) ?? table.schema.metadata.get(name);
}

function columnOf(table: Table, name: string, source?: string): Vector {
  const column = table.getChild(name);
  if (column !== null) return column;
  throw new DataError({
    source,
    problem: `no column ${name}`,
    received: table.schema.fields.map((field) => field.name).join(', '),
    allowed: 'a climatology: rows with a period such as 01-31, W05 or 01, n_samples and mean',
  });
}

function columnValues(table: Table, name: string, type: FloatType, source?: string): FloatArray {
  const values = floatArray(type, table.numRows);
  const chunks = numberChunks(columnOf(table, name, source), name, type, source);
  new MemberColumn(name, chunks).copyTo(values, 0, 0, table.numRows);
  return values;
}
