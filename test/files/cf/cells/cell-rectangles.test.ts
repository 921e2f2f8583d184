import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellBoxes } from '../../../../src/files/cf/cells/cell-places.js';

test('cellBoxes covers consecutive cells of a grid once, in order, with at most three boxes', () => {
  fc.assert(
    fc.property(
      fc.nat(6),
      fc.integer({ min: 1, max: 7 }),
      fc.nat(20),
      fc.integer({ min: 1, max: 30 }),
      (rows, width, cell, cells) => {
        const all = (rows + 1) * width;
        const first = cell % all;
        const count = Math.min(cells, all - first);
        const boxes = [...cellBoxes({ cell: first, cells: count }, [rows + 1, width])];
        expect(boxes.length).toBeLessThanOrEqual(3);
        const covered = boxes.flatMap(({ start: [y, x], count: [ny, nx], from, cells: size }) => {
          expect([ny * nx, from + first]).toEqual([size, y * width + x]);
          return Array.from({ length: size }, (_, i) => (y + Math.floor(i / nx)) * width + x + (i % nx));
        });
        expect(covered).toEqual(Array.from({ length: count }, (_, i) => first + i));
      },
    ),
  );
});

test('cellBoxes returns places as one box', () => {
  expect([...cellBoxes({ cell: 3, cells: 5 }, [9])]).toEqual([{ start: [3], count: [5], from: 0, cells: 5 }]);
});
