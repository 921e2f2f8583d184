import { describe, expect, it } from 'vitest';
import { type CellOutlines, healpixCells } from '../../src/ensemble/cell-shapes/healpix-cells.js';
import type { Grid } from '../../src/ensemble/grid.js';
import { type MapField, weatherMap } from '../../src/plot/index.js';
import { mapCells } from '../../src/plot/map/map-cells.js';
import { expectValues, field } from './map-pixels.js';

const DEGREES = 180 / Math.PI;

/** The centres of the cells in rings (Gorski et al., HEALPix, Astrophysical Journal 622, 2005, equations 2 to 9). */
function healpix(nside: number): Extract<Grid, { kind: 'places' }> {
  const [latitude, longitude]: number[][] = [[], []];
  for (let ring = 1; ring < 4 * nside; ring++) {
    const fromPole = Math.min(ring, 4 * nside - ring);
    const isCap = fromPole < nside;
    const z = isCap ? 1 - fromPole ** 2 / (3 * nside ** 2) : 4 / 3 - (2 * fromPole) / (3 * nside);
    const length = isCap ? fromPole : nside;
    const offset = isCap ? 0.5 : ((fromPole - nside + 1) % 2) / 2;
    for (let j = 0; j < 4 * length; j++) {
      latitude.push(Math.asin(ring <= 2 * nside ? z : -z) * DEGREES);
      longitude.push(((j + offset) * 90) / length);
    }
  }
  return {
    kind: 'places',
    latitude: Float64Array.from(latitude),
    longitude: Float64Array.from(longitude),
    shape: [latitude.length],
  };
}

function outlineOf({ points, latitude, longitude }: CellOutlines, cell: number): [number, number][] {
  return Array.from({ length: points }, (_, k) => [longitude[cell * points + k], latitude[cell * points + k]]);
}

describe('cells of HEALPix', () => {
  it('have the corners that astropy-healpix 2.0.1 gives (boundaries_lonlat, nside 4, in rings)', () => {
    const outlines = healpixCells(healpix(4)) as CellOutlines;
    const corners: Record<number, [number, number][]> = {
      5: [
        [90, 78.284148],
        [45, 66.443536],
        [60, 54.340912],
        [90, 66.443536],
      ],
      24: [
        [0, 54.340912],
        [0, 41.810315],
        [11.25, 30],
        [22.5, 41.810315],
      ],
      80: [
        [180, 19.471221],
        [168.75, 9.594068],
        [180, 0],
        [191.25, 9.594068],
      ],
      150: [
        [315, -19.471221],
        [303.75, -30],
        [315, -41.810315],
        [326.25, -30],
      ],
    };
    for (const [cell, expected] of Object.entries(corners)) {
      const outline = outlineOf(outlines, Number(cell));
      for (const [longitude, latitude] of expected) {
        const isThere = ([lon, lat]: [number, number]) =>
          Math.abs(lat - latitude) < 1e-5 && Math.abs(((lon - longitude + 540) % 360) - 180) < 1e-5;
        expect([cell, longitude, latitude, outline.some(isThere)]).toEqual([cell, longitude, latitude, true]);
      }
    }
  });

  it('have the same area each, also at the poles, where they are as wide as a quarter of the globe', () => {
    for (const nside of [1, 2, 3]) {
      const outlines = healpixCells(healpix(nside)) as CellOutlines;
      const cells = 12 * nside ** 2;
      const areas = Array.from({ length: cells }, (_, cell) => areaOf(outlineOf(outlines, cell)));
      expect(areas.reduce((sum, area) => sum + area, 0) / (4 * Math.PI)).toBeCloseTo(1, 3);
      // Chords cut off a little of bent edges: less where there are more points on them, so cells are large here.
      for (const area of areas) expect(Math.abs((area * cells) / (4 * Math.PI) - 1)).toBeLessThan(0.02);
    }
  });

  it('are recognized in any order, in a part of the globe, with longitudes from -180 and rounded as float32', () => {
    const { latitude, longitude } = healpix(16);
    const chosen = Array.from(latitude, (_, i) => i)
      .filter((i) => latitude[i] > 30 && longitude[i] < 200)
      .reverse();
    const part: Grid = {
      kind: 'places',
      latitude: Float64Array.from(chosen, (i) => Math.fround(latitude[i])),
      longitude: Float64Array.from(chosen, (i) => Math.fround(longitude[i] > 180 ? longitude[i] - 360 : longitude[i])),
      shape: [chosen.length],
    };
    expect(mapCells(part).kind).toBe('outlines');
    expect(healpixCells(part)?.points).toBe(healpixCells(healpix(16))?.points);
  });

  it('are not taken for other places: a table of a regular grid, or one centre that is moved', () => {
    const [latitude, longitude]: number[][] = [[], []];
    for (let lat = -87.5; lat < 90; lat += 5)
      for (let lon = 0; lon < 360; lon += 5) [latitude.push(lat), longitude.push(lon)];
    const shape = [latitude.length];
    const table: Grid = {
      kind: 'places',
      latitude: new Float64Array(latitude),
      longitude: new Float64Array(longitude),
      shape,
    };
    expect(mapCells(table).kind).toBe('rows');
    const moved = healpix(4);
    moved.longitude[30] += 2;
    expect(mapCells(moved).kind).toBe('rows');
  });

  it('show their values at their centres on a map, as shapes and in an image', () => {
    for (const nside of [8, 48]) {
      const given = field(healpix(nside));
      const svg = weatherMap(given, { coastlines: 'none', theme: 'light' });
      expect(svg.includes('<image')).toBe(nside === 48);
      expectValues(svg, { west: -180, east: 180, south: -90, north: 90 }, withoutDateLine(given));
    }
  });
});

/** Centres at 180 degrees lie beneath the frame of a map. */
function withoutDateLine({ grid, values, ...rest }: MapField): MapField {
  const { latitude, longitude } = grid;
  const seen = Array.from(longitude, (_, i) => i).filter((i) => longitude[i] !== 180);
  const places = {
    latitude: latitude.filter((_, i) => longitude[i] !== 180),
    longitude: longitude.filter((lon) => lon !== 180),
  };
  return { ...rest, grid: { kind: 'places', ...places, shape: [seen.length] }, values: seen.map((i) => values[i]) };
}

/** The area on the sphere: longitudes by sines of latitudes are an equal-area plane. */
function areaOf(outline: readonly [number, number][]): number {
  let area = 0;
  for (const [k, [lon, lat]] of outline.entries()) {
    const [nextLon, nextLat] = outline[(k + 1) % outline.length];
    area += (lon * Math.sin(nextLat / DEGREES) - nextLon * Math.sin(lat / DEGREES)) / 2 / DEGREES;
  }
  return Math.abs(area);
}
