import { tmpdir } from 'node:os';
import type { Table } from 'apache-arrow';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import type { Climatology } from '../climate/climatology.js';
import { type Condition, neededQuantiles, withVariables } from '../condition/condition.js';
import { conditionStatistic, conditionText } from '../condition/condition-text.js';
import type { Core } from '../core/load.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import { isWithinBox } from '../ensemble/bounding-box.js';
import type { Grid } from '../ensemble/grid.js';
import { noValues } from '../ensemble/has-values.js';
import { DataError, mentionOption, OptionError } from '../errors.js';
import { windowValues } from '../files/cf/content/statistic-columns.js';
import { isStatisticsFile } from '../files/cf/content/statistics-netcdf.js';
import { isStatisticsTable } from '../files/cf/content/table-results.js';
import { dateText, dayText } from '../period/calendar.js';
import {
  GRANULARITIES,
  type Granularity,
  keyGranularity,
  parsePeriod,
  type WindowTable,
  windowKeys,
} from '../period/period.js';
import { likelyTerciles, TERCILE } from '../plot/map/likely-tercile.js';
import type { MapField } from '../plot/map/map-field.js';
import { chosenWindow, mapField, shownColumns } from '../plot/map/read-map-field.js';
import { readStatistic } from '../statistics/result-column.js';
import { parseStatisticName, type Statistic, statisticName } from '../statistics/statistic.js';
import { kindOf } from '../statistics/statistic-kinds.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { variableByName } from '../variable/find-variable.js';
import type { VariableSlug } from '../variable/slug.js';
import { assertVariable, chosenResults } from './chosen-results.js';
import { computeResults } from './compute-grid.js';
import { openGridStatistics } from './grid-statistics.js';
import { type ArrayInput, type Input, openInput, type TableInput } from './input.js';
import type { InputFile } from './input-file.js';
import type { ValueOptions } from './input-request.js';
import type { Report } from './notice.js';
import { OptionUse } from './option-use.js';
import { openStatisticsNetcdf } from './read-statistics-netcdf.js';
import { TableStatistics } from './statistics-of-input.js';
import { collectTable } from './table-ensembles.js';

/** Which values of an input a map shows. */
export interface MapRequest {
  /** Which variable, if the input has several or does not name it. */
  readonly variable?: string;
  /** The name of a column of results. Default: the share of the condition, or the mean. */
  readonly statistic?: string;
  /** The key of the window. Default: the first one. */
  readonly period?: string;
  readonly statistics: Omit<StatisticsAgainstOptions, 'variable' | 'thresholds'>;
  /** Conditions on the variable; a map shows one of them, or another statistic. */
  readonly conditions?: readonly Condition[];
  readonly values: ValueOptions;
  readonly climatology?: Climatology;
}

/** Bytes of values of a file of arrays that are read at a time. */
const GRID_BYTES = 268_435_456;

/**
 * Reads one statistic of one window of an input on its grid: computed from members, or as results have it. Reports
 * conversions and warnings. Throws OptionError for a statistic or a window that the input does not have, and what
 * reading and computing throw.
 */
export async function mapOfInput(
  core: Core,
  file: string | InputFile,
  request: MapRequest,
  report: Report,
): Promise<MapField> {
  const name = statisticOf(request);
  const use = new OptionUse(request.values, { isOne: true });
  const input = await openInput(file, request.values, report, { use });
  const { source } = input;
  try {
    const field = await fieldOfInput(core, input, name, { ...request, use });
    if (field.values.length > 1) {
      if (Array.prototype.every.call(field.values, Number.isNaN)) throw noValues(source);
      return field;
    }
    const allowed = 'a grid, or several places';
    throw new DataError({ source, problem: 'has a single place, and a map is of several', allowed });
  } finally {
    await input.close();
  }
}

/** What is requested, and what sees which value options are used. */
type UsedRequest = MapRequest & { readonly use: OptionUse };

