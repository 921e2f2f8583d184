import type { Table, Vector } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, type FloatType, floatArray } from '../core/number-arrays.js';
import type { Places } from '../ensemble/nearest-place.js';
import { DataError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import { twoDigits } from '../period/day.js';
import { GRANULARITIES } from '../period/period.js';
import type { Threshold } from '../statistics/options.js';
import { COMPARE } from '../statistics/own-statistics.js';
import { isResultColumn, readStatistic } from '../statistics/result-column.js';
import { type Statistic, statisticName } from '../statistics/statistic.js';
import { readWindowValue } from '../statistics/window-measure.js';
import { valueUnits, type WindowValue } from '../statistics/window-value.js';
import { ownTable } from '../table/arrow/own-table.js';
import { codedColumn } from '../table/arrow/stored-values.js';
import { floatType, numberChunks, onlyText } from '../table/columns/column-values.js';
import { tableCalendar } from '../table/columns/day-column.js';
import { checkReadOptions } from '../table/columns/read-options.js';
import { findPlaces, type PlacesOfRows } from '../table/rows/table-places.js';
import { variableByName } from '../variable/find-variable.js';
import { unitsAgree } from '../variable/unit-conversion.js';
import type { Variable } from '../variable/variable.js';
import { limitStatistics, MAX_CATEGORIES } from './category-limits.js';
import { type ClimateWindows, type Climatology, climateKeys } from './climatology.js';
import { otherMetadata } from './climatology-metadata.js';
import { compared } from './compared-statistics.js';
import { windowsOfKeys } from './recurring-windows.js';
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
  const window = readWindowValue(metadata.get('window'));
  const known = variable && unitsOf(variable, window, units);
  if (known !== undefined && units !== undefined && !unitsAgree(units, known)) {
    const problem = `units are not those of ${variable?.slug}`;
    throw new DataError({ source, column: 'units', problem, received: units, allowed: known });
  }
  const rows = entriesOfRows(findPlaces(table, isResultColumn(table), source), keyOfRow, keys, source);
  const type = floatType([columnOf(table, nameOf({ kind: 'mean' }), source)]);
  const values = (statistic: Statistic) => columnValues(table, nameOf(statistic), type, source);
  const sampleColumn = nameOf({ kind: 'count', of: 'samples' });
  const samples = sampleCounts(columnValues(table, sampleColumn, 'float64', source), { ...periods, source });
  const limitColumns = limitStatistics(categories);
  const limits = limitColumns.map(values);
  assertOrdered(limitColumns.map(nameOf), limits, { ...periods, source });
  return {
    variable,
    units: known ?? units,
    ...{ granularity, window },
    reference: parseReference(metadata.get('reference') ?? ''),
    metadata: calendar === undefined ? otherMetadata(metadata) : otherMetadata(metadata).set('calendar', calendar),
    latitude: rows.latitude,
    longitude: rows.longitude,
    labels: rows.labels,
    keys,
    // An entry without a row is NaN, which becomes 0 samples.
    samples: Int32Array.from(rows.arrange(samples)),
    mean: rows.arrange(values({ kind: 'mean' })),
    ...{ quantiles, categories, thresholds },
    quantileValues: quantiles.map((probability) => rows.arrange(values({ kind: 'quantile', probability }))),
    limits: limits.map(rows.arrange),
    probabilities: thresholds.map((threshold) => rows.arrange(values({ kind: 'exceedance', threshold }))),
    [COMPARE]: compared,
  };
}

