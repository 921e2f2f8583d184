import type { AttributeValue } from '../../array/array-file.js';
import type { NetcdfArray, ValueBox } from '../../netcdf4/netcdf-content.js';
import type { CellAxes } from '../grid-axes.js';
import { cellsOfGrid, type ResultColumn, type ResultCube } from './result-cube.js';

/** Bytes of a column that are read at a time, where more than one window fits in. */
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

/** How columns become arrays. */
export interface ArrayForm {
  /** The dimension that windows, or periods of the year, are along: `time`. */
  readonly along: string;
  readonly cells: CellAxes;
  /** The attributes of the array of a column; of quantiles, together, that of the column `q`. */
  readonly attributes: (column: string) => readonly (readonly [string, AttributeValue])[];
  /** What the probabilities of quantiles are of. */
  readonly quantilesOf: string;
}

/**
 * An array for each column, `precipitation_mean(time, latitude, longitude)`, and one for all quantiles,
 * `precipitation_quantile(quantile, time, latitude, longitude)`. Values are read when they are written.
 */
export function resultArrays(results: ResultValuesByCell, form: ArrayForm): ResultArrays {
  const quantiles = results.columns.flatMap(({ name }, index) => {
    const probability = quantileOf(name);
    return probability === undefined ? [] : [{ index, probability }];
  });
  const has = quantiles.length > 0;
  const probabilities = quantiles.map(({ probability }) => probability);
  return {
    dimensions: has ? [['quantile', quantiles.length]] : [],
    axes: has ? [quantileAxis(probabilities, form.quantilesOf)] : [],
    arrays: results.columns.flatMap((column, index) => {
      if (quantileOf(column.name) === undefined) return [columnArray(results, form, index)];
      return index === quantiles[0].index ? [quantileArray(results, form, quantiles)] : [];
    }),
  };
}

/** The name of the variable that results are of, as their arrays are called after it. */
function arrayStem({ variable, metadata }: Pick<ResultCube, 'variable' | 'metadata'>): string {
  return (variable?.slug ?? metadata.get('variable') ?? 'value').replace(/[^A-Za-z0-9_]/g, '_');
}

/** The probability that a column such as `q05` is named after. */
function quantileOf(column: string): number | undefined {
  if (!/^q\d{2,}$/.test(column)) return undefined;
  return column === 'q100' ? 1 : Number(`0.${column.slice(1)}`);
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
  const { name, type } = results.columns[index];
  return arrayOf(results, form, { column: name, name, type, before: [] }, windowBoxes(results, form, index, []));
}

function quantileArray(
  results: ResultValuesByCell,
  form: ArrayForm,
  quantiles: readonly { readonly index: number }[],
): NetcdfArray {
  const { type } = results.columns[quantiles[0].index];
  const boxes = quantileBoxes(results, form, quantiles);
  return arrayOf(results, form, { column: 'q', name: 'quantile', type, before: ['quantile'] }, boxes);
}

interface NewArray extends Pick<ResultColumn, 'name' | 'type'> {
  readonly column: string;
  /** The dimensions before that of windows. */
  readonly before: readonly string[];
}

function arrayOf(
  results: ResultValuesByCell,
  { cells, along, attributes }: ArrayForm,
  { column, name, type, before }: NewArray,
  values: AsyncIterable<ValueBox>,
): NetcdfArray {
  return {
    name: `${arrayStem(results)}_${name}`,
    type,
    dimensions: [...before, along, ...cells.dimensions.map(([dimension]) => dimension)],
    attributes: new Map([...attributes(column), ...cells.valueAttributes]),
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
  for (const run of windowRuns(results)) yield layoutBox(results, cells, column, run, at);
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

/** The values of a column, at a place of the dimensions before time. */
async function layoutBox(
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
