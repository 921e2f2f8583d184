import type { Table } from 'apache-arrow';
import { assertKind, assertOneOf, assertShape } from '../../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../../check/work.js';
import { assertCore } from '../../../core/assert-core.js';
import type { Core } from '../../../core/load.js';
import { withOwnCore } from '../../../core/own-core.js';
import { type BoundingBox, checkBoundingBox } from '../../../ensemble/bounding-box.js';
import { cellsOfGrid } from '../../../ensemble/grid.js';
import { checkTimeZones, type PlaceZoneOptions, requestedPlaceDays } from '../../../ensemble/place-days.js';
import { OptionError, unusable } from '../../../errors.js';
import { joinTables } from '../../../table/build/join-tables.js';
import type { ColumnRoles } from '../../../table/columns/column-role.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { GeoObject } from '../../places/geo-json.js';
import { type GivenPlace, type PlaceList, placeList } from '../../places/place-list.js';
import type { Regions } from '../../regions/region.js';
import { boxRegion, regionList } from '../../regions/region-list.js';
import { cellShapes } from '../cells/cell-shapes.js';
import { findReadPlan } from '../days/read-plan.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { checkGridOptions, type GridOptions } from '../grid-options.js';
import { gridEnsemble } from '../open-grid-ensemble.js';
import { canonicalMetadata, tablesOfPart } from '../part-tables.js';
import type { PlaceTable } from '../table-at-point.js';
import { ensembleAtPoints, type PointOptions } from './ensemble-at-points.js';
import { keptWeights, type WeightsCache } from './kept-weights.js';
import { maskRegions } from './mask-weights.js';
import { type OverRegionsOptions, overRegions } from './over-regions.js';
import { zonedEnsemble } from './zoned-ensemble.js';

/** The daily values of several places. */
export interface PlacesTable extends PlaceTable {
  /** What may be wrong, such as regions that meet no cell. */
  readonly warnings: readonly string[];
}

/** Options of `tableAtPoints`. */
export interface TableAtPointsOptions
  extends Omit<GridOptions, 'bbox' | 'ids'>,
    PlaceZoneOptions,
    PointOptions,
    WorkOptions {
  /** The columns of a table of points by their roles, where names do not show them: `{ id: 'farm' }`. */
  readonly columns?: ColumnRoles;
}

/** Throws OptionError for what is no list of points, GeoJSON or table, and for ids and elevations of a wrong kind. */
function assertPoints(points: unknown): void {
  if (typeof points !== 'object' || points === null || ArrayBuffer.isView(points)) {
    throw unusable('points', points, 'a list of objects, GeoJSON or a table');
  }
  for (const point of Array.isArray(points) ? points : []) {
    const { id = '', elevation }: Partial<GivenPlace> = point ?? {};
    if (typeof id !== 'string' && typeof id !== 'number') throw unusable('id', id, 'a text or a number');
    if (elevation !== undefined && typeof elevation !== 'number') throw unusable('elevation', elevation, 'metres');
  }
}

/** What an open file of arrays has. */
const FILE = { source: 'any text', arrays: 'map', attributes: 'map' } as const;

const POINT_KEYS = ['method', 'lapseRate', 'landMask', 'modelElevation', 'columns'] as const;

/**
 * Reads the daily values of a grid at points in one pass over the file, as `plumecast stats --points` does: a table for
 * `statistics` with the points' ids, coordinates and other columns, the cell of each (`cell_latitude`, `cell_longitude`,
 * `distance_km`), date, and a column for each member in the unit of the variable; NaN is null. Points are a list of
 * objects, GeoJSON, or a table; `latitude` and `longitude` are in degrees, `elevation` in metres. Values have the nearest
 * cell, of land where the file has a land mask. Metadata state what was done. Throws what `gridEnsemble` throws, and
 * DataError for points that are farther from the grid than one grid step, or there twice.
 */
export async function tableAtPoints(
  core: Core,
  file: ArrayFile,
  points: Table | GeoObject | readonly GivenPlace[],
  options: TableAtPointsOptions = {},
): Promise<PlacesTable> {
  assertCore(core);
  assertKind('options', options, 'object');
  const { method, lapseRate, landMask, modelElevation, columns, ...others } = options;
  if (method !== undefined) assertOneOf('method', method, ['nearest', 'bilinear'] as const);
  assertKind('lapseRate', lapseRate, 'number?');
  for (const [name, given] of Object.entries({ landMask, modelElevation })) {
    if (given !== undefined) assertShape(name, given, FILE);
  }
  assertPoints(points);
  const list = placeList(points, { columns });
  return readPlaces(core, file, others, {
    ...{ keys: POINT_KEYS, points: list },
    select: (all) => ensembleAtPoints(file, all, list, { method, lapseRate, landMask, modelElevation }),
  });
}

/** Options of `tableOverRegions`. */
export interface TableOverRegionsOptions
  extends Omit<GridOptions, 'bbox' | 'ids'>,
    PlaceZoneOptions,
    OverRegionsOptions,
    WorkOptions {
  /** The property with the names of regions. Default: `name`, else `id`. */
  readonly regionName?: string;
  /** Where the weights of the cells of outlines are kept: computed where it has none, else used. Default: nowhere. */
  readonly regionWeights?: WeightsCache;
}

const REGION_KEYS = ['statistic', 'condition', 'minAreaShare', 'regionName', 'regionWeights'] as const;

