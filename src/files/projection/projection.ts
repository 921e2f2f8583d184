/** The ellipsoid that coordinates are computed on: a sphere has no eccentricity. */
export interface EarthShape {
  /** Half of the axis through the equator, in metres. */
  readonly radius: number;
  readonly eccentricity: number;
}

/** From a plane, in metres, to latitude and longitude in radians; NaN beyond the edge of the map. */
export type ToEarth = (x: number, y: number) => readonly [latitude: number, longitude: number];

/** The place of what is beyond the edge of the map. */
export const BEYOND = [Number.NaN, Number.NaN] as const;

/** A map projection: latitudes and longitudes in radians, coordinates in metres. */
export interface Projection {
  readonly toPlane: (latitude: number, longitude: number) => readonly [x: number, y: number];
  readonly toEarth: ToEarth;
}

/** Radians of a degree. */
export const RADIANS = Math.PI / 180;

/** A longitude from -180 to 180 degrees. */
export function withinCircle(longitude: number): number {
  return longitude - 360 * Math.floor((longitude + 180) / 360);
}

/**
 * The functions of the isometric latitude that conformal projections share, for an ellipsoid (Snyder, Map Projections:
 * A Working Manual, 1987, equations 15-9 and 7-9): `t`, which falls from the south pole to 0 at the north pole, and its
 * inverse; and `m` (14-15), the radius of a parallel.
 */
export function conformal(eccentricity: number) {
  const ratio = (latitude: number) => {
    const e = eccentricity * Math.sin(latitude);
    return ((1 - e) / (1 + e)) ** (eccentricity / 2);
  };
  return {
    t: (latitude: number) => Math.tan(Math.PI / 4 - latitude / 2) / ratio(latitude),
    m: (latitude: number) => Math.cos(latitude) / Math.sqrt(1 - (eccentricity * Math.sin(latitude)) ** 2),
    latitudeOf: (t: number) => {
      let latitude = Math.PI / 2 - 2 * Math.atan(t);
      if (eccentricity === 0) return latitude;
      for (let step = 0; step < 15; step++) {
        const next = Math.PI / 2 - 2 * Math.atan(t * ratio(latitude));
        if (Math.abs(next - latitude) < 1e-13) return next;
        latitude = next;
      }
      return latitude;
    },
  };
}
