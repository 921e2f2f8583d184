import { conformal, type EarthShape, type Projection } from './projection.js';

/**
 * The Lambert conformal conic projection (Snyder, Map Projections, chapter 15), its origin at the apex of the cone; with
 * one parallel twice, the scale there is `scale`. Angles are in radians, and not opposite of each other.
 */
export function lambertConformal(
  { radius, eccentricity }: EarthShape,
  [first, second]: readonly [number, number],
  central: number,
  scale = 1,
): Projection {
  const { t, m, latitudeOf } = conformal(eccentricity);
  const isTangent = Math.abs(first - second) < 1e-9;
  const n = isTangent ? Math.sin(first) : Math.log(m(first) / m(second)) / Math.log(t(first) / t(second));
  const unit = (scale * radius * m(first)) / (n * t(first) ** n);
  return {
    toPlane: (latitude, longitude) => {
      const rho = unit * t(latitude) ** n;
      const theta = n * turned(longitude - central);
      return [rho * Math.sin(theta), -rho * Math.cos(theta)];
    },
    toEarth: (x, y) => {
      const sign = Math.sign(n);
      const rho = sign * Math.hypot(x, y);
      return [latitudeOf((rho / unit) ** (1 / n)), central + Math.atan2(sign * x, -sign * y) / n];
    },
  };
}

/** An angle from -180 to 180 degrees, in radians. */
function turned(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Where a polar stereographic projection has the scale 1, or its scale at the pole. */
export type PolarScale = { readonly trueLatitude: number } | { readonly atPole: number };

/** The polar stereographic projection (Snyder, chapter 21) of the northern or the southern pole. */
export function polarStereographic(
  { radius, eccentricity }: EarthShape,
  pole: 1 | -1,
  orientation: number,
  given: PolarScale,
): Projection {
  const { t, m, latitudeOf } = conformal(eccentricity);
  const unit = radius * ('atPole' in given ? given.atPole * scaleAtPole(eccentricity) : ofParallel(given.trueLatitude));
  function ofParallel(latitude: number): number {
    const isPole = Math.abs(latitude - Math.PI / 2) < 1e-9;
    return isPole ? scaleAtPole(eccentricity) : m(latitude) / t(latitude);
  }
  return {
    toPlane: (latitude, longitude) => {
      const rho = unit * t(pole * latitude);
      const angle = longitude - orientation;
      return [rho * Math.sin(angle), -pole * rho * Math.cos(angle)];
    },
    toEarth: (x, y) => [
      pole * latitudeOf(Math.hypot(x, y) / unit),
      orientation + (x === 0 && y === 0 ? 0 : Math.atan2(x, -pole * y)),
    ],
  };
}

function scaleAtPole(eccentricity: number): number {
  return 2 / Math.sqrt((1 + eccentricity) ** (1 + eccentricity) * (1 - eccentricity) ** (1 - eccentricity));
}

/** The Mercator projection (Snyder, chapter 7), with the scale 1 at a parallel, or `scale` at the equator. */
export function mercator(
  { radius, eccentricity }: EarthShape,
  { trueLatitude = 0, scale = 1 }: { readonly trueLatitude?: number; readonly scale?: number },
): Projection {
  const { t, m, latitudeOf } = conformal(eccentricity);
  const unit = scale * radius * m(trueLatitude);
  return {
    toPlane: (latitude, longitude) => [unit * longitude, -unit * Math.log(t(latitude))],
    toEarth: (x, y) => [latitudeOf(Math.exp(-y / unit)), x / unit],
  };
}
