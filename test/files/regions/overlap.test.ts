import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellRows } from '../../../src/ensemble/cell-shapes/cell-rows.js';
import { healpixCells } from '../../../src/ensemble/cell-shapes/healpix-cells.js';
import type { Grid } from '../../../src/ensemble/grid.js';
import { cellShapes } from '../../../src/files/cf/cells/cell-shapes.js';
import { RowOverlap } from '../../../src/files/regions/cell-rows-overlap.js';
import { OutlineOverlap } from '../../../src/files/regions/outline-overlap.js';
import { type CellAreas, SharedAreas } from '../../../src/files/regions/overlap.js';
import type { RegionShape } from '../../../src/files/regions/region.js';
import { isFullCheck } from '../../full-check.js';
import { type Position, sharedArea } from '../../reference/region-areas.js';
import { cornersOf, outlinesOf, rowsBetween, shapeOf, star } from './random-regions.js';

const SPHERE = 4 * Math.PI;
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

/** The area of each cell that a region has. */
function shared(all: CellAreas, { edges }: RegionShape, cells: number): Float64Array {
  const into = new SharedAreas(cells);
  all.overlap(edges, into);
  const areas = new Float64Array(cells);
  for (const cell of into.cells()) areas[cell] += into.take(cell);
  return areas;
}

const step = fc.constantFrom(1.5, 2.5, 4);
const axis = (from: number, to: number) =>
  step.map((width) => Array.from({ length: Math.floor((to - from) / width) + 1 }, (_, i) => from + i * width));
const grid = fc.record({ norths: axis(-75, 75), easts: axis(-33, 33) });

describe('the area that a region shares with cells', () => {
  it('is that of the slow twin, of cells in rows and of cells by their corners', () => {
    fc.assert(
      fc.property(grid, star, ({ norths, easts }, ring) => {
        fc.pre(ring.every(([, latitude]) => Math.abs(latitude) < 75));
        const rows = rowsBetween(norths, easts);
        const corners = cornersOf(rows);
        const shape = shapeOf([[[...ring, ring[0]]]]);
        const byRows = shared(new RowOverlap(rows), shape, corners.length);
        const byCorners = shared(new OutlineOverlap(outlinesOf(corners)), shape, corners.length);
        const worst = corners.map((own, cell) => {
          const expected = sharedArea([[ring]], own);
          const error = Math.max(Math.abs(byRows[cell] - expected), Math.abs(byCorners[cell] - expected));
          return error / sharedArea([[own]], own);
        });
        expect(Math.max(...worst)).toBeLessThan(1e-9);
      }),
      { numRuns: isFullCheck ? 25 : 8 },
    );
  });

  it('leaves out holes, and adds the polygons of one region', () => {
    const square = (west: number, south: number, size: number): Position[] => [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ];
    const polygons = [[square(-10.3, 1.1, 12.7), square(-7.2, 3.3, 4.4)], [square(5.5, 20.25, 3)]];
    const rows = rowsBetween(
      Array.from({ length: 31 }, (_, i) => i),
      Array.from({ length: 41 }, (_, i) => i - 20),
    );
    const corners = cornersOf(rows);
    const found = shared(new RowOverlap(rows), shapeOf(polygons), corners.length);
    const byCorners = shared(new OutlineOverlap(outlinesOf(corners)), shapeOf(polygons), corners.length);
    for (const [cell, own] of corners.entries()) {
      const expected = sharedArea(polygons, own);
      expect(Math.abs(found[cell] - expected)).toBeLessThan(1e-13);
      expect(Math.abs(byCorners[cell] - expected)).toBeLessThan(1e-13);
    }
  });

  it('is the same where a region goes on beyond the date line, or is stored with longitudes from 0 to 360', () => {
    const rows = rowsBetween(
      [-20, -19, -18, -17, -16],
      Array.from({ length: 361 }, (_, i) => i - 180),
    );
    const fiji: Position[] = [
      [177.3, -19.4],
      [-178.2, -18.9],
      [-179.4, -16.3],
      [177.3, -19.4],
    ];
    const cut = fiji.map(([lon, lat]): Position => [lon < 0 ? lon + 360 : lon, lat]);
    const [one, other] = [fiji, cut].map((ring) => shared(new RowOverlap(rows), shapeOf([[ring]]), 1440));
    expect([...one]).toEqual([...other]);
    expect(one.filter((area) => area > 0).length).toBeGreaterThan(10);
    const byCorners = shared(new OutlineOverlap(outlinesOf(cornersOf(rows))), shapeOf([[fiji]]), 1440);
    for (const [cell, area] of byCorners.entries()) expect(Math.abs(area - one[cell])).toBeLessThan(1e-15);
    expect(shapeOf([[fiji]]).longitude).toBeCloseTo(180 - 0.1, 1);
  });

  it('has a pole in a ring that goes around it', () => {
    const ring = Array.from({ length: 12 }, (_, i): Position => [-180 + 30 * i, 66]);
    const rows = rowsBetween(
      Array.from({ length: 19 }, (_, i) => -90 + 10 * i),
      Array.from({ length: 37 }, (_, i) => 10 * i),
    );
    // Closed at its first position, or also written at 180 degrees, where that is again.
    for (const last of [[], [[180, 66] as Position]]) {
      const found = shared(new RowOverlap(rows), shapeOf([[[...ring, ...last, ring[0]]]]), 18 * 36);
      expect(sum(found)).toBeCloseTo(2 * Math.PI * (1 - Math.sin((66 * Math.PI) / 180)), 12);
    }
  });

  it('is an error where it crosses itself, also where the areas of its parts cancel each other', () => {
    const eight: Position[] = [
      [0, -1],
      [2, 1],
      [2, -1],
      [0, 1],
      [0, -1],
    ];
    expect(() => shapeOf([[eight]])).toThrow(/crosses itself; received "at longitude 1, latitude 0"/);
    const box: Position[] = [
      [10, 0],
      [12, 0],
      [12, 2],
      [10, 2],
      [10, 0],
    ];
    expect(() => shapeOf([[box], [eight]])).toThrow(/crosses itself/);
  });
});

