import { describe, expect, it } from 'vitest';
import type { Grid } from '../../../../src/ensemble/grid.js';
import { bilinearWeights, nearestCells } from '../../../../src/files/cf/weights/point-weights.js';
import { placeList } from '../../../../src/files/places/place-list.js';

const gridOf = (latitude: readonly number[], longitude: readonly number[]): Grid => ({
  ...{ kind: 'rectilinear', latitude: Float64Array.from(latitude), longitude: Float64Array.from(longitude) },
});

/** The weights of the cells of a point, by cell. */
function weightsAt(grid: Grid, latitude: number, longitude: number): Record<number, number> {
  const points = placeList([{ latitude, longitude }]);
  const cells = grid.latitude.length * grid.longitude.length;
  const nearest = nearestCells(grid, cells, points, 'grid.nc').cells;
  const { first, count, weight } = bilinearWeights(grid, points, nearest, 'grid.nc');
  const found: Record<number, number> = {};
  for (const [run, cell] of first.entries())
    for (let next = cell; next < cell + count[run]; next++) found[next] = Math.round(weight[run] * 1e9) / 1e9;
  return found;
}

describe('bilinearWeights', () => {
  it.each([
    ['ascending', [5, 10, 15]],
    ['descending', [15, 10, 5]],
    ['ascending, of two', [5, 10]],
    ['descending, of two', [10, 5]],
    ['across the date line', [175, -180, -175]],
    ['descending across the date line', [-175, -180, 175]],
    ['descending across Greenwich, of two', [1, 359]],
  ])('has the centres around a point with longitudes %s', (_name, longitudes) => {
    const [one, other] = longitudes;
    const away = ((((other - one) % 360) + 540) % 360) - 180;
    const at = weightsAt(gridOf([50, 40], longitudes), 48, one + away / 4);
    const { length } = longitudes;
    expect(at).toEqual({ 0: 0.6, 1: 0.2, [length]: 0.15, [length + 1]: 0.05 });
  });
});

describe('nearestCells', () => {
  it('finds the nearest longitude on rows around the globe, at its seam and at a pole', () => {
    const grid = gridOf([90, 89, 0], [0, 90, 180, 270]);
    const given = [
      { latitude: 0.1, longitude: -46, cell: 11 },
      { latitude: 0.1, longitude: -44, cell: 8 },
      { latitude: 0.1, longitude: 179, cell: 10 },
      { latitude: 89.1, longitude: 271, cell: 7 },
    ];
    const { cells } = nearestCells(grid, 12, placeList(given.map(({ cell, ...point }) => point)), 'grid.nc');
    expect([...cells]).toEqual(given.map(({ cell }) => cell));
  });
});
