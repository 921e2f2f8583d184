import type { Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import type { ArrayFile, StoredArray } from '../files/array/array-file.js';
import { type ArrayLayout, arrayLayout } from '../files/cf/array-layout.js';
import { type ArrayReader, arrayReader } from '../files/cf/array-reader.js';
import { textAttribute } from '../files/cf/attribute-values.js';
import { cellPlaces } from '../files/cf/cells/cell-places.js';
import { textsOfFile } from '../files/cf/content/file-attributes.js';
import {
  columnValues,
  type StatisticAxes,
  type StatisticColumn,
  statisticColumns,
} from '../files/cf/content/statistic-columns.js';
import { PERIODS } from '../files/cf/content/statistics-netcdf.js';
import { placedCells } from '../files/cf/select/cells-within.js';
import { modelPart } from '../files/cf/time/time-units.js';
import { DAY_SECONDS } from '../period/day.js';
import { GRANULARITIES, type WindowTable } from '../period/period.js';
import { areWindows, keysByDays } from '../period/windows.js';
import { placeColumns, type ResultLabels, resultLabels, type WindowedPart } from '../statistics/windowed-part.js';
import { createTable, type NewColumn } from '../table/build/create-table.js';

/** About how many values make up one table. */
const TABLE_VALUES = 2_097_152;

/** A file of statistics that was written with `statisticsNetcdf`. */
export interface StatisticsNetcdf {
  readonly slug: string;
  readonly units: string | undefined;
  readonly layout: ArrayLayout;
  readonly columns: readonly StatisticColumn[];
  readonly windows: WindowTable;
  readonly axes: StatisticAxes;
  /** The texts of the file, with the variable, its units and the calendar. */
  readonly metadata: Map<string, string>;
}

/** Opens a file of statistics. Throws DataError if the file does not have that form. */
export async function openStatisticsNetcdf(file: ArrayFile): Promise<StatisticsNetcdf> {
  const reader = arrayReader(file);
  const mean = [...file.arrays.values()].find(({ name }) => name.endsWith('_mean'));
  const layout = mean && (await arrayLayout(reader, mean, undefined));
  if (layout === undefined) {
    throw new DataError({ source: file.source, problem: 'statistics without means', allowed: 'an array named *_mean' });
  }
  const slug = layout.array.name.slice(0, -'_mean'.length);
  const columns = await statisticColumns(reader, slug);
  const windows = await readWindows(reader, layout);
  const { y, x } = layout.cells;
  const width = layout.length.x;
  const axes = { name: layout.times.dimension.name, length: windows.count, y: y?.name, x: x?.name, width };
  const units = textAttribute(layout.array.attributes, 'units');
  const calendar = modelPart(layout.times.calendar);
  const metadata = textsOfFile(file.attributes).set('variable', slug);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  if (units !== undefined) metadata.set('units', units);
  return { slug, units, layout, columns, windows, axes, metadata };
}

/**
 * Reads a file of statistics that was written with `statisticsNetcdf` as tables: the rows and columns of the table of
 * statistics, location by location, some locations at a time. Cells of a curvilinear grid that have no latitude and
 * longitude are left out; `note` is called with their number. Throws DataError if the file does not have that form.
 */
export async function* readStatisticsNetcdf(
  file: ArrayFile,
  note: (text: string) => void = () => {},
): AsyncGenerator<Table> {
  const { slug, units, layout, columns, windows, axes, metadata } = await openStatisticsNetcdf(file);
  const { y: rows, x: width } = layout.length;
  const step = Math.max(1, Math.floor(TABLE_VALUES / (width * windows.count * columns.length)));
  let labels: ResultLabels | undefined;
  const placed = placedCells(layout);
  if (placed !== undefined) note(placed.note);
  for (let row = 0; row < rows; row += step) {
    const count = Math.min(step, rows - row);
    const part = partOf(layout, windows, row * width, count * width);
    labels ??= resultLabels(slug, units, [part]);
    const values: NewColumn[] = [];
    for (const column of columns) values.push(await columnValues(column, axes, { row, count }));
    const table = createTable([...placeColumns([part], labels), ...values], metadata);
    if (placed === undefined) yield table;
    else yield* rowsOfPlaces(table, part);
  }
}

/** The rows of cells that have a place, as tables. */
function* rowsOfPlaces(table: Table, { latitude, longitude, windows }: WindowedPart): Generator<Table> {
  for (let cell = 0; cell < latitude.length; cell++) {
    const from = cell;
    while (cell < latitude.length && !Number.isNaN(latitude[cell] + longitude[cell])) cell++;
    if (cell > from) yield table.slice(from * windows.count, cell * windows.count);
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

async function readWindows({ file, numbers: read }: ArrayReader, { times }: ArrayLayout): Promise<WindowTable> {
  const array = (name: string) => file.arrays.get(name) as StoredArray;
  const dayOf = (seconds: number) => Math.round(seconds / DAY_SECONDS);
  const start = Int32Array.from(times.seconds, dayOf);
  const end = start.map((_, w) => dayOf((times.bounds as Float64Array)[2 * w + 1]) - 1);
  const stated = textAttribute(file.attributes, 'granularity');
  const length = end[0] - start[0] + 1;
  const calendar = modelPart(times.calendar);
  const keys = readKeys(file, stated, { start, end, calendar });
  const likely = length === 1 ? 'daily' : length === 7 ? 'weekly' : 'monthly';
  return {
    granularity: keys === undefined ? (GRANULARITIES.find((name) => name === stated) ?? likely) : (stated as string),
    ...(keys && { keys }),
    ...{ count: start.length, start, end, first: start.map((day) => day - start[0]) },
    days: Int32Array.from(await read(array('n_days'))),
    complete: Uint8Array.from(await read(array('complete'))),
    ...{ firstDay: start[0], lastDay: end[end.length - 1] },
    calendar,
  };
}

/** The keys of windows that are not days, weeks or months. Throws DataError where the file should state them. */
function readKeys(
  { source, attributes }: ArrayFile,
  stated: string | undefined,
  windows: Pick<WindowTable, 'start' | 'end' | 'calendar'>,
): string[] | undefined {
  if (stated === undefined || (GRANULARITIES as readonly string[]).includes(stated)) return undefined;
  if (stated !== 'list' && !areWindows(stated)) return undefined;
  const found = keysByDays(stated, windows);
  if (found !== undefined) return found;
  const allowed = `a JSON list of ${windows.start.length} texts as attribute ${PERIODS}`;
  const text = textAttribute(attributes, PERIODS);
  const keys: unknown = text === undefined ? undefined : parseJson(text);
  const areKeys = Array.isArray(keys) && keys.every((key) => typeof key === 'string');
  if (areKeys && keys.length === windows.start.length) return keys;
  throw new DataError({
    source,
    problem: `does not state the periods of its windows, ${stated}`,
    received: text,
    allowed,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
