import type { Table } from 'apache-arrow';
import { type ClimateWindows, climateKeys } from '../../../climate/climatology.js';
import { windowsOfKeys } from '../../../climate/recurring-windows.js';
import { cellsOfGrid } from '../../../ensemble/grid.js';
import { DataError } from '../../../errors.js';
import { isResultColumn } from '../../../statistics/result-column.js';
import type { Statistic } from '../../../statistics/statistic.js';
import { kindOf } from '../../../statistics/statistic-kinds.js';
import { codedColumn } from '../../../table/arrow/stored-values.js';
import { columnOf } from '../../../table/arrow/table-schema.js';
import { onlyText } from '../../../table/columns/column-values.js';
import { tableCalendar } from '../../../table/columns/day-column.js';
import { findPlaces } from '../../../table/rows/table-places.js';
import { variableByName } from '../../../variable/find-variable.js';
import { type Variable, WINDOW_RULES, type WindowRule } from '../../../variable/variable.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { NetcdfContent } from '../../netcdf4/netcdf-content.js';
import { type Axes, cellAxes } from '../cells/grid-axes.js';
import { findGrid } from '../cells/grid-of-places.js';
import { type ClimateSamples, climatologyTime, periodArray, periodCode } from './climatology-time.js';
import { fileAttributes } from './file-attributes.js';
import { resultArrays } from './result-arrays.js';
import { given, METHODS } from './statistics-attributes.js';
import { arrangedColumns, assertUnique } from './table-results.js';

/**
 * The attribute with the metadata of a table in their order, as a JSON object: other attributes cannot hold all of them
 * unchanged.
 */
export const TABLE_METADATA = 'plumecast_metadata';

/** Whether a table is a climatology, by its columns. */
export function isClimatologyTable({ schema }: Table): boolean {
  const names = schema.fields.map(({ name }) => name);
  return ['period', 'n_samples', 'mean'].every((name) => names.includes(name));
}

/** Whether a file holds a climatology, as written by `climatologyNetcdf`. */
export function isClimatologyFile({ arrays }: ArrayFile): boolean {
  const period = arrays.get('period');
  return period?.dimensions.length === 1 && [...arrays.keys()].some((name) => name.endsWith('_n_samples'));
}

/**
 * Converts a climatology table to the content of a NetCDF file, by the CF conventions (1.8): arrays
 * `precipitation_mean(time, latitude, longitude)`, `precipitation_quantile(quantile, time, latitude, longitude)`,
 * `precipitation_n_samples`, `precipitation_t33` and so on, along climatological time (section 7.4), with the periods
 * of the year as numbers. Where the table does not state the reference years or how days were combined, times are not
 * known, and arrays lie along `period`. The file keeps all that the table states, so that the table can be created from
 * it again. Places that form a grid, row by row, become one. Throws DataError for rows that contradict each other.
 */
export function climatologyNetcdf(
  table: Table,
  options: { variables?: readonly Variable[]; calendar?: string; source?: string } = {},
): NetcdfContent {
  const { variables, source } = options;
  const metadata = new Map(table.schema.metadata);
  const calendar = tableCalendar(table, options);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  for (const name of ['variable', 'units']) {
    const column = table.getChild(name);
    const text = column === null ? undefined : onlyText(column, name, (a, b) => a === b, source);
    if (text !== undefined && text !== metadata.get(name)) metadata.set(name, text);
  }
  const { granularity, codes, periodOf } = readPeriods(table, source);
  metadata.set('granularity', `${granularity}`);
  const { latitude, longitude, labels, placeOf } = findPlaces(table, isResultColumn(table), source);
  const found = findGrid(latitude, longitude, labels);
  // A table created from the file has places in the order of the grid: other orders must not become a grid.
  const isInOrder = found.cellOf.every((cell, place) => cell === place);
  const grid = isInOrder
    ? found.grid
    : { kind: 'places' as const, latitude, longitude, labels, shape: [latitude.length] as const };
  const cells = cellsOfGrid(grid);
  const at = Int32Array.from(placeOf, (place, row) => periodOf[row] * cells + place);
  assertUnique(at, codes.length * cells, source);
  const slug = metadata.get('variable');
  const variable = slug === undefined ? undefined : variableByName(slug, variables);
  const results = {
    ...{ grid, variable, metadata, windows: { count: codes.length } },
    ...arrangedColumns(table, at, cells, codes.length, labels),
  };
  const samples = readSamples(metadata, granularity, calendar);
  const axis = samples === undefined ? createPeriodAxis(codes.length) : climatologyTime(codes, samples);
  const along = samples === undefined ? 'period' : 'time';
  const axes = cellAxes(grid);
  const window = WINDOW_RULES.find((rule) => rule === metadata.get('window'));
  const methods = samples && window && climateMethods(samples, window);
  const described = { name: slug ?? 'values', variable, units: metadata.get('units'), methods };
  const attributes = (statistic: Statistic | undefined, column: string) =>
    columnAttributes(statistic, column, described);
  const arrays = resultArrays(results, { along, cells: axes, attributes, quantilesOf: 'samples' });
  return {
    dimensions: new Map([...axis.dimensions, ...arrays.dimensions, ...axes.dimensions]),
    ...(samples && { unlimited: 'time' }),
    attributes: new Map([
      ...fileAttributes(metadata, `${granularity} climatology of ${slug ?? 'values'}`),
      [TABLE_METADATA, JSON.stringify(Object.fromEntries(metadata))],
    ]),
    arrays: [...axis.arrays, periodArray(codes, granularity, along), ...arrays.axes, ...axes.arrays, ...arrays.arrays],
  };
}

