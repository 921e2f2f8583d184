import { BEYOND, conformal, type EarthShape, type ToEarth } from './projection.js';
import { meridian } from './transverse-mercator.js';

/**
 * The function `q` of the authalic latitude for an ellipsoid (Snyder, Map Projections, equation 3-12), and its inverse
 * (3-16).
 */
function authalic(eccentricity: number) {
  const e = eccentricity;
  const q = (latitude: number) => {
    const s = Math.sin(latitude);
    if (e === 0) return 2 * s;
    return (1 - e ** 2) * (s / (1 - (e * s) ** 2) - Math.log((1 - e * s) / (1 + e * s)) / (2 * e));
  };
  const atPole = q(Math.PI / 2);
  const latitudeOf = (value: number) => {
    // Rounding may lead beyond the pole, and what is farther is no place.
    if (Math.abs(value) > atPole)
      return Math.abs(value) > atPole * (1 + 1e-9) ? Number.NaN : sign(value) * (Math.PI / 2);
    let latitude = Math.asin(Math.max(-1, Math.min(1, value / atPole)));
    if (e === 0) return latitude;
    for (let step = 0; step < 15; step++) {
      const s = Math.sin(latitude);
      const change = ((1 - (e * s) ** 2) ** 2 * (value - q(latitude))) / (2 * Math.cos(latitude) * (1 - e ** 2));
      if (!Number.isFinite(change)) return latitude;
      latitude += change;
      if (Math.abs(change) < 1e-13) return latitude;
    }
    return latitude;
  };
  return { q, atPole, latitudeOf };
}

function sign(value: number): 1 | -1 {
  return value < 0 ? -1 : 1;
}

/** The inverse of the Albers equal-area conic projection (Snyder, chapter 14); `y` is 0 at the latitude `origin`. */
export function albers(
  { radius, eccentricity }: EarthShape,
  [first, second]: readonly [number, number],
  central: number,
  origin: number,
): ToEarth {
  const { m } = conformal(eccentricity);
  const { q, latitudeOf } = authalic(eccentricity);
  const isTangent = Math.abs(first - second) < 1e-9;
  const n = isTangent ? Math.sin(first) : (m(first) ** 2 - m(second) ** 2) / (q(second) - q(first));
  const c = m(first) ** 2 + n * q(first);
  const rhoOrigin = (radius * Math.sqrt(c - n * q(origin))) / n;
  return (x, y) => {
    const down = rhoOrigin - y;
    const rho = Math.hypot(x, down);
    const latitude = latitudeOf((c - ((rho * n) / radius) ** 2) / n);
    const angle = Math.atan2(sign(n) * x, sign(n) * down) / n;
    return Math.abs(angle) > Math.PI ? BEYOND : [latitude, central + angle];
  };
}

/** The inverse of the Lambert azimuthal equal-area projection (Snyder, chapter 24) about a place. */
export function lambertAzimuthal({ radius, eccentricity }: EarthShape, origin: number, central: number): ToEarth {
  const { q, atPole, latitudeOf } = authalic(eccentricity);
  if (Math.abs(Math.abs(origin) - Math.PI / 2) < 1e-9) {
    const pole = sign(origin);
    return (x, y) => {
      const latitude = latitudeOf(pole * (atPole - (x ** 2 + y ** 2) / radius ** 2));
      return [latitude, central + (x === 0 && y === 0 ? 0 : Math.atan2(x, -pole * y))];
    };
  }
  const beta = Math.asin(q(origin) / atPole);
  const [sinBeta, cosBeta] = [Math.sin(beta), Math.cos(beta)];
  const unit = radius * Math.sqrt(atPole / 2);
  const d = (radius * conformal(eccentricity).m(origin)) / (unit * cosBeta);
  return (x, y) => {
    const rho = Math.hypot(x / d, y * d);
    if (rho === 0) return [origin, central];
    if (rho > 2 * unit) return BEYOND;
    const c = 2 * Math.asin(rho / (2 * unit));
    const [sinC, cosC] = [Math.sin(c), Math.cos(c)];
    const latitude = latitudeOf(atPole * (cosC * sinBeta + (d * y * sinC * cosBeta) / rho));
    return [latitude, central + Math.atan2(x * sinC, d * rho * cosBeta * cosC - d ** 2 * y * sinBeta * sinC)];
  };
}

/**
 * The inverse of the Lambert cylindrical equal-area projection (Snyder, chapter 10), with the scale 1 at a parallel, or
 * `scale` at the equator.
 */
export function cylindricalEqualArea(
  { radius, eccentricity }: EarthShape,
  { trueLatitude = 0, scale = 1 }: { readonly trueLatitude?: number; readonly scale?: number },
  central: number,
): ToEarth {
  const { latitudeOf } = authalic(eccentricity);
  const k = scale * conformal(eccentricity).m(trueLatitude);
  return (x, y) => [latitudeOf((2 * k * y) / radius), central + x / (k * radius)];
}

/** The inverse of the sinusoidal projection (Snyder, chapter 30; latitudes by 3-26, to the fourth order). */
export function sinusoidal(earth: EarthShape, central: number): ToEarth {
  const { m } = conformal(earth.eccentricity);
  const { n, rectifying } = meridian(earth);
  const factors = [
    (3 / 2) * n - (27 / 32) * n ** 3,
    (21 / 16) * n ** 2 - (55 / 32) * n ** 4,
    (151 / 96) * n ** 3,
    (1097 / 512) * n ** 4,
  ];
  return (x, y) => {
    const mu = y / rectifying;
    if (Math.abs(mu) > Math.PI / 2) return BEYOND;
    const latitude = factors.reduce((sum, factor, j) => sum + factor * Math.sin(2 * (j + 1) * mu), mu);
    const angle = x === 0 ? 0 : x / (earth.radius * m(latitude));
    return Math.abs(angle) > Math.PI ? BEYOND : [latitude, central + angle];
  };
}
