import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { EarthShape } from './earth-shape.js';
import type { UnscannedGrid } from './grid.js';
import { conformal, projectedGrid, readAngle } from './projected-grid.js';
import { readScanMode } from './scan-mode.js';

/** Reads a Mercator grid, template 3.10 (Snyder, Map Projections, chapter 7). Throws FormatError for a turned one. */
export function mercatorGrid(section: Octets, { radius, eccentricity }: EarthShape): UnscannedGrid {
  const orientation = section.signed(61, 4);
  if (orientation !== 0) {
    throw messageError(section.place, section.section, {
      problem: 'has a Mercator grid that is turned',
      received: `${orientation / 1e6} degrees`,
      allowed: 'rows along parallels',
    });
  }
  const { t, m, latitudeOf } = conformal(eccentricity);
  const scale = radius * m(readAngle(section, 48));
  return projectedGrid(section, 'mercator', readScanMode(section, 60), 65, {
    toPlane: (latitude, longitude) => [scale * longitude, -scale * Math.log(t(latitude))],
    toEarth: (x, y) => [latitudeOf(Math.exp(-y / scale)), x / scale],
  });
}
