import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { EarthShape } from './earth-shape.js';
import type { UnscannedGrid } from './grid.js';
import { conformal, type Projection, projectedGrid, RADIANS, readAngle } from './projected-grid.js';
import { readScanMode } from './scan-mode.js';

/** Reads a Lambert conformal conic grid, template 3.30 (Snyder, Map Projections, chapter 15). */
export function lambertGrid(section: Octets, earth: EarthShape): UnscannedGrid {
  const [first, second, central] = [readAngle(section, 66), readAngle(section, 70), readAngle(section, 52)];
  if (Math.abs(first + second) < 1e-9 || [first, second].some((angle) => Math.abs(angle) > 89.999 * RADIANS)) {
    throw messageError(section.place, section.section, {
      problem: 'has standard parallels that no cone has',
      received: `${first / RADIANS} and ${second / RADIANS}`,
      allowed: 'parallels of one hemisphere, not its pole',
    });
  }
  return projectedGrid(section, 'lambert', readScanMode(section, 65), 56, lambert(earth, first, second, central));
}

function lambert({ radius, eccentricity }: EarthShape, first: number, second: number, central: number): Projection {
  const { t, m, latitudeOf } = conformal(eccentricity);
  const isTangent = Math.abs(first - second) < 1e-9;
  const n = isTangent ? Math.sin(first) : Math.log(m(first) / m(second)) / Math.log(t(first) / t(second));
  const scale = (radius * m(first)) / (n * t(first) ** n);
  return {
    toPlane: (latitude, longitude) => {
      const rho = scale * t(latitude) ** n;
      const theta = n * turned(longitude - central);
      return [rho * Math.sin(theta), -rho * Math.cos(theta)];
    },
    toEarth: (x, y) => {
      const sign = Math.sign(n);
      const rho = sign * Math.hypot(x, y);
      return [latitudeOf((rho / scale) ** (1 / n)), central + Math.atan2(sign * x, -sign * y) / n];
    },
  };
}

/** An angle from -180 to 180 degrees, in radians. */
function turned(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
