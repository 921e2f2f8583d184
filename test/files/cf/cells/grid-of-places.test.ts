import { describe, expect, test } from 'vitest';
import { findGrid } from '../../../../src/files/cf/cells/grid-of-places.js';

const find = (...places: [number, number][]) =>
  findGrid(
    Float64Array.from(places, ([lat]) => lat),
    Float64Array.from(places, ([, lon]) => lon),
  );

describe('findGrid', () => {
  test('finds the grid of places in any order, with axes in the order of the places where that is monotonic', () => {
    const { grid, cellOf } = find([50, 1], [50, 2], [49, 1], [49, 2], [48, 1], [48, 2]);
    expect(grid).toEqual({
      kind: 'rectilinear',
      latitude: Float64Array.of(50, 49, 48),
      longitude: Float64Array.of(1, 2),
    });
    expect([...cellOf]).toEqual([0, 1, 2, 3, 4, 5]);
    const mixed = find([49, 3], [50, 1], [49, 1], [50, 3], [48, 1], [48, 3]);
    expect(mixed.grid).toMatchObject({ latitude: Float64Array.of(48, 49, 50), longitude: Float64Array.of(3, 1) });
    expect([...mixed.cellOf]).toEqual([2, 5, 3, 4, 1, 0]);
  });

  test('leaves places that are not a complete grid, or are a line, unchanged', () => {
    for (const places of [
      [
        [50, 1],
        [50, 2],
        [49, 1],
      ],
      [
        [50, 1],
        [49, 2],
      ],
      [
        [50, 1],
        [50, 2],
        [50, 3],
      ],
      [[50, 1]],
      [
        [50, 1],
        [50, 2],
        [49, 1],
        [49, 1],
      ],
    ] as [number, number][][]) {
      const { grid, cellOf } = find(...places);
      expect(grid).toMatchObject({ kind: 'places', shape: [places.length] });
      expect([...cellOf]).toEqual(places.map((_, i) => i));
    }
  });
});