/** The units that windows of a variable have. Where it is not known what they hold, as from CSV, units of measures are accepted, too. */
function unitsOf({ units }: Variable, window: WindowValue | undefined, stated: string | undefined): string | undefined {
  if (window !== undefined) return valueUnits(window, units);
  return stated === 'd' || stated === '1' || stated === `${units} d` ? stated : units;
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

/** Rows of a climatology, for messages. */
export interface ClimatologyRows {
  readonly keys: readonly string[];
  /** The place in `keys` of each row's key. */
  readonly keyOfRow: Int32Array;
  readonly source?: string;
}

const MAX_SAMPLES = 2 ** 31 - 1;

/** Checks numbers of samples, 0 where missing. Throws DataError for the first that is not a whole number from 0. */
export function sampleCounts(values: FloatArray, rows: ClimatologyRows): FloatArray {
  return values.map((count, row) => {
    if (Number.isNaN(count)) return 0;
    if (Number.isInteger(count) && count >= 0 && count <= MAX_SAMPLES) return count;
    throw rowError(rows, row, 'n_samples', 'not a number of samples', count, 'a whole number from 0, or null');
  });
}

/** Throws DataError for the first row in which limits, one array for each, descend, or only some are missing. */
export function assertOrdered(names: readonly string[], limits: readonly FloatArray[], rows: ClimatologyRows): void {
  for (let k = 1; k < limits.length; k++) {
    const [lower, upper] = [limits[k - 1], limits[k]];
    const row = lower.findIndex((limit, i) => !(limit <= upper[i]) && !(Number.isNaN(limit) && Number.isNaN(upper[i])));
    if (row < 0) continue;
    const received = limits.map((values) => (Number.isNaN(values[row]) ? null : values[row]));
    const allowed = `${names.join(' <= ')}, or null together`;
    throw rowError(rows, row, names[k], 'limits do not ascend', received, allowed);
  }
}

function rowError(
  { keys, keyOfRow, source }: ClimatologyRows,
  row: number,
  column: string,
  problem: string,
  received: unknown,
  allowed: string,
): DataError {
  const where = { source, row: row + 1, column };
  return new DataError({ ...where, problem: `${problem} in period ${keys[keyOfRow[row]]}`, received, allowed });
}

/** The places of rows, in order of their first rows, and how rows become entries by place and key. */
export interface EntriesOfRows extends Places {
  /** Converts values of rows to values of entries; NaN where an entry has no row. */
  arrange(values: FloatArray): FloatArray;
}

/** Throws DataError for a row that repeats a key of its place. */
export function entriesOfRows(
  { placeOf, ...places }: PlacesOfRows,
  keyOfRow: Int32Array,
  keys: readonly string[],
  source?: string,
): EntriesOfRows {
  const entryOfRow = keyOfRow.map((key, row) => placeOf[row] * keys.length + key);
  const rowOf = new Int32Array(places.latitude.length * keys.length).fill(-1);
  entryOfRow.forEach((entry, row) => {
    if (rowOf[entry] >= 0) throw duplicatePeriodError(row, rowOf[entry], keys[keyOfRow[row]], source);
    rowOf[entry] = row;
  });
  return {
    ...places,
    arrange: (values) => {
      const entries = floatArray(values instanceof Float32Array ? 'float32' : 'float64', rowOf.length);
      for (let entry = 0; entry < entries.length; entry++) {
        entries[entry] = rowOf[entry] < 0 ? Number.NaN : values[rowOf[entry]];
      }
      return entries;
    },
  };
}

function duplicatePeriodError(row: number, before: number, key: string, source?: string): DataError {
  return new DataError({
    source,
    row: row + 1,
    column: 'period',
    problem: `period given twice, first in row ${before + 1}`,
    received: key,
    allowed: 'each period of a place once',
  });
}

/** The statistics that the columns of a table hold. */
export interface ClimatologyStatistics {
  readonly quantiles: readonly number[];
  readonly categories: number;
  readonly thresholds: readonly Threshold[];
  /** The name of the column that holds a statistic: most often the statistic's own. */
  nameOf(statistic: Statistic): string;
}

/**
 * Reads what the columns of a climatology are. Throws DataError where limits do not belong to equally likely
 * categories.
 */
export function readStatistics({ schema }: Table, source?: string): ClimatologyStatistics {
  const columns = new Map<string, { readonly name: string; readonly statistic: Statistic }>();
  for (const field of schema.fields) {
    const statistic = readStatistic(field);
    if (statistic !== undefined) columns.set(statisticName(statistic), { name: field.name, statistic });
  }
  const statistics = [...columns.values()].map(({ statistic }) => statistic);
  return {
    quantiles: statistics.flatMap((each) => (each.kind === 'quantile' ? each.probability : [])),
    categories: countCategories(statistics.filter(({ kind }) => kind === 'limit').map(statisticName), source),
    thresholds: statistics.flatMap((each) => (each.kind === 'exceedance' ? each.threshold : [])),
    nameOf: (statistic) => columns.get(statisticName(statistic))?.name ?? statisticName(statistic),
  };
}

function countCategories(names: readonly string[], source?: string): number {
  const categories = names.length === 0 ? 0 : names.length + 1;
  if (categories <= MAX_CATEGORIES && limitNames(categories).every((name) => names.includes(name))) return categories;
  const sets = [2, 3, 4, 5].map((count) => `${limitNames(count).join(', ')} (${count} categories)`);
  throw new DataError({
    source,
    problem: 'columns of limits that are not those of equally likely categories',
    received: names.join(', '),
    allowed: `none, or a complete set: ${sets.join('; ')}; and so on, up to ${MAX_CATEGORIES} categories`,
  });
}

function limitNames(categories: number): string[] {
  return limitStatistics(categories).map(statisticName);
}

/** The period of the year of each row. */
export interface PeriodColumn {
  readonly granularity: ClimateWindows;
  readonly keys: readonly string[];
  /** The place in `keys` of each row's key. */
  readonly keyOfRow: Int32Array;
}

const PERIOD = 'period';

/**
 * Reads the column `period`; the granularity follows from the form of its keys. Months may be numbers, as `01` is read
 * from CSV. Throws DataError where there is no such column, or a row's key is not one of the first row's granularity.
 */
export function readPeriodColumn(table: Table, calendar?: ModelCalendar, source?: string): PeriodColumn {
  const vector = table.getChild(PERIOD);
  if (vector === null || vector.length === 0) {
    throw new DataError({
      source,
      problem: vector === null ? 'no column period' : 'no rows',
      ...(vector === null && { received: table.schema.fields.map(({ name }) => name).join(', ') }),
      allowed: 'a climatology: rows with a period such as 01-31, W05 or 01, n_samples and mean',
    });
  }
  const { codes, values } = codedColumn(vector);
  const texts = values.map((value) => (typeof value === 'string' ? value : monthText(Number(value))));
  const granularities = GRANULARITIES.filter((each) => calendar === undefined || each !== 'weekly');
  const others = windowsOfKeys(
    values.filter((value) => typeof value === 'string'),
    table.schema.metadata.get('granularity'),
  );
  const known = [...granularities, ...(others === undefined ? [] : [others])].map((granularity: ClimateWindows) => ({
    granularity,
    keys: climateKeys(granularity, calendar),
  }));
  const found = known.find(({ keys }) => keys.includes(texts[codes[0]]));
  const keys = found?.keys ?? known.flatMap((each) => each.keys);
  const keyOf = new Map(keys.map((key, k) => [key, k]));
  const keyOfRow = Int32Array.from(codes, (code) => keyOf.get(texts[code]) ?? -1);
  const wrong = found === undefined ? 0 : keyOfRow.indexOf(-1);
  if (found !== undefined && wrong < 0) return { ...found, keyOfRow };
  throw new DataError({
    source,
    row: wrong + 1,
    column: PERIOD,
    problem: 'not a period of the year',
    received: texts[codes[wrong]] ?? null,
    allowed:
      found === undefined
        ? 'MM-DD, W01 to W53 or MM, or others as in the results of climatology'
        : `${keys[0]} to ${keys[keys.length - 1]}, as in the rows before`,
  });
}

function monthText(month: number): string {
  return Number.isInteger(month) && month >= 1 && month <= 12 ? twoDigits(month) : String(month);
}