async function fieldOfInput(core: Core, input: Input, name: string, request: UsedRequest): Promise<MapField> {
  const { source } = input;
  const areResults = input.kind === 'arrays' ? isStatisticsFile(input.arrays) : await isOfResults(core, input);
  if (areResults) request.use.results(source, ['bbox']);
  if (input.kind === 'arrays')
    return areResults ? fieldOfResults(input, name, request) : fieldOfGrid(core, input, name, request);
  const { variable, period, values } = request;
  const table = areResults
    ? chosenResults(await collectTable(core, input, 'it is drawn'), { variable, calendar: values.calendar }, source)
    : joinTables(await allTables(statisticsOfTable(core, input, name, request)));
  return mapField(table, { statistic: name, period, source });
}

async function isOfResults(core: Core, input: TableInput): Promise<boolean> {
  for await (const table of input.tables(core)) return isStatisticsTable(table);
  return false;
}

function statisticsOfTable(core: Core, input: TableInput, name: string, request: UsedRequest): AsyncIterable<Table> {
  const { climatology, values, use, period } = request;
  const statistics = optionsFor(name, request);
  // The last day of a month depends on the calendar.
  const granularity = granularityOfKey(period, request);
  if (period === undefined || granularity === undefined || granularity === 'monthly') {
    return new TableStatistics(core, input, { statistics, values, climatology, use }).tables();
  }
  const { start, end } = parsePeriod(period);
  const dates = {
    startDate: later(dateText(undefined, start), statistics.startDate),
    endDate: earlier(dateText(undefined, end), statistics.endDate),
  };
  const within = { ...statistics, ...dates };
  return new TableStatistics(core, input, { statistics: within, values, climatology, use }).tables();
}

function statisticOf({ statistic, conditions = [] }: MapRequest): string {
  if (statistic !== undefined) return statistic;
  const names = conditions.map(columnName);
  if (names.length < 2) return names[0] ?? 'mean';
  throw new OptionError({
    subject: 'thresholds',
    problem: 'a map shows one of them',
    received: names.length,
    allowed: `one threshold, or one of ${names.map((name) => mentionOption('statistic', name)).join(', ')}`,
  });
}

/** The name of the column of a condition, which does not name the variable there. */
function columnName(condition: Condition): string {
  return statisticName(conditionStatistic(withVariables(condition, () => undefined)));
}

/** The options that add the column of a statistic to results; `none` where no forecast has it. */
function columnOptions(statistic: Statistic): StatisticsAgainstOptions | 'none' {
  switch (statistic.kind) {
    case 'mean':
    case 'category':
      return {};
    case 'count':
      return statistic.of === 'members' ? {} : 'none';
    case 'quantile':
      return { quantiles: [statistic.probability] };
    case 'spread':
      return { spread: true };
    case 'exceedance':
      return { thresholds: [statistic.threshold] };
    case 'climate-exceedance':
      return { exceed: [statistic.probability] };
    case 'anomaly':
      return { anomaly: true };
    case 'limit':
    case 'condition':
    case 'value-band':
    case 'share-band':
      return 'none';
  }
}

/**
 * The days, weeks or months that the key of a window says; undefined where others are requested, of which it is one.
 * Throws OptionError for a key of none.
 */
function granularityOfKey(period: string | undefined, { statistics }: MapRequest): Granularity | undefined {
  const { granularity } = statistics;
  const isOther = granularity !== undefined && !(GRANULARITIES as readonly string[]).includes(`${granularity}`);
  return period === undefined || isOther ? undefined : keyGranularity(period);
}

