import { polarStereographic } from '../../projection/conformal-projections.js';
import { type EarthShape, RADIANS } from '../../projection/projection.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import { projectedGrid, readAngle } from './projected-grid.js';
import { readScanMode } from './scan-mode.js';

/** Set where the south pole is in the centre of the projection. */
const SOUTH = 0x80;

/** Reads a polar stereographic grid, template 3.20. */
export function polarGrid(section: Octets, earth: EarthShape): UnscannedGrid {
  const pole = section.unsigned(64) & SOUTH ? -1 : 1;
  // Some files have the latitude of the northern hemisphere in both.
  const scale = { trueLatitude: Math.abs(readAngle(section, 48)) };
  const central = readAngle(section, 52);
  const projection = { name: 'stereographic', latitude: 90 * pole, longitude: central / RADIANS } as const;
  const plane = polarStereographic(earth, pole, central, scale);
  return projectedGrid(section, 'polar_stereographic', readScanMode(section, 65), 56, plane, projection);
}
