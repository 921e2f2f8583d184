import { BEYOND, type EarthShape, type ToEarth } from './projection.js';
import { meridian } from './transverse-mercator.js';

/**
 * The inverse of the azimuthal equidistant projection about a place: the end of the geodesic that leaves it in the
 * direction of a point, as long as the distance of that point (Vincenty, Direct and inverse solutions of geodesics on
 * the ellipsoid, Survey Review 23, 1975, equations 1 to 11, with Helmert's parameter of the series).
 */
export function azimuthalEquidistant(earth: EarthShape, origin: number, central: number): ToEarth {
  const { radius, eccentricity } = earth;
  const ratio = Math.sqrt(1 - eccentricity ** 2);
  const flattening = 1 - ratio;
  const secondSquared = eccentricity ** 2 / (1 - eccentricity ** 2);
  const reduced = Math.atan2(ratio * Math.sin(origin), Math.cos(origin));
  const [sinU, cosU] = [Math.sin(reduced), Math.cos(reduced)];
  const farthest = Math.PI * meridian(earth).rectifying * (1 + 1e-9);
  return (x, y) => {
    const distance = Math.hypot(x, y);
    if (distance === 0) return [origin, central];
    if (distance > farthest) return BEYOND;
    const [sinAzimuth, cosAzimuth] = [x / distance, y / distance];
    const sinAlpha = cosU * sinAzimuth;
    const cosSquared = 1 - sinAlpha ** 2;
    const root = Math.sqrt(1 + cosSquared * secondSquared);
    const k = (root - 1) / (root + 1);
    const [a, b] = [(1 + k ** 2 / 4) / (1 - k), k * (1 - (3 / 8) * k ** 2)];
    const first = Math.atan2(sinU, cosU * cosAzimuth);
    const straight = distance / (radius * ratio * a);
    let sigma = straight;
    let middle = 0;
    for (let step = 0; step < 20; step++) {
      middle = Math.cos(2 * first + sigma);
      const sin = Math.sin(sigma);
      const second = Math.cos(sigma) * (2 * middle ** 2 - 1);
      const third = (b / 6) * middle * (4 * sin ** 2 - 3) * (4 * middle ** 2 - 3);
      const next = straight + b * sin * (middle + (b / 4) * (second - third));
      const change = Math.abs(next - sigma);
      sigma = next;
      if (change < 1e-14) break;
    }
    const [sin, cos] = [Math.sin(sigma), Math.cos(sigma)];
    const up = sinU * cos + cosU * sin * cosAzimuth;
    const latitude = Math.atan2(up, ratio * Math.hypot(sinAlpha, sinU * sin - cosU * cos * cosAzimuth));
    const angle = Math.atan2(sin * sinAzimuth, cosU * cos - sinU * sin * cosAzimuth);
    const c = (flattening / 16) * cosSquared * (4 + flattening * (4 - 3 * cosSquared));
    const along = sigma + c * sin * (middle + c * cos * (2 * middle ** 2 - 1));
    return [latitude, central + angle - (1 - c) * flattening * sinAlpha * along];
  };
}
