import { describe, expect, it } from 'vitest';
import { RowOverlap } from '../../../src/files/regions/cell-rows-overlap.js';
import { OutlineOverlap } from '../../../src/files/regions/outline-overlap.js';
import { SharedAreas } from '../../../src/files/regions/overlap.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import type { Position } from '../../reference/region-areas.js';
import { cornersOf, outlinesOf, rowsBetween, shapeOf } from './random-regions.js';

/*
 * exactextract takes edges for straight on the plane of the raster, and the share of a cell for the share of its plane.
 * On the plane of longitude and the sine of latitude shares equal the sphere's; edges that are straight in longitude
 * and latitude have many corners there.
 */
const GRIDS = Math.min(100, 20 * Number(process.env.PLUMECAST_FUZZ_RUNS ?? 1));
const REGIONS = 10;
const CODE = `
import json, sys
import geopandas
import numpy as np
import shapely
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
rng = np.random.default_rng(44)
found = []
for _ in range(${GRIDS}):
    rows, columns = (int(n) for n in rng.integers(3, 40, 2))
    south, north = np.sort(np.sin(np.radians(rng.uniform(-89, 89, 2))))
    west = rng.uniform(-170, 60)
    east = west + rng.uniform(1, 110)
    lows, highs = np.degrees(np.arcsin(south)), np.degrees(np.arcsin(north))
    rings, polygons = [], []
    for k in range(${REGIONS}):
        corners = int(rng.integers(4, 15))
        x, y = rng.uniform(west, east), rng.uniform(lows, highs)
        # One direction after the other, less than half a turn apart, so that the ring does not cross itself.
        angle = 2 * np.pi * (np.arange(corners) + rng.uniform(0, 0.9, corners)) / corners
        radius = rng.uniform(0.05, 0.7, corners)
        tall = min(highs - lows, (90 - abs(y)) / 0.7)
        ring = np.stack([x + radius * np.cos(angle) * (east - west), y + radius * np.sin(angle) * tall], 1)
        rings.append(ring.tolist())
        # So many pieces that the sine bends by less than 2e-7 of a cell in each.
        bend = np.sqrt(rows / (north - south) / 12 / 2e-7)
        pieces = [1 + int(bend * np.radians(abs(b[1] - a[1]))) for a, b in zip(ring, np.roll(ring, -1, 0))]
        dense = np.concatenate([
            a + np.linspace(0, 1, n, endpoint=False)[:, None] * (b - a)
            for n, a, b in zip(pieces, ring, np.roll(ring, -1, 0))
        ])
        dense[:, 1] = np.sin(np.radians(dense[:, 1]))
        polygons.append(shapely.Polygon(dense))
    frame = geopandas.GeoDataFrame(geometry=polygons, crs=4326)
    edges = {'xmin': west, 'ymin': south, 'xmax': east, 'ymax': north}
    raster = NumPyRasterSource(np.zeros((rows, columns)), **edges, srs_wkt=frame.crs.to_wkt())
    table = exact_extract(raster, frame, ['cell_id', 'coverage'], output='pandas')
    cells = [[ids.tolist(), shares.tolist()] for ids, shares in zip(table['cell_id'], table['coverage'])]
    norths = np.degrees(np.arcsin(np.linspace(south, north, rows + 1)))
    found.append({'norths': norths.tolist(), 'easts': np.linspace(west, east, columns + 1).tolist(), 'rings': rings, 'cells': cells})
print(json.dumps(found))
`;

interface Found {
  readonly norths: readonly number[];
  readonly easts: readonly number[];
  readonly rings: readonly (readonly Position[])[];
  readonly cells: readonly (readonly [cell: readonly number[], coverage: readonly number[]])[];
}

describe.skipIf(!hasPython('exactextract', 'geopandas', 'shapely'))('beside exactextract', () => {
  it(`the shares of cells of ${GRIDS * REGIONS} random regions are the same`, { timeout: 120_000 }, () => {
    const found: readonly Found[] = JSON.parse(python(CODE));
    let [worst, compared] = [0, 0];
    for (const { norths, easts, rings, cells } of found) {
      const rows = rowsBetween(norths, easts);
      const [height, width] = [norths.length - 1, easts.length - 1];
      const count = height * width;
      const all = [new RowOverlap(rows), new OutlineOverlap(outlinesOf(cornersOf(rows)))];
      const areas = all[0].areas(count);
      for (const [i, ring] of rings.entries()) {
        const expected = new Float64Array(count);
        for (const [k, cell] of cells[i][0].entries()) {
          // Cells of rasters are counted from the north.
          const [row, column] = [Math.floor(cell / width), cell % width];
          expected[(height - 1 - row) * width + column] = cells[i][1][k];
        }
        for (const overlap of all) {
          const shares = new Float64Array(count);
          const into = new SharedAreas(count);
          overlap.overlap(shapeOf([[ring]]).edges, into);
          for (const cell of into.cells()) shares[cell] += into.take(cell) / areas[cell];
          for (let cell = 0; cell < count; cell++) worst = Math.max(worst, Math.abs(shares[cell] - expected[cell]));
          compared += count;
        }
      }
    }
    expect(compared).toBeGreaterThan(100_000);
    expect(worst).toBeLessThan(1e-6);
  });
});
