import { lambertConformal } from '../../projection/conformal-projections.js';
import { type EarthShape, RADIANS } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import { projectedGrid, readAngle } from './projected-grid.js';
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
  return projectedGrid(
    section,
    'lambert',
    readScanMode(section, 65),
    56,
    lambertConformal(earth, [first, second], central),
    {
      ...{ name: 'lambert_conformal_conic', latitude: 0, longitude: central / RADIANS },
      parallels: [first / RADIANS, second / RADIANS],
    },
  );
}
