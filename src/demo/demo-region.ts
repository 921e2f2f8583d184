/** The centre of the demo's region, in degrees: Falling Creek Reservoir, Virginia. */
export const REGION_CENTRE = /* @__PURE__ */ Object.freeze({ latitude: 37.3, longitude: -79.84 });

/** Places of the demo, south to north and west to east; degrees and metres above sea level. */
export interface DemoPlaces {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly metres: Float32Array;
}

/**
 * The coarse grid: every quarter of a degree from 36.5 to 38.0 N and from 80.5 to 79.0 W, 7 by 7 points, smooth hills.
 */
export function coarseGrid(): DemoPlaces {
  return createGrid(
    Array.from({ length: 7 }, (_, row) => 36.5 + row / 4),
    Array.from({ length: 7 }, (_, column) => -80.5 + column / 4),
    hillsAt,
  );
}

/**
 * The 1 km patch: every 120th of a degree, to a millionth, 9 by 9 points around the region's centre, with ridges on the
 * hills.
 */
export function finePatch(): DemoPlaces {
  const degrees = (steps: number) => Math.round((steps / 120) * 1e6) / 1e6;
  const steps = (centre: number) =>
    Array.from({ length: 9 }, (_, step) => degrees(Math.round(120 * centre) + step - 4));
  return createGrid(
    steps(REGION_CENTRE.latitude),
    steps(REGION_CENTRE.longitude),
    (latitude, longitude) => hillsAt(latitude, longitude) + ridgesAt(latitude, longitude),
  );
}

function createGrid(
  latitudes: readonly number[],
  longitudes: readonly number[],
  metresAt: (latitude: number, longitude: number) => number,
): DemoPlaces {
  const latitude = Float64Array.from(latitudes.flatMap((north) => longitudes.map(() => north)));
  const longitude = Float64Array.from(latitudes.flatMap(() => longitudes));
  return {
    latitude,
    longitude,
    metres: Float32Array.from(latitude, (north, place) => Math.round(metresAt(north, longitude[place]))),
  };
}

/** An imagined relief that a coarse grid resolves: mountains in the west that fall to a plain in the south-east. */
function hillsAt(latitude: number, longitude: number): number {
  const [north, east] = [latitude - REGION_CENTRE.latitude, longitude - REGION_CENTRE.longitude];
  return 400 + 250 * Math.tanh(1.5 * (north - east)) + 80 * Math.sin(5 * north + 3 * east);
}

/** The relief that a coarse grid does not resolve: ridges four kilometres apart. */
function ridgesAt(latitude: number, longitude: number): number {
  const across = 0.6 * (latitude - REGION_CENTRE.latitude) - 0.8 * (longitude - REGION_CENTRE.longitude);
  return 90 * Math.sin((2 * Math.PI * across) / 0.036);
}