/** The options that make a column of results. Throws OptionError for a name that is not one. */
function optionsFor(name: string, request: MapRequest): StatisticsAgainstOptions {
  const { statistics, variable, period, climatology } = request;
  const condition = request.conditions?.find((each) => columnName(each) === name);
  const statistic = condition ? conditionStatistic(condition) : parseStatisticName(name);
  const own = condition
    ? { thresholds: [conditionText(withVariables(condition, () => undefined))] }
    : name === TERCILE
      ? {}
      : statistic === undefined
        ? 'none'
        : columnOptions(statistic);
  const isKnown = own !== 'none';
  const isCompared = condition
    ? neededQuantiles([condition]).length > 0
    : name === TERCILE || (statistic && kindOf(statistic).isCompared);
  if (!isKnown || (climatology === undefined && isCompared)) {
    const problem = isKnown ? 'needs a climatology' : 'there is no such statistic';
    const compared = climatology === undefined ? `; with ${mentionOption('climatology')} also ` : ', ';
    const always = 'mean, q10 (or another quantile), spread, p_gt_20 (or another threshold), n_members';
    const allowed = `${always}${compared}p_below, p_normal, p_above, tercile, anomaly`;
    throw new OptionError({ subject: 'statistic', problem, received: name, allowed });
  }
  const granularity = granularityOfKey(period, request);
  return {
    ...statistics,
    ...(variable !== undefined && { variable: variable as VariableSlug }),
    ...(granularity !== undefined && { granularity }),
    ...(period === undefined &&
      statistics.granularity === undefined &&
      climatology !== undefined && { granularity: climatology.granularity }),
    ...{ quantiles: [0.5], thresholds: [], spread: false },
    ...(climatology !== undefined && { anomaly: false, exceed: [] }),
    ...own,
  };
}

async function fieldOfGrid(core: Core, input: ArrayInput, name: string, request: UsedRequest): Promise<MapField> {
  const { climatology, values, use, period } = request;
  const statistics = optionsFor(name, request);
  const shared = { values, climatology, keepsGrid: true, use };
  const all = await openGridStatistics(core, input, { ...shared, statistics });
  const window = indexOfWindow(all.windows, period, input.source);
  const { start, end, calendar } = all.windows;
  const { granularity } = all.windows;
  const key = windowKeys(all.windows)[window];
  const [startDate, endDate] = [start, end].map((days) => dateText(calendar, days[window]).slice(0, 10));
  // Days of other windows are not read.
  const dates = { startDate: later(startDate, statistics.startDate), endDate: earlier(endDate, statistics.endDate) };
  const one = await openGridStatistics(core, input, { ...shared, statistics: { ...statistics, ...dates } });
  const path = temporaryPath(tmpdir(), 'plumecast');
  const work = { core, bytes: GRID_BYTES, results: path, progress: () => {} };
  const { results, close } = await computeResults(one, work, 'unnamed');
  try {
    const cube = one.onGrid(results);
    const columns = cube.columns.map((each, at) => ({ name: each.name, statistic: readStatistic(each), at }));
    const chosen = shownColumns(columns, name, input.source);
    // Windows within this one are among them, too.
    const place = windowKeys(one.windows).indexOf(key);
    const shares: Float64Array[] = [];
    for (const { at } of chosen) shares.push(Float64Array.from(await cube.read(at, place, 1)));
    const { grid, values } = await onWholeGrid(core, input, { grid: cube.grid, values: shares }, request);
    return {
      ...{ grid, ...(name === TERCILE ? likelyTerciles(values) : { values: values[0] }) },
      ...(name !== TERCILE && { statistic: chosen[0].statistic ?? parseStatisticName(name) }),
      ...{
        variable: cube.variable?.slug ?? cube.metadata.get('variable'),
        units: cube.units,
        window: cube.metadata.get('window'),
      },
      ...{
        granularity,
        period: key,
        start: start[window],
        end: end[window],
        metadata: cube.metadata,
        members: one.members,
      },
    };
  } finally {
    close();
  }
}

/** Values of cells that are a list of places, since they are not all cells of a curvilinear grid, on this grid; others as they are. */
async function onWholeGrid(
  core: Core,
  input: ArrayInput,
  given: GridValues,
  { values: { bbox, ...stated }, statistics: { columns }, variable }: MapRequest,
): Promise<GridValues> {
  const { grid, values } = given;
  if (grid.kind !== 'places' || grid.shape.length !== 1 || grid.latitude.length < 2) return given;
  const statistics = { columns, ...(variable !== undefined && { variable: variable as VariableSlug }) };
  const request = { statistics, values: stated, keepsGrid: true };
  const { ensemble } = await openGridStatistics(core, { ...input, report: () => {} }, request);
  const embedded = embedCells(values, ensemble.grid, (latitude, longitude) =>
    bbox === undefined ? !Number.isNaN(latitude + longitude) : isWithinBox(bbox, latitude, longitude),
  );
  return embedded ?? given;
}

