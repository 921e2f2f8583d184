import { cellsOfGrid } from '../../../ensemble/grid.js';
import { parseStatisticName, type Statistic } from '../../../statistics/statistic.js';
import type { AttributeValue } from '../../array/array-file.js';
import type { NetcdfArray, ValueBox } from '../../netcdf4/netcdf-content.js';
import type { CellAxes } from '../cells/grid-axes.js';
import type { ResultColumn, ResultCube } from './result-cube.js';

/** Bytes of a column that are read at a time, but at least one window. */
const READ_BYTES = 2_097_152;

/** Columns of results as arrays of a NetCDF file, and the dimension of their quantiles. */
export interface ResultArrays {
  readonly dimensions: readonly (readonly [string, number])[];
  readonly axes: readonly NetcdfArray[];
  readonly arrays: readonly NetcdfArray[];
}

/** Results of cells by windows, or by periods of the year. */
type ResultValuesByCell = Pick<ResultCube, 'grid' | 'columns' | 'read' | 'metadata' | 'variable'> & {
  readonly windows: { readonly count: number };
};

type ArrayAttribute = readonly [string, AttributeValue];

/** How columns become arrays. */
export interface ArrayForm {
  /** The dimension of windows, or of periods of the year: `time`. */
  readonly along: string;
  readonly cells: CellAxes;
  /** The attributes of the array of a column, or of all quantiles together: of any one of them. */
  readonly attributes: (statistic: Statistic | undefined, column: string) => readonly ArrayAttribute[];
  /** What quantiles are computed over: members or samples. */
  readonly quantilesOf: string;
}

/**
 * Creates an array for each column, `precipitation_mean(time, latitude, longitude)`, and one for all quantiles,
 * `precipitation_quantile(quantile, time, latitude, longitude)`. Values are read when they are written.
 */
export function resultArrays(results: ResultValuesByCell, form: ArrayForm): ResultArrays {
  const statistics = results.columns.map(statisticOf);
  const quantiles = statistics.flatMap((statistic, index) => {
    return statistic?.kind === 'quantile' ? [{ index, probability: statistic.probability }] : [];
  });
  const has = quantiles.length > 0;
  const probabilities = quantiles.map(({ probability }) => probability);
  return {
    dimensions: has ? [['quantile', quantiles.length]] : [],
    axes: has ? [quantileAxis(probabilities, form.quantilesOf)] : [],
    arrays: statistics.flatMap((statistic, index) => {
      if (statistic?.kind !== 'quantile') return [columnArray(results, form, index)];
      return index === quantiles[0].index ? [quantileArray(results, form, quantiles)] : [];
    }),
  };
}

/** The name of the results' variable, with which the names of their arrays begin. */
function arrayStem({ variable, metadata }: Pick<ResultCube, 'variable' | 'metadata'>): string {
  return (variable?.slug ?? metadata.get('variable') ?? 'value').replace(/[^A-Za-z0-9_]/g, '_');
}

function statisticOf({ name, statistic = parseStatisticName(name) }: ResultColumn): Statistic | undefined {
  return statistic;
}

function quantileAxis(probabilities: readonly number[], of: string): NetcdfArray {
  return {
    name: 'quantile',
    type: 'float64',
    dimensions: ['quantile'],
    attributes: new Map([
      ['long_name', `probability of the quantile over ${of}`],
      ['units', '1'],
    ]),
    values: Float64Array.from(probabilities),
  };
}

function columnArray(results: ResultValuesByCell, form: ArrayForm, index: number): NetcdfArray {
  const { name } = results.columns[index];
  return createArray(results, form, { index, name, before: [] }, windowBoxes(results, form, index, []));
}

function quantileArray(
  results: ResultValuesByCell,
  form: ArrayForm,
  quantiles: readonly { readonly index: number }[],
): NetcdfArray {
  const [{ index }] = quantiles;
  const boxes = quantileBoxes(results, form, quantiles);
  return createArray(results, form, { index, name: 'quantile', before: ['quantile'] }, boxes);
}

interface NewArray {
  readonly name: string;
  /** The column that it has, or the first of them. */
  readonly index: number;
  /** The dimensions before that of windows. */
  readonly before: readonly string[];
}

function createArray(
  results: ResultValuesByCell,
  { cells, along, attributes }: ArrayForm,
  { name, index, before }: NewArray,
  values: AsyncIterable<ValueBox>,
): NetcdfArray {
  const column = results.columns[index];
  const { type } = column;
  return {
    name: `${arrayStem(results)}_${name}`,
    type,
    dimensions: [...before, along, ...cells.dimensions.map(([dimension]) => dimension)],
    attributes: new Map([...attributes(statisticOf(column), column.name), ...cells.valueAttributes]),
    ...(type !== 'int32' && { fillValue: Number.NaN }),
    values,
  };
}

async function* quantileBoxes(
  results: ResultValuesByCell,
  form: ArrayForm,
  quantiles: readonly { readonly index: number }[],
): AsyncGenerator<ValueBox> {
  for (const [place, { index }] of quantiles.entries()) yield* windowBoxes(results, form, index, [place]);
}

async function* windowBoxes(results: ResultValuesByCell, { cells }: ArrayForm, column: number, at: readonly number[]) {
  for (const run of windowRuns(results)) yield readBox(results, cells, column, run, at);
}

interface WindowRun {
  readonly first: number;
  readonly count: number;
}

/** Some windows at a time. */
function* windowRuns({ grid, windows }: ResultValuesByCell): Generator<WindowRun> {
  const step = Math.max(1, Math.floor(READ_BYTES / (8 * cellsOfGrid(grid))));
  for (let first = 0; first < windows.count; first += step) {
    yield { first, count: Math.min(step, windows.count - first) };
  }
}

/** Reads the values of a column, at an index of the dimensions before time. */
async function readBox(
  results: ResultValuesByCell,
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
