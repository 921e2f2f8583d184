import { mercator } from '../../projection/conformal-projections.js';
import type { EarthShape } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import { projectedGrid, readAngle } from './projected-grid.js';
import { readScanMode } from './scan-mode.js';

/** Reads a Mercator grid, template 3.10. Throws FormatError for a turned one. */
export function mercatorGrid(section: Octets, earth: EarthShape): UnscannedGrid {
  const orientation = section.signed(61, 4);
  if (orientation !== 0) {
    throw messageError(section.place, section.section, {
      problem: 'has a Mercator grid that is turned',
      received: `${orientation / 1e6} degrees`,
      allowed: 'rows along parallels',
    });
  }
  const projection = mercator(earth, { trueLatitude: readAngle(section, 48) });
  return projectedGrid(section, 'mercator', readScanMode(section, 60), 65, projection);
}
