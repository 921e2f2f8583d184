import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCrossing } from '../../../src/files/regions/crossing-edges.js';

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

/** On which side of an edge a position is, exactly for whole numbers. */
const side = ([x1, y1, x2, y2]: Edge, x: number, y: number) => Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));

function cross(one: Edge, other: Edge): boolean {
  const areApart = (a: Edge, b: Edge) => side(a, b[0], b[1]) * side(a, b[2], b[3]) < 0;
  return areApart(one, other) && areApart(other, one);
}

/** Each pair of edges. */
function slowCrossings(edges: readonly Edge[]): Set<string> {
  const found = new Set<string>();
  for (const [i, one] of edges.entries()) {
    for (const other of edges.slice(i + 1)) {
      if (!cross(one, other)) continue;
      const [x1, y1, x2, y2] = other;
      const [first, second] = [x1, x2].map((x, end) => {
        const [y, [ax, ay, bx, by]] = [[y1, y2][end], one];
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      });
      const share = first / (first - second);
      found.add([x1 + share * (x2 - x1), y1 + share * (y2 - y1)].map((value) => value.toFixed(3)).join());
    }
  }
  return found;
}

/** Edges between short steps, which seldom cross, and anywhere, which do. */
const edges = fc
  .record({
    reach: fc.constantFrom(2, 5, 300),
    places: fc.array(fc.record({ x: fc.nat(300), y: fc.nat(300), dx: fc.nat(), dy: fc.nat() }), { maxLength: 150 }),
  })
  .map(({ reach, places }) =>
    places.map(
      ({ x, y, dx, dy }): Edge => [x, y, x + (dx % (2 * reach + 1)) - reach, y + (dy % (2 * reach + 1)) - reach],
    ),
  );

describe('findCrossing', () => {
  it('finds two edges that cross where any two of all do, and where they do', () => {
    let crossed = 0;
    fc.assert(
      fc.property(edges, (given) => {
        const expected = slowCrossings(given);
        const found = findCrossing({ count: given.length, ends: Float64Array.from(given.flat()) });
        if (expected.size > 0) crossed++;
        expect(found !== undefined).toBe(expected.size > 0);
        if (found === undefined) return;
        const isNear = [...expected].some((text) =>
          text.split(',').every((value, axis) => Math.abs(Number(value) - found[axis]) < 2e-3),
        );
        expect(isNear).toBe(true);
      }),
      { numRuns: 400, seed: 44 },
    );
    expect(crossed).toBeGreaterThan(50);
    expect(crossed).toBeLessThan(350);
  });
});
