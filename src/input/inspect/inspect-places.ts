import type { Grid } from '../../ensemble/grid.js';
import type { InspectedPlaces } from './inspection.js';

/** Describes where the cells of a grid are. */
export function inspectPlaces(grid: Grid): InspectedPlaces {
  const { latitude, longitude } = grid;
  const extent = {
    ...(known(latitude) && { latitude: extentOf(latitude) }),
    ...(known(longitude) && {
      longitude: extentOf(longitude.map((degrees) => (degrees > 180 ? degrees - 360 : degrees))),
    }),
  };
  if (grid.kind === 'rectilinear') {
    const count = latitude.length * longitude.length;
    const step = [evenStep(latitude), evenStep(longitude)] as const;
    return { kind: 'rectilinear', count, shape: [latitude.length, longitude.length], ...extent, step };
  }
  const isCurvilinear = grid.shape.length > 1;
  return {
    kind: isCurvilinear ? 'curvilinear' : 'places',
    count: latitude.length,
    ...(isCurvilinear && { shape: grid.shape }),
    ...extent,
  };
}

function known(degrees: Float64Array): boolean {
  return degrees.length > 0 && !degrees.every(Number.isNaN);
}

function extentOf(degrees: Float64Array): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of degrees) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** The distance between neighbours, if it is the same everywhere except for rounding. */
function evenStep(degrees: Float64Array): number | undefined {
  if (degrees.length < 2) return undefined;
  const step = (degrees[degrees.length - 1] - degrees[0]) / (degrees.length - 1);
  const isEven = degrees.every((value, i) => Math.abs(degrees[0] + i * step - value) < Math.abs(step) * 1e-3);
  return isEven ? Number(Math.abs(step).toPrecision(6)) : undefined;
}
