import { conformal, type EarthShape, type Projection, type ToEarth } from './projection.js';

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

/**
 * The inverse of the stereographic projection about a place between the poles, with a scale there (Snyder, chapter 21,
 * by conformal latitudes).
 */
export function obliqueStereographic(
  { radius, eccentricity }: EarthShape,
  origin: number,
  central: number,
  scale: number,
): ToEarth {
  const { t, m, latitudeOf } = conformal(eccentricity);
  const chi = Math.PI / 2 - 2 * Math.atan(t(origin));
  const [sinChi, cosChi] = [Math.sin(chi), Math.cos(chi)];
  const unit = (2 * radius * scale * m(origin)) / cosChi;
  return (x, y) => {
    const rho = Math.hypot(x, y);
    if (rho === 0) return [origin, central];
    const c = 2 * Math.atan(rho / unit);
    const [sinC, cosC] = [Math.sin(c), Math.cos(c)];
    const sinus = cosC * sinChi + (y * sinC * cosChi) / rho;
    const angle = Math.atan2(x * sinC, rho * cosChi * cosC - y * sinChi * sinC);
    const conformalLatitude = Math.asin(Math.max(-1, Math.min(1, sinus)));
    return [latitudeOf(Math.tan(Math.PI / 4 - conformalLatitude / 2)), central + angle];
  };
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