/** Reads the periods of rows, in order, as the numbers of `periodCode`. */
function readPeriods(table: Table, source: string | undefined) {
  const { codes: ofRows, values } = codedColumn(columnOf(table, 'period'));
  // Readers of CSV read months such as 01 as numbers.
  const keys = values.map((value) => (typeof value === 'string' ? value : String(value).padStart(2, '0')));
  const granularity = granularityOf(keys[0]) ?? windowsOfKeys(keys, table.schema.metadata.get('granularity'));
  const known = typeof granularity === 'object' ? climateKeys(granularity) : undefined;
  const isOf = (key: string) => known?.includes(key) ?? granularityOf(key) === granularity;
  const wrong = ofRows.findIndex((code) => code < 0 || !isOf(keys[code]));
  if (granularity === undefined || wrong >= 0) {
    throw new DataError({
      ...{ source, row: Math.max(0, wrong) + 1, column: 'period', problem: 'not a period of the year' },
      received: keys[ofRows[Math.max(0, wrong)]] ?? null,
      allowed: 'MM-DD, W01 to W53, MM or others of climatologies, the same form in all rows',
    });
  }
  const codeOf = keys.map((key) => periodCode(key, granularity));
  const codes = Int32Array.from(new Set(codeOf)).sort();
  const place = new Map([...codes].map((code, index) => [code, index]));
  const periodOf = ofRows.map((code) => place.get(codeOf[code]) as number);
  return { granularity, codes, periodOf };
}

function granularityOf(key: string | undefined): ClimateWindows | undefined {
  if (/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(key ?? '')) return 'daily';
  if (/^W(0[1-9]|[1-4]\d|5[0-3])$/.test(key ?? '')) return 'weekly';
  return /^(0[1-9]|1[0-2])$/.test(key ?? '') ? 'monthly' : undefined;
}

/** Reads the years and days of samples from the metadata; undefined where these do not state them. */
function readSamples(
  metadata: ReadonlyMap<string, string>,
  granularity: ClimateWindows,
  calendar: ClimateSamples['calendar'],
): ClimateSamples | undefined {
  const [, first, last] = /^(\d{4})-(\d{4})$/.exec(metadata.get('reference') ?? '') ?? [];
  if (first === undefined || metadata.get('window') === undefined) return undefined;
  const halfWidth = Number(metadata.get('half_width') ?? 0);
  return { granularity, calendar, firstYear: Number(first), lastYear: Number(last), halfWidth };
}

/** The cell methods of a mean: within days, within years, and over years. */
function climateMethods({ granularity }: ClimateSamples, window: WindowRule): string {
  const days = METHODS[window];
  const comment = window === 'count' ? ' (number of days)' : '';
  return granularity === 'daily'
    ? `time: ${days} within days time: mean over days time: mean over years${comment}`
    : `time: ${days} within years time: mean over years${comment}`;
}

function createPeriodAxis(length: number): Axes {
  return { dimensions: [['period', length]], arrays: [] };
}

function columnAttributes(
  statistic: Statistic | undefined,
  column: string,
  {
    name,
    variable,
    units,
    methods,
  }: { name: string; variable: Variable | undefined; units: string | undefined; methods: string | undefined },
) {
  if (statistic === undefined) return given({ long_name: `${name}, ${column}` });
  const { measure, longName } = kindOf(statistic);
  const text = longName(statistic, 'samples', units ?? '', column);
  const long_name = `${name}, ${text}`;
  switch (measure) {
    case 'number':
      return given({ long_name: text, units: '1' });
    case 'value': {
      const cell_methods = statistic.kind === 'mean' ? methods : undefined;
      return given({ standard_name: variable?.standardName, long_name, units, cell_methods });
    }
    case 'limit':
    case 'deviation':
    case 'difference':
      return given({ long_name, units });
    case 'share':
      return given({ long_name, units: '1' });
  }
}