function later(date: string, other: string | Date = date): string {
  return dayText(other) > date ? dayText(other) : date;
}

function earlier(date: string, other: string | Date = date): string {
  return dayText(other) < date ? dayText(other) : date;
}

/** The index of the window with a key, or of the first one. */
function indexOfWindow(windows: WindowTable, period: string | undefined, source: string) {
  return period === undefined ? 0 : chosenWindow(windowKeys(windows), period, source);
}

/** The values of a file of results. */
async function fieldOfResults(input: ArrayInput, name: string, { period, variable }: MapRequest): Promise<MapField> {
  const { source } = input;
  const { slug, units, layout, columns, windows, axes, metadata } = await openStatisticsNetcdf(input.arrays);
  assertVariable(slug, variable, source);
  const chosen = shownColumns(columns, name, source);
  const complete = windows.complete.indexOf(1);
  const window = period === undefined ? Math.max(0, complete) : indexOfWindow(windows, period, source);
  const shares: Float64Array[] = [];
  for (const column of chosen)
    shares.push(Float64Array.from(await windowValues(column, axes, window, layout.length.y)));
  const count = columns.find((each) => each.name === 'n_members');
  const members = count && Float64Array.from(await windowValues(count, axes, window, layout.length.y));
  const { start, end } = windows;
  const { granularity } = windows;
  return {
    ...{ grid: layout.cells.grid, variable: slug, units, metadata },
    ...(name === TERCILE ? likelyTerciles(shares) : { values: shares[0], statistic: chosen[0].statistic }),
    window: metadata.get('window') ?? variableByName(slug)?.window,
    ...{ granularity, period: windowKeys(windows)[window], start: start[window], end: end[window] },
    ...(members !== undefined && { members: members.reduce((most, n) => Math.max(most, n), 1) }),
  };
}

/** Values on a grid, of one statistic or several. */
interface GridValues {
  readonly grid: Grid;
  readonly values: readonly Float64Array[];
}

/**
 * Puts the values of some cells of a curvilinear grid, in their order, where they belong on it: on the rows and columns
 * that they are in, and those next to them. Others are missing. Undefined if the grid is another one, or if other cells
 * are meant.
 */
function embedCells(
  values: readonly Float64Array[],
  whole: Grid,
  isMeant: (latitude: number, longitude: number) => boolean,
): GridValues | undefined {
  if (whole.kind !== 'places' || whole.shape.length !== 2) return undefined;
  const { latitude, longitude, projection } = whole;
  const [height, width] = whole.shape;
  const cells: number[] = [];
  for (const [cell, north] of latitude.entries()) if (isMeant(north, longitude[cell])) cells.push(cell);
  if (cells.length !== values[0].length || cells.length === 0) return undefined;
  const rows = around(
    cells.map((cell) => Math.floor(cell / width)),
    height,
  );
  const columns = around(
    cells.map((cell) => cell % width),
    width,
  );
  const shape = [rows.count, columns.count];
  const cut = (all: Float64Array) =>
    Float64Array.from({ length: rows.count * columns.count }, (_, i) => {
      const row = rows.first + Math.floor(i / columns.count);
      return all[row * width + columns.first + (i % columns.count)];
    });
  const spread = (own: Float64Array) => {
    const all = new Float64Array(latitude.length).fill(Number.NaN);
    for (const [i, cell] of cells.entries()) all[cell] = own[i];
    return cut(all);
  };
  const grid: Grid = { kind: 'places', latitude: cut(latitude), longitude: cut(longitude), shape, projection };
  return { grid, values: values.map(spread) };
}

/** The range of indices, with one more on each side. */
function around(indices: readonly number[], length: number): { first: number; count: number } {
  const first = Math.max(0, indices.reduce((least, index) => Math.min(least, index)) - 1);
  const last = Math.min(length - 1, indices.reduce((most, index) => Math.max(most, index)) + 1);
  return { first, count: last - first + 1 };
}
