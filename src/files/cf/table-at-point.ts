import type { Table } from 'apache-arrow';
import { assertKind } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { withOwnCore } from '../../core/own-core.js';
import { nearestPlace } from '../../ensemble/nearest-cell.js';
import {
  covers,
  curvilinearStep,
  findGridStep,
  findNearest,
  isCurvilinear,
  type Places,
  type Point,
  somePlaces,
} from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { joinTables } from '../../table/build/join-tables.js';
import type { ArrayFile } from '../array/array-file.js';
import { cellPlaces } from './cells/cell-places.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { checkGridOptions, type GridOptions } from './grid-options.js';
import { readLandMask } from './land-mask.js';
import { gridEnsemble } from './open-grid-ensemble.js';
import { canonicalMetadata, tablesOfPart } from './part-tables.js';

/** The daily values of one place. */
export interface PlaceTable {
  /** A row for each day, a column for each member. */
  readonly table: Table;
  /** What was done to the stored values, such as the conversion of units. */
  readonly notes: readonly string[];
}

/** Options of `tableAtPoint`. */
export interface TableAtPointOptions extends GridOptions, WorkOptions {
  /** Where; it may be left out where the file has one place. */
  readonly point?: Point;
}

/**
 * Reads the daily values of the cell nearest to a point, of land where the file has a land mask and land is within a
 * grid step, as a table for `statistics` and other functions: latitude, longitude, date, and a column for each member in
 * the unit of the variable; NaN where a value is missing. `plumecast stats --point` computes from the same values. Several
 * may be read at once from one file, on one core.
 *
 * Throws what `gridEnsemble` throws, and DataError where the point is farther from the grid than one grid step, or the
 * file has several places and no point is given.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 * import { tableAtPoint } from 'plumecast/files';
 * import { openArrays, writeNetcdf } from 'plumecast/files/node';
 *
 * await writeNetcdf('rain.nc', demoTable('precipitation'));
 * const [core, file] = [await loadCore(), await openArrays('rain.nc')];
 * const { table } = await tableAtPoint(core, file, { point: { latitude: 37.3, longitude: -79.8 } });
 * console.log(statistics(core, table, { granularity: 'monthly' }).numRows, 'months');
 * await file.close();
 * ```
 *
 * ```text
 * 4 months
 * ```
 */
export async function tableAtPoint(
  core: Core,
  file: ArrayFile,
  options: TableAtPointOptions = {},
): Promise<PlaceTable> {
  assertCore(core);
  assertKind('options', options, 'object');
  const { work, others } = beginWork(options, 'values');
  const { point, ...ofGrid } = others;
  checkGridOptions(ofGrid, ['point']);
  return work.run(async () => {
    const ensemble = await gridEnsemble(file, { ...ofGrid, signal: work.signal });
    return { table: await tableOfPlace(core, file, ensemble, point, options), notes: ensemble.conversions };
  });
}

/** The daily values of an ensemble of a file at a point, as `tableAtPoint` reads them. */
export async function tableOfPlace(
  core: Core,
  file: ArrayFile,
  all: GridEnsemble,
  point: Point | undefined,
  { signal, onProgress }: WorkOptions = {},
): Promise<Table> {
  if (point === undefined && all.cells > 1) {
    throw new DataError({ source: all.source, problem: 'has several places', allowed: 'the choice of one by a point' });
  }
  const ensemble = point === undefined ? all : ensembleAtPoint(all, point, await readLandMask(file, all));
  assertCore(core);
  // Other reads on the core may begin and end meanwhile.
  return withOwnCore(core, async (own) => {
    const mark = own.memory.mark();
    try {
      const part = await ensemble.read({ cell: 0, cells: 1, day: 0, days: ensemble.days }, own, { signal, onProgress });
      const { metadata, variable, units, members } = ensemble;
      const texts = canonicalMetadata({ metadata, variable: variable?.slug, units, members });
      return joinTables([...tablesOfPart(part, texts)]);
    } finally {
      own.memory.release(mark);
    }
  });
}

type StepAt = typeof findGridStep;

/** From this share of land on, a cell is one of land. */
const LAND = 0.5;

/**
 * Creates an ensemble of the one cell that is nearest to a point; with the share of `land` in each cell, of the nearest
 * one of land, unless none is within a grid step. Throws OptionError for what is not a point, and DataError where the
 * point is farther from the grid than one grid step.
 */
export function ensembleAtPoint(ensemble: GridEnsemble, point: Point, land?: Float64Array): GridEnsemble {
  const { places, cell } = cellAtPoint(ensemble, point, land);
  const days = ensemble.days;
  return {
    ...ensemble,
    grid: {
      kind: 'places',
      ...somePlaces(places, cell, cell + 1),
      shape: [1],
    },
    cells: 1,
    blocks: () => [{ cell: 0, cells: 1, day: 0, days }],
    read: (block, core, options) => ensemble.read({ ...block, cell }, core, options),
  };
}

/** The cell of `ensembleAtPoint`, among the places of all cells. Throws as it does. */
export function cellAtPoint(
  ensemble: Pick<GridEnsemble, 'grid' | 'cells' | 'source'>,
  point: Point,
  land?: Float64Array,
): { readonly places: Places; readonly cell: number } {
  const places = cellPlaces(ensemble.grid, 0, ensemble.cells);
  const { grid } = ensemble;
  const shape = grid.kind === 'places' ? grid.shape : undefined;
  const stepAt: StepAt = isCurvilinear(shape) ? (_, place) => curvilinearStep(places, shape, place) : findGridStep;
  const nearest = nearestPlace(places, point, ensemble.source, stepAt);
  const cell =
    land === undefined || land[nearest] >= LAND ? nearest : (nearestLand(places, point, land, stepAt) ?? nearest);
  return { places, cell };
}

/** The cell of land that is nearest to a point; undefined where none is within a grid step. */
function nearestLand(places: Places, point: Point, land: Float64Array, stepAt: StepAt): number | undefined {
  const onLand = (degrees: Float64Array) => degrees.map((value, cell) => (land[cell] >= LAND ? value : Number.NaN));
  const { latitude, longitude } = places;
  const cells = { latitude: onLand(latitude), longitude: onLand(longitude) };
  const found = findNearest(cells, point);
  return found !== undefined && covers(cells, found, point, stepAt(cells, found.place)) ? found.place : undefined;
}
