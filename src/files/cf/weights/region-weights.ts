import { DataError } from '../../../errors.js';
import { RADIANS } from '../../projection/projection.js';
import { RowOverlap } from '../../regions/cell-rows-overlap.js';
import { OutlineOverlap } from '../../regions/outline-overlap.js';
import { type CellAreas, type CellShapes, SharedAreas } from '../../regions/overlap.js';
import type { RegionEdges, Regions } from '../../regions/region.js';
import { areaEastOf } from '../../regions/sphere-area.js';
import { type CellWeights, WeightsBuilder } from './cell-weights.js';

/** The cells of regions, weighted by the area that they share. */
export interface RegionWeights {
  readonly weights: CellWeights;
  /** The area of each region, in steradians. */
  readonly whole: Float64Array;
  /** The share of each region that cells cover. */
  readonly covered: Float64Array;
}

/** A region has no part of a cell of which it has a smaller share: it touches it, by rounding. */
const TOUCHED = 1e-9;
/** A region that has more of a cell than all of it covers it twice. */
const TWICE = 1e-6;

/** The areas of cells, and of what regions share with them. */
export function areasOfCells(shapes: CellShapes): CellAreas {
  return shapes.kind === 'rows' ? new RowOverlap(shapes.rows) : new OutlineOverlap(shapes);
}

/** The area of each region, in steradians. */
export function wholeAreas({ shapes }: Regions): Float64Array {
  return Float64Array.from(shapes, ({ edges }) => areaOf(edges));
}

/**
 * Weighs the cells of a grid by the area that each region shares with them, exactly for outlines that are straight in
 * longitude and latitude. Throws DataError where no region meets the grid, or one covers cells twice.
 */
export function regionWeights(all: CellAreas, cells: number, given: Regions, ofGrid: string): RegionWeights {
  const { names, shapes: regions, source } = given;
  const areas = all.areas(cells);
  const builder = new WeightsBuilder(cells);
  const shared = new SharedAreas(cells);
  const covered = new Float64Array(regions.length);
  const whole = wholeAreas(given);
  for (const [r, { edges }] of regions.entries()) {
    all.overlap(edges, shared);
    const touched = shared.cells();
    for (let i = 0; i < touched.length; i++) {
      const cell = touched[i];
      const area = shared.take(cell);
      if (Math.abs(area) <= TOUCHED * areas[cell]) continue;
      if (area < 0 || area > areas[cell] * (1 + TWICE)) {
        throw new DataError({
          ...{ source, subject: names[r], problem: 'has polygons that overlap, or a hole outside of its ring' },
          allowed: 'polygons that share no area (ogr2ogr -makevalid, or a union of them)',
        });
      }
      const weight = Math.min(area, areas[cell]);
      builder.add(cell, weight);
      covered[r] += weight;
    }
    shared.clear();
    builder.end();
    covered[r] /= whole[r];
  }
  if (!covered.some((share) => share > 0))
    throw meetsNone(
      all,
      cells,
      regions.map(({ edges }) => edges),
      names,
      source,
      ofGrid,
    );
  return { weights: builder.build(), whole, covered };
}

function areaOf({ count, ends }: RegionEdges): number {
  let area = 0;
  const [lon] = ends;
  for (let at = 0; at < 4 * count; at += 4) {
    const [west, east] = [(ends[at] - lon) * RADIANS, (ends[at + 2] - lon) * RADIANS];
    area += areaEastOf(0, west, ends[at + 1] * RADIANS, east, ends[at + 3] * RADIANS);
  }
  return area;
}

function meetsNone(
  all: CellAreas,
  cells: number,
  regions: readonly RegionEdges[],
  names: readonly string[],
  source: string,
  ofGrid: string,
): DataError {
  const isSwapped = regions.every((edges) => {
    const swapped = withSwappedAxes(edges);
    if (swapped === undefined) return false;
    const shared = new SharedAreas(cells);
    all.overlap(swapped, shared);
    return shared.cells().length > 0;
  });
  const hint = isSwapped ? ', as latitudes and longitudes seem to be swapped' : '';
  return new DataError({
    source,
    problem: `none of its regions meets the grid of ${ofGrid}${hint}`,
    received: names.slice(0, 10).join('; ') + (names.length > 10 ? ` and ${names.length - 10} more` : ''),
    allowed: 'regions with at least one cell of the grid',
  });
}

function withSwappedAxes({ ends, ...edges }: RegionEdges): RegionEdges | undefined {
  const swapped = ends.map((_, i) => ends[i ^ 1]);
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < swapped.length; i += 2) {
    if (Math.abs(swapped[i + 1]) > 90) return undefined;
    west = Math.min(west, swapped[i]);
    east = Math.max(east, swapped[i]);
  }
  return { ...edges, ends: swapped, west, east };
}