/** Jagged parts of the globe. */
const parts = fc
  .record({
    norths: fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 4 }),
    easts: fc.array(fc.integer({ min: -170, max: 170 }), { maxLength: 4 }),
    shift: fc.integer({ min: -40, max: 40 }),
  })
  .map(({ norths, easts, shift }) => {
    const lats = [-90, ...new Set(norths.sort((a, b) => a - b)), 90];
    const lons = [-180, ...new Set([-20, 20, ...easts].sort((a, b) => a - b)), 180];
    // Corners within the globe are moved, so that edges are oblique.
    const corner = (x: number, y: number): Position => {
      const isInner = x > 0 && x < lons.length - 1 && y > 0 && y < lats.length - 1;
      return [lons[x] + (isInner ? shift / 100 : 0), lats[y] + (isInner ? shift / 90 : 0)];
    };
    return lats
      .slice(1)
      .flatMap((_, y) =>
        lons.slice(1).map((_lon, x) => [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)]),
      );
  });

/** A grid whose north pole is elsewhere, as the consortium models have it. */
function rotatedGrid(rows: number, columns: number): Extract<Grid, { kind: 'places' }> {
  const [latitude, longitude] = [new Float64Array(rows * columns), new Float64Array(rows * columns)];
  const pole = (40 * Math.PI) / 180;
  for (let cell = 0; cell < rows * columns; cell++) {
    const lat = ((Math.floor(cell / columns) / rows - 0.5) * 100 * Math.PI) / 180;
    const lon = (((cell % columns) / columns - 0.5) * 150 * Math.PI) / 180;
    const [x, y, z] = [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
    const [u, w] = [x * Math.sin(pole) - z * Math.cos(pole), x * Math.cos(pole) + z * Math.sin(pole)];
    latitude[cell] = (Math.asin(w) * 180) / Math.PI;
    longitude[cell] = (Math.atan2(y, u) * 180) / Math.PI;
  }
  return { kind: 'places', latitude, longitude, shape: [rows, columns] };
}

describe('a partition of the globe', () => {
  const gaussian = Float64Array.from([89.4628, 87.8669, 80, 60, 40, 20, 0, -20, -40, -60, -80, -87.8669, -89.4628]);
  const rectilinear: Grid = {
    ...{ kind: 'rectilinear', latitude: gaussian },
    longitude: Float64Array.from({ length: 36 }, (_, i) => 10 * i),
  };
  const healpix = healpixCells(healpixGrid(4));

  it('adds up to each cell of rows, HEALPix and a rotated grid around the pole', async () => {
    const shapes = await cellShapes(rotatedGrid(40, 60), 'test');
    const rotated = new OutlineOverlap(shapes as Extract<typeof shapes, { kind: 'outlines' }>);
    const all: [CellAreas, number][] = [
      [new RowOverlap(cellRows(rectilinear) ?? []), 13 * 36],
      [new OutlineOverlap({ kind: 'outlines', outlines: healpix as never, areGreatCircles: false }), 192],
      [rotated, 2400],
    ];
    fc.assert(
      fc.property(parts, (regions) => {
        for (const [cells, count] of all) {
          const total = new Float64Array(count);
          for (const ring of regions) {
            const own = shared(cells, shapeOf([[[...ring, ring[0]]]]), count);
            for (const [cell, area] of own.entries()) total[cell] += area;
          }
          const areas = cells.areas(count);
          const worst = Math.max(...total.map((area, cell) => Math.abs(area / areas[cell] - 1)));
          expect(worst).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('has the area of the sphere: rows to the poles, HEALPix', () => {
    expect(sum(new RowOverlap(cellRows(rectilinear) ?? []).areas(13 * 36))).toBeCloseTo(SPHERE, 9);
    const outlines = new OutlineOverlap({ kind: 'outlines', outlines: healpix as never, areGreatCircles: false });
    expect(sum(outlines.areas(192)) / SPHERE).toBeCloseTo(1, 9);
  });

  it('has quadrangles as large as on the sphere, also around the pole', async () => {
    const shapes = await cellShapes(rotatedGrid(40, 60), 'test');
    const areas = new OutlineOverlap(shapes as Extract<typeof shapes, { kind: 'outlines' }>).areas(2400);
    let worst = 0;
    // Between parallels of the rotated grid: 100 and 150 degrees, in steps of 2.5.
    for (let row = 1; row < 39; row++) {
      const lat = ((row / 40 - 0.5) * 100 * Math.PI) / 180;
      const expected = (2.5 * Math.PI) / 180;
      const height = Math.sin(lat + expected / 2) - Math.sin(lat - expected / 2);
      for (let column = 1; column < 59; column++) {
        worst = Math.max(worst, Math.abs(areas[row * 60 + column] / (expected * height) - 1));
      }
    }
    expect(worst).toBeLessThan(0.004);
  });
});

/** The centres of the cells in rings, as the places of a grid. */
function healpixGrid(nside: number): Extract<Grid, { kind: 'places' }> {
  const [latitude, longitude]: [number[], number[]] = [[], []];
  for (let ring = 1; ring < 4 * nside; ring++) {
    const north = Math.min(ring, 4 * nside - ring);
    const isCap = north < nside;
    const cells = isCap ? 4 * north : 4 * nside;
    const z = isCap
      ? Math.sign(2 * nside - ring) * (1 - north ** 2 / (3 * nside ** 2))
      : 4 / 3 - (2 * ring) / (3 * nside);
    const shift = isCap || (ring - nside) % 2 === 0 ? 0.5 : 0;
    for (let j = 0; j < cells; j++) {
      latitude.push((Math.asin(z) * 180) / Math.PI);
      longitude.push(((j + shift) * 360) / cells);
    }
  }
  return {
    kind: 'places',
    latitude: Float64Array.from(latitude),
    longitude: Float64Array.from(longitude),
    shape: [latitude.length],
  };
}
