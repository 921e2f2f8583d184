import fc from 'fast-check';
import type { CellRow } from '../../../src/ensemble/cell-shapes/cell-rows.js';
import type { CellShapes } from '../../../src/files/regions/overlap.js';
import type { RegionShape } from '../../../src/files/regions/region.js';
import { regionShape } from '../../../src/files/regions/region-rings.js';
import type { Position } from '../../reference/region-areas.js';

/** Whole numbers of 1/1024 of `unit`, some of which lie on edges of cells. */
const some = (from: number, to: number) =>
  fc.integer({ min: Math.ceil(from * 1024), max: Math.floor(to * 1024) }).map((value) => value / 1024);

/** A ring about a place that does not cross itself: one position in each direction. */
export const star = fc
  .record({
    longitude: some(-20, 20),
    latitude: some(-60, 60),
    radii: fc.array(some(0.25, 12), { minLength: 3, maxLength: 12 }),
  })
  .map(({ longitude, latitude, radii }) =>
    radii.map((radius, i): Position => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [round(longitude + radius * Math.cos(angle)), round(latitude + radius * Math.sin(angle))];
    }),
  );

/** Positions on a fine raster, so that some edges of regions lie on edges of cells. */
function round(value: number): number {
  return Math.round(value * 8) / 8;
}

export const shapeOf = (polygons: readonly (readonly (readonly Position[])[])[]): RegionShape =>
  regionShape(polygons, { source: 'test', subject: 'region' }, () => {});

/** Rows of cells between edges. */
export function rowsBetween(norths: readonly number[], easts: readonly number[]): CellRow[] {
  const width = easts.length - 1;
  const [west, east] = [Float64Array.from(easts.slice(0, -1)), Float64Array.from(easts.slice(1))];
  return norths.slice(1).map((north, y) => ({
    ...{ south: norths[y], north, west, east },
    cells: Int32Array.from({ length: width }, (_, x) => y * width + x),
  }));
}

/** The corners of each cell of rows, counterclockwise. */
export function cornersOf(rows: readonly CellRow[]): readonly (readonly Position[])[] {
  return rows.flatMap(({ south, north, west, east }) =>
    Array.from(west, (_, x): readonly Position[] => [
      [west[x], south],
      [east[x], south],
      [east[x], north],
      [west[x], north],
    ]),
  );
}

export function outlinesOf(
  cells: readonly (readonly Position[])[],
  areGreatCircles = false,
): Extract<CellShapes, { kind: 'outlines' }> {
  const points = Math.max(...cells.map((cell) => cell.length));
  const at = (axis: 0 | 1) =>
    Float64Array.from(
      cells.flatMap((cell) => Array.from({ length: points }, (_, i) => cell[i]?.[axis] ?? cell[0][axis])),
    );
  return { kind: 'outlines', areGreatCircles, outlines: { points, latitude: at(1), longitude: at(0) } };
}
