import type { Octets } from '../octets.js';
import type { EarthShape } from './earth-shape.js';
import type { UnscannedGrid } from './grid.js';
import { conformal, projectedGrid, RADIANS, readAngle } from './projected-grid.js';
import { readScanMode } from './scan-mode.js';

/** Set where the south pole is in the centre of the projection. */
const SOUTH = 0x80;

/** Reads a polar stereographic grid, template 3.20 (Snyder, Map Projections, chapter 21). */
export function polarGrid(section: Octets, { radius, eccentricity }: EarthShape): UnscannedGrid {
  const sign = section.unsigned(64) & SOUTH ? -1 : 1;
  const { t, m, latitudeOf } = conformal(eccentricity);
  // Some files have the latitude of the northern hemisphere in both.
  const trueLatitude = Math.abs(readAngle(section, 48));
  const orientation = readAngle(section, 52);
  const atPole = 2 / Math.sqrt((1 + eccentricity) ** (1 + eccentricity) * (1 - eccentricity) ** (1 - eccentricity));
  const isPole = Math.abs(trueLatitude - 90 * RADIANS) < 1e-9;
  const scale = radius * (isPole ? atPole : m(trueLatitude) / t(trueLatitude));
  return projectedGrid(section, 'polar_stereographic', readScanMode(section, 65), 56, {
    toPlane: (latitude, longitude) => {
      const rho = scale * t(sign * latitude);
      const angle = longitude - orientation;
      return [rho * Math.sin(angle), -sign * rho * Math.cos(angle)];
    },
    toEarth: (x, y) => [
      sign * latitudeOf(Math.hypot(x, y) / scale),
      orientation + (x === 0 && y === 0 ? 0 : Math.atan2(x, -sign * y)),
    ],
  });
}
