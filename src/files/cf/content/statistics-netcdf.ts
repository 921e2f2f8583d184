import { assertShape, assertShapes } from '../../../check/option-checks.js';
import { unusable } from '../../../errors.js';
import type { ModelCalendar } from '../../../period/calendar.js';
import { keysByDays } from '../../../period/windows.js';
import type { Statistic } from '../../../statistics/statistic.js';
import { statedCalendar } from '../../../table/columns/day-column.js';
import { assertVariable } from '../../../variable/find-variable.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { NetcdfArray, NetcdfContent } from '../../netcdf4/netcdf-content.js';
import { cellAxes, timeAxis } from '../cells/grid-axes.js';
import { fileAttributes } from './file-attributes.js';
import { resultArrays } from './result-arrays.js';
import type { ResultCube } from './result-cube.js';
import { statisticAttributes } from './statistics-attributes.js';

/**
 * Creates the content of a NetCDF file of statistics, by the CF conventions (1.8): arrays `precipitation_mean(time,
 * latitude, longitude)`, `precipitation_quantile(quantile, time, latitude, longitude)`, `precipitation_spread`,
 * `precipitation_p_gt_20` and so on, one for each column of the results; along `time`, the first day of each window
 * with `time_bnds`, also `complete` and `n_days`. Cells that do not form a rectilinear grid lie along `location`, or
 * `y, x`. Missing values are NaN. Time can be appended to. It comes first, except for quantiles, which CF requires to
 * its left (section 2.4), and which CDO skips with a warning. There are no texts. Values are read when they are
 * written.
 */
export function statisticsNetcdf(results: ResultCube): NetcdfContent {
  assertShape('results', results, {
    grid: 'object',
    windows: 'object',
    metadata: 'map',
    columns: 'list',
    variable: 'object?',
  });
  assertShape('results', results, { read: 'function', units: 'any text?', window: 'text?' });
  assertWindows(results);
  assertShapes('results.columns', results.columns, { name: 'text', type: 'text' });
  if (results.variable !== undefined) assertVariable(results.variable);
  const { windows, metadata } = results;
  const cells = cellAxes(results.grid);
  const time = timeAxis(statedCalendar(metadata), windows.start, windows.end);
  const attributes = (statistic: Statistic | undefined, column: string) =>
    statisticAttributes(statistic, column, results);
  const found = resultArrays(results, { along: 'time', cells, attributes, quantilesOf: 'members' });
  const name = results.variable?.slug ?? metadata.get('variable') ?? 'value';
  return {
    dimensions: new Map([...time.dimensions, ...found.dimensions, ...cells.dimensions]),
    unlimited: 'time',
    attributes: new Map([
      ...fileAttributes(metadata, `${windows.granularity} statistics of ${name} over the members of an ensemble`),
      ...periodsAttribute(windows, statedCalendar(metadata)),
    ]),
    arrays: [...time.arrays, ...found.axes, ...cells.arrays, ...windowArrays(results), ...found.arrays],
  };
}

/** The keys of windows as a JSON array, where their days do not say them. */
export const PERIODS = 'periods';

function periodsAttribute(windows: ResultCube['windows'], calendar: ModelCalendar | undefined): [string, string][] {
  const { granularity, keys } = windows;
  if (keys === undefined || keysByDays(granularity, { ...windows, calendar }) !== undefined) return [];
  return [[PERIODS, JSON.stringify(keys)]];
}

function windowArrays({ windows }: ResultCube): NetcdfArray[] {
  const along = (name: string, longName: string, values: Int32Array): NetcdfArray => ({
    name,
    type: 'int32',
    dimensions: ['time'],
    attributes: new Map([
      ['long_name', longName],
      ['units', '1'],
    ]),
    values,
  });
  return [
    along(
      'complete',
      'whether all days of the window are in the data (1) or not (0)',
      Int32Array.from(windows.complete),
    ),
    along('n_days', 'number of days of the window in the data', Int32Array.from(windows.days)),
  ];
}

/** Throws OptionError for windows that contradict themselves. */
function assertWindows({ windows }: ResultCube): void {
  const columns = { start: 'integers', end: 'integers', days: 'integers', complete: 'bytes' } as const;
  assertShape('results.windows', windows, { granularity: 'text', count: 'integer', ...columns });
  const { count, start, end, days, complete } = windows;
  const areAsLong = [start, end, days, complete].every(({ length }) => length === count);
  if (!areAsLong) throw unusable('results.windows.count', count, 'the length of the arrays of windows');
}

/** Whether a file holds statistics by windows, as written by `statisticsNetcdf`. */
export function isStatisticsFile({ arrays }: ArrayFile): boolean {
  return ['n_days', 'complete', 'time_bnds'].every((name) => arrays.get(name)?.dimensions[0] === 'time');
}
