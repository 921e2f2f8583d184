import type { Table } from 'apache-arrow';
import { integers, type NewColumn, numbers, tableOf } from '../arrow/write-table.js';
import { DataError } from '../errors.js';
import type { ArrayFile, StoredArray } from '../formats/array-file.js';
import { type ArrayLayout, arrayLayout } from '../grid/array-layout.js';
import { type ArrayReader, arrayReader } from '../grid/array-reader.js';
import { textAttribute } from '../grid/attribute-values.js';
import { cellPlaces } from '../grid/cell-places.js';
import { modelPart } from '../grid/time-units.js';
import { GRANULARITIES, type WindowTable } from '../period/window-table.js';
import { placeColumns, type ResultLabels, resultLabels } from '../statistics/place-columns.js';
import { quantileName } from '../statistics/quantiles.js';
import type { WindowedPart } from '../statistics/windowed-part.js';

/** A column of the table, and where its values are: of an array, at a place along the dimension of quantiles where it has one. */
interface StatisticColumn {
  readonly name: string;
  readonly array: StoredArray;
  readonly quantile?: number;
}

/** Values of a table, about. */
const TABLE_VALUES = 2_097_152;
/** What is written of every file, and says nothing of the statistics. */
const OF_FILE = ['Conventions', 'history'];

/**
 * The tables of a file of statistics, as `statisticsContent` has it written: the rows and columns of the table of statistics, a
 * location's windows together, some locations at a time. Throws DataError where the file is not as it should be.
 */
export async function* tablesOfStatisticsFile(file: ArrayFile): AsyncGenerator<Table> {
  const reader = arrayReader(file);
  const mean = [...file.arrays.values()].find(({ name }) => name.endsWith('_mean'));
  const layout = mean && (await arrayLayout(reader, mean, undefined));
  if (layout === undefined) {
    throw new DataError({ source: file.source, problem: 'statistics without means', allowed: 'an array named *_mean' });
  }
  const slug = layout.array.name.slice(0, -'_mean'.length);
  const columns = await columnsOf(reader, slug);
  const windows = await windowsOf(reader, layout);
  const { y: rows, x: width } = layout.length;
  const step = Math.max(1, Math.floor(TABLE_VALUES / (width * windows.count * columns.length)));
  const units = textAttribute(layout.array.attributes, 'units');
  const calendar = modelPart(layout.times.calendar);
  const metadata = metadataOf(file).set('variable', slug);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  if (units !== undefined) metadata.set('units', units);
  let labels: ResultLabels | undefined;
  for (let row = 0; row < rows; row += step) {
    const count = Math.min(step, rows - row);
    const part = partOf(layout, windows, row * width, count * width);
    labels ??= resultLabels(slug, units, [part]);
    const values: NewColumn[] = [];
    for (const column of columns) values.push(await valuesOf(column, layout, windows.count, { row, count }));
    yield tableOf([...placeColumns([part], labels), ...values], metadata);
  }
}

function partOf({ cells, times }: ArrayLayout, windows: WindowTable, cell: number, count: number): WindowedPart {
  const days = times.seconds.length;
  return {
    field: { type: 'float64', order: 'day-fastest', firstDay: windows.firstDay, days, cells: count, members: [] },
    ...cellPlaces(cells.grid, cell, count),
    windows,
  };
}

/** The columns of statistics in the order of tables, which a file need not keep. */
async function columnsOf(reader: ArrayReader, slug: string): Promise<StatisticColumn[]> {
  const { arrays } = reader.file;
  const axis = arrays.get('quantile');
  const probabilities = axis === undefined ? [] : await reader.numbers(axis);
  const own = [...arrays.values()].filter(({ name }) => name.startsWith(`${slug}_`));
  const columns = own.flatMap((array): StatisticColumn[] => {
    const name = array.name.slice(slug.length + 1);
    if (name !== 'quantile') return [{ name, array }];
    return Array.from(probabilities, (p, quantile) => ({ name: quantileName(p), array, quantile }));
  });
  return columns
    .map((column, index) => ({ column, rank: ORDER.findIndex((name) => name.test(column.name)), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ column }) => column);
}

const ORDER = [
  ...[/^n_members$/, /^mean$/, /^q\d+$/, /^spread$/, /^p_(gt|ge|lt|le)_-?[\d.]/],
  ...[/^p_below$/, /^p_normal$/, /^p_above$/, /^p_\d+_of_\d+$/, /^p_gt_clim_/, /^anomaly$/],
];

async function windowsOf({ file, numbers: read }: ArrayReader, { times }: ArrayLayout): Promise<WindowTable> {
  const array = (name: string) => file.arrays.get(name) as StoredArray;
  const dayOf = (seconds: number) => Math.round(seconds / 86_400);
  const start = Int32Array.from(times.seconds, dayOf);
  const end = start.map((_, w) => dayOf((times.bounds as Float64Array)[2 * w + 1]) - 1);
  const stated = textAttribute(file.attributes, 'granularity');
  const length = end[0] - start[0] + 1;
  return {
    granularity:
      GRANULARITIES.find((name) => name === stated) ?? (length === 1 ? 'daily' : length === 7 ? 'weekly' : 'monthly'),
    ...{ count: start.length, start, end, first: start.map((day) => day - start[0]) },
    days: Int32Array.from(await read(array('n_days'))),
    complete: Uint8Array.from(await read(array('complete'))),
    ...{ firstDay: start[0], lastDay: end[end.length - 1] },
    calendar: modelPart(times.calendar),
  };
}

/** The values of a column on some rows of the grid: the windows of each cell one after the other. */
async function valuesOf(
  { name, array, quantile }: StatisticColumn,
  { length: { x: width }, cells: { y, x }, times: { dimension: along } }: ArrayLayout,
  windows: number,
  { row, count }: { row: number; count: number },
): Promise<NewColumn> {
  const extent = (dimension: string) => {
    if (dimension === along.name) return { start: 0, count: windows };
    if (dimension === 'quantile' && quantile !== undefined) return { start: quantile, count: 1 };
    if (dimension === y?.name) return { start: row, count };
    return { start: 0, count: dimension === x?.name ? width : 1 };
  };
  const extents = array.dimensions.map(extent);
  const box = { start: extents.map(({ start }) => start), count: extents.map(({ count: length }) => length) };
  const cells = count * width;
  const make = array.type === 'int32' ? Int32Array : array.type === 'float32' ? Float32Array : Float64Array;
  const stored = new make(windows * cells);
  await array.read(box, stored);
  const values = new make(stored.length);
  for (let w = 0; w < windows; w++) {
    for (let cell = 0; cell < cells; cell++) values[cell * windows + w] = stored[w * cells + cell];
  }
  return values instanceof Int32Array ? integers(name, values) : numbers(name, values);
}

/** The texts of the file; a title that only says what it is was made when it was written. */
function metadataOf({ attributes }: ArrayFile): Map<string, string> {
  const history = textAttribute(attributes, 'history') ?? '';
  return new Map(
    [...attributes]
      .filter(
        ([name, value]) => !OF_FILE.includes(name) && !(name === 'title' && history.endsWith(`plumecast: ${value}`)),
      )
      .map(([name, value]) => [name, String(value)]),
  );
}
