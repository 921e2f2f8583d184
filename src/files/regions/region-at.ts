import type { Point } from '../../ensemble/nearest-place.js';
import type { RegionEdges, Regions } from './region.js';

/** Places at a pole lie within rings that go to it. */
const MAX_LATITUDE = 90 - 1e-9;

/** Makes a function that gives the name of the first region that holds a place; a place on a border is in the one to its east or north. */
export function regionFinder({ names, shapes }: Regions): (place: Point) => string | undefined {
  return ({ latitude, longitude }) =>
    names[shapes.findIndex(({ edges }) => [-360, 0, 360].some((turn) => holds(edges, longitude + turn, latitude)))];
}

/** Whether one more edge goes north than south on the west of a place. */
function holds({ count, west, east, ends }: RegionEdges, longitude: number, latitude: number): boolean {
  if (!(longitude >= west && longitude <= east)) return false;
  const level = Math.min(latitude, MAX_LATITUDE);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const [x0, y0, x1, y1] = ends.subarray(4 * i, 4 * i + 4);
    if (y0 <= level === y1 <= level) continue;
    if (x0 + ((level - y0) * (x1 - x0)) / (y1 - y0) <= longitude) sum += y1 > y0 ? 1 : -1;
  }
  return sum > 0;
}
