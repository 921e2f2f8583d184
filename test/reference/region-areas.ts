/** A position: longitude and latitude in degrees. */
export type Position = readonly [number, number];

const RADIANS = Math.PI / 180;
const STEPS = 64;

/** The area of a ring on the sphere of radius 1, whose edges are straight in longitude and latitude: by Simpson's rule. */
function ringArea(ring: readonly Position[]): number {
  let area = 0;
  for (const [i, [lon1, lat1]] of ring.entries()) {
    const [lon2, lat2] = ring[(i + 1) % ring.length];
    const value = (share: number) =>
      (lon1 + share * (lon2 - lon1) - ring[0][0]) * RADIANS * Math.cos((lat1 + share * (lat2 - lat1)) * RADIANS);
    let sum = value(0) + value(1);
    for (let k = 1; k < STEPS; k++) sum += (k % 2 === 1 ? 4 : 2) * value(k / STEPS);
    area += (sum / (3 * STEPS)) * (lat2 - lat1) * RADIANS;
  }
  return area;
}

/** The part of a ring within a convex cell, whose corners are counterclockwise (Sutherland and Hodgman). */
function ringWithin(ring: readonly Position[], cell: readonly Position[]): readonly Position[] {
  let rest = ring;
  for (const [i, [x1, y1]] of cell.entries()) {
    const [x2, y2] = cell[(i + 1) % cell.length];
    const side = ([x, y]: Position) => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    rest = rest.flatMap((position, k): Position[] => {
      const before = rest[(k + rest.length - 1) % rest.length];
      const [one, other] = [side(before), side(position)];
      const share = one / (one - other);
      const cut: Position = [
        before[0] + share * (position[0] - before[0]),
        before[1] + share * (position[1] - before[1]),
      ];
      return [...(one * other < 0 ? [cut] : []), ...(other >= 0 ? [position] : [])];
    });
  }
  return rest;
}

/** The area that polygons share with a convex cell: the first ring of each is its outline, the others are holes. */
export function sharedArea(polygons: readonly (readonly (readonly Position[])[])[], cell: readonly Position[]): number {
  const area = (ring: readonly Position[]) => Math.abs(ringArea(ringWithin(ring, cell)));
  return polygons.reduce(
    (sum, [outer, ...holes]) => sum + area(outer) - holes.reduce((less, hole) => less + area(hole), 0),
    0,
  );
}