/**
 * Reads the daily values of regions of a grid in one pass over the file, as `plumecast stats --regions` does: of each
 * member and day the mean of the cells, weighted by the area that they share with the region, or the smallest or largest
 * value, or the share of the area with a condition. Regions are GeoJSON or TopoJSON with polygons, a box, or an open file
 * with a mask. The table for `statistics` has `region`, the middle of each region, `area_share` (the share that has data
 * on the first day), date, and a column for each member; NaN is null. Metadata state what was done. Throws what
 * `gridEnsemble` throws, and DataError for outlines that cannot be used, and where no region meets a cell.
 */
export async function tableOverRegions(
  core: Core,
  file: ArrayFile,
  regions: GeoObject | BoundingBox | ArrayFile,
  options: TableOverRegionsOptions = {},
): Promise<PlacesTable> {
  assertCore(core);
  assertKind('options', options, 'object');
  assertKind('regions', regions, 'object');
  const { regionName, statistic, condition, minAreaShare, regionWeights, ...others } = options;
  if (statistic !== undefined) assertOneOf('statistic', statistic, ['mean', 'min', 'max'] as const);
  if (condition !== undefined) assertShape('condition', condition, { text: 'text', holds: 'function' });
  assertKind('regionName', regionName, 'text?');
  assertKind('minAreaShare', minAreaShare, 'number?');
  if (regionWeights !== undefined)
    assertShape('regionWeights', regionWeights, { source: 'text?', read: 'function', write: 'function' });
  const read = readRegions(regions, regionName);
  const given = Object.entries({ statistic, condition, minAreaShare }).filter(([, value]) => value !== undefined);
  return readPlaces(core, file, others, {
    keys: REGION_KEYS,
    async select(all) {
      const weighed = await weighedRegions(file, all, read, regionWeights);
      const own = await overRegions(all, weighed.regions, weighed.weights, core, Object.fromEntries(given));
      return {
        ensemble: own,
        notes: own.conversions.slice(all.conversions.length),
        warnings: own.warnings.slice(all.warnings.length),
      };
    },
  });
}

/** The outlines of regions; a mask is read on its grid. */
function readRegions(given: GeoObject | BoundingBox | ArrayFile, property: string | undefined): Regions | ArrayFile {
  if ('arrays' in given) {
    assertShape('regions', given, FILE);
    return given;
  }
  if (!('south' in given)) return regionList(given, { property });
  checkBoundingBox(given, 'regions');
  return boxRegion(given);
}

async function weighedRegions(file: ArrayFile, all: GridEnsemble, regions: Regions | ArrayFile, cache?: WeightsCache) {
  if ('arrays' in regions) {
    if (cache === undefined) return maskRegions(regions, all);
    throw new OptionError({
      ...{ subject: 'regionWeights', problem: 'are kept of outlines, and regions are a mask, which has its own' },
      allowed: 'regions as GeoJSON or TopoJSON',
    });
  }
  const layout = findReadPlan(all)?.layout;
  const shapes = await cellShapes(all.grid, all.source, layout && { file, layout });
  return { regions, weights: await keptWeights(cache, shapes, cellsOfGrid(all.grid), regions, all.source) };
}

/** Bytes of memory of the values that are read at a time. */
const BYTES = 134_217_728;

/** How the places of a grid are read. */
interface PlaceReading {
  /** The names of options besides those of grids. */
  readonly keys: readonly string[];
  /** The places, where they are known before the file is opened. */
  readonly points?: PlaceList;
  select(all: GridEnsemble): ReturnType<typeof ensembleAtPoints>;
}

async function readPlaces(
  core: Core,
  file: ArrayFile,
  options: GridOptions & PlaceZoneOptions & WorkOptions,
  { keys, points, select }: PlaceReading,
): Promise<PlacesTable> {
  const { work, others } = beginWork(options, 'values');
  const { timeZones, ...ofGrid } = others;
  checkGridOptions(ofGrid, keys);
  if (timeZones !== undefined) checkTimeZones(timeZones);
  const zones = requestedPlaceDays({ ...ofGrid, timeZones });
  const { timeZone, dayStart, hours, splitExtremes, ...withoutDays } = ofGrid;
  const open = async (given: GridOptions): Promise<GridEnsemble> => {
    const all = await gridEnsemble(file, { ...given, signal: work.signal });
    const { ensemble, notes, warnings } = await select(all);
    const conversions = [...all.conversions, ...notes];
    return { ...ensemble, conversions, warnings: [...all.warnings, ...warnings] };
  };
  return work.run(async () => {
    const part = Object.fromEntries(
      Object.entries({ dayStart, hours, splitExtremes }).filter(([, value]) => value !== undefined),
    );
    const openZone = (zone: string | undefined) =>
      open(zone === undefined ? withoutDays : { ...withoutDays, ...part, timeZone: zone });
    const ensemble = zones === undefined ? await open(ofGrid) : await zonedEnsemble(zones, openZone, points);
    const { metadata, variable, units, members } = ensemble;
    const texts = canonicalMetadata({ metadata, variable: variable?.slug, units, members });
    const tables: Table[] = [];
    // Other reads on the core may begin and end meanwhile.
    await withOwnCore(core, async (own) => {
      for (const block of ensemble.blocks(BYTES, [])) {
        const mark = own.memory.mark();
        const part = await ensemble.read(block, own, { signal: options.signal, onProgress: options.onProgress });
        tables.push(...tablesOfPart(part, texts));
        own.memory.release(mark);
      }
    });
    const { conversions: notes, warnings } = ensemble;
    return { table: joinTables(tables), notes, warnings };
  });
}
