import { statedCalendar } from '../arrow/table-calendar.js';
import { assertShape, assertShapes } from '../assert-shape.js';
import { unusable } from '../errors.js';
import type { NetcdfArray, NetcdfContent, ValueBox } from '../formats/netcdf4/netcdf-content.js';
import { assertVariable } from '../variable/assert-variable.js';
import { fileAttributes } from './file-attributes.js';
import { type CellAxes, cellAxes, timeAxis } from './grid-axes.js';
import { cellsOfGrid, type GridResults, type ResultColumn } from './grid-results.js';
import { statisticAttributes } from './statistics-attributes.js';

/** Bytes of a column that are read at a time, where more than one window fits in. */
const READ_BYTES = 2_097_152;

/**
 * What a NetCDF file of statistics holds, by the CF conventions (1.8): arrays `precipitation_mean(time, latitude, longitude)`,
 * `precipitation_quantile(quantile, time, latitude, longitude)`, `precipitation_spread`, `precipitation_p_gt_20` and so on, one for each
 * column of the results; along `time`, the first day of each window with `time_bnds`, also `complete` and `n_days`. Cells that are no
 * rectilinear grid lie along `location`, or `y, x`. Missing values are NaN. Time may be appended to. It comes first but for quantiles, which CF
 * wants to its left (section 2.4), and CDO passes over with a warning. There are no texts. Values are read when they are written.
 */
export function statisticsContent(results: GridResults): NetcdfContent {
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
  const { windows, metadata, columns, variable } = results;
  const cells = cellAxes(results.grid);
  const time = timeAxis(statedCalendar(metadata), windows.start, windows.end);
  const quantiles = columns.flatMap(({ name }, index) => {
    const probability = quantileOf(name);
    return probability === undefined ? [] : [{ index, probability }];
  });
  const name = variable?.slug ?? metadata.get('variable') ?? 'value';
  return {
    dimensions: new Map([
      ...(quantiles.length > 0 ? [['quantile', quantiles.length] as const] : []),
      ...time.dimensions,
      ...cells.dimensions,
    ]),
    unlimited: 'time',
    attributes: fileAttributes(
      metadata,
      `${windows.granularity} statistics of ${name} over the members of an ensemble`,
    ),
    arrays: [
      ...time.arrays,
      ...(quantiles.length > 0 ? [quantileAxis(quantiles.map(({ probability }) => probability))] : []),
      ...cells.arrays,
      ...windowArrays(results),
      ...columns.flatMap((column, index) => {
        if (quantileOf(column.name) === undefined) return [columnArray(results, cells, nameOf(name, column), index)];
        return index === quantiles[0].index
          ? [quantileArray(results, cells, `${nameOf(name)}quantile`, quantiles)]
          : [];
      }),
    ],
  };
}

/** The probability that a column such as `q05` is named after. */
function quantileOf(column: string): number | undefined {
  if (!/^q\d{2,}$/.test(column)) return undefined;
  return column === 'q100' ? 1 : Number(`0.${column.slice(1)}`);
}

function nameOf(variable: string, column?: ResultColumn): string {
  return `${variable.replace(/[^A-Za-z0-9_]/g, '_')}_${column?.name ?? ''}`;
}

function quantileAxis(probabilities: readonly number[]): NetcdfArray {
  return {
    name: 'quantile',
    type: 'float64',
    dimensions: ['quantile'],
    attributes: new Map([
      ['long_name', 'probability of the quantile over members'],
      ['units', '1'],
    ]),
    values: Float64Array.from(probabilities),
  };
}

function windowArrays({ windows }: GridResults): NetcdfArray[] {
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

function columnArray(results: GridResults, cells: CellAxes, name: string, column: number): NetcdfArray {
  return {
    ...arrayOf(results, cells, results.columns[column].name, results.columns[column]),
    name,
    dimensions: ['time', ...cells.dimensions.map(([dimension]) => dimension)],
    values: windowBoxes(results, cells, column, []),
  };
}

function quantileArray(
  results: GridResults,
  cells: CellAxes,
  name: string,
  quantiles: readonly { readonly index: number }[],
): NetcdfArray {
  return {
    ...arrayOf(results, cells, 'q', results.columns[quantiles[0].index]),
    name,
    dimensions: ['quantile', 'time', ...cells.dimensions.map(([dimension]) => dimension)],
    values: quantileBoxes(results, cells, quantiles),
  };
}

function arrayOf(results: GridResults, cells: CellAxes, column: string, { type }: ResultColumn) {
  return {
    type,
    attributes: new Map([...statisticAttributes(column, results), ...cells.valueAttributes]),
    ...(type !== 'int32' && { fillValue: Number.NaN }),
  };
}

async function* quantileBoxes(
  results: GridResults,
  cells: CellAxes,
  quantiles: readonly { readonly index: number }[],
): AsyncGenerator<ValueBox> {
  for (const [place, { index }] of quantiles.entries()) yield* windowBoxes(results, cells, index, [place]);
}

async function* windowBoxes(results: GridResults, cells: CellAxes, column: number, at: readonly number[]) {
  for (const run of windowRuns(results)) yield boxOf(results, cells, column, run, at);
}

interface WindowRun {
  readonly first: number;
  readonly count: number;
}

/** Some windows at a time. */
function* windowRuns({ grid, windows }: GridResults): Generator<WindowRun> {
  const step = Math.max(1, Math.floor(READ_BYTES / (8 * cellsOfGrid(grid))));
  for (let first = 0; first < windows.count; first += step) {
    yield { first, count: Math.min(step, windows.count - first) };
  }
}

/** The values of a column, at a place of the dimensions before time. */
async function boxOf(
  results: GridResults,
  cells: CellAxes,
  column: number,
  { first, count }: WindowRun,
  at: readonly number[],
): Promise<ValueBox> {
  return {
    start: [...at, first, ...cells.dimensions.map(() => 0)],
    count: [...at.map(() => 1), count, ...cells.dimensions.map(([, length]) => length)],
    values: await results.read(column, first, count),
  };
}

/** Throws OptionError for windows that contradict themselves. */
function assertWindows({ windows }: GridResults): void {
  const columns = { start: 'integers', end: 'integers', days: 'integers', complete: 'bytes' } as const;
  assertShape('results.windows', windows, { granularity: 'text', count: 'integer', ...columns });
  const { count, start, end, days, complete } = windows;
  const isWhole = [start, end, days, complete].every(({ length }) => length === count);
  if (!isWhole) throw unusable('results.windows.count', count, 'the length of the arrays of windows');
}
