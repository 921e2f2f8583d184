import type { GridProjection } from '../../ensemble/grid.js';
import { RADIANS, withinCircle } from './projection.js';

/**
 * The south pole of a rotated grid in degrees, and the angle by which the grid is turned about the axis through it, to
 * the east of the rotated system.
 */
export interface RotatedPole {
  readonly latitude: number;
  readonly longitude: number;
  readonly angle: number;
}

/** The projection of a rotated grid: its equator and its first meridian are straight. */
export function rotatedProjection({ latitude, longitude }: RotatedPole): GridProjection {
  return { name: 'rotated_latitude_longitude', latitude: latitude + 90, longitude: withinCircle(longitude) };
}

/** The latitude and longitude of each point, row by row, in degrees. */
interface PlacesOfRotated {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** The places of a grid whose rows and columns are latitudes and longitudes of a rotated system. */
export function fromRotated(rows: Float64Array, columns: Float64Array, pole: RotatedPole): PlacesOfRotated {
  const latitude = new Float64Array(rows.length * columns.length);
  const longitude = new Float64Array(latitude.length);
  const tilt = (pole.latitude + 90) * RADIANS;
  const [sinTilt, cosTilt] = [Math.sin(tilt), Math.cos(tilt)];
  let at = 0;
  for (const row of rows) {
    const [sinRow, cosRow] = [Math.sin(row * RADIANS), Math.cos(row * RADIANS)];
    for (const column of columns) {
      const turned = (column + pole.angle) * RADIANS;
      const [x, y, z] = [cosRow * Math.cos(turned), cosRow * Math.sin(turned), sinRow];
      // Turned about the y axis by the tilt of the pole, then about the poles of the earth.
      const [east, up] = [cosTilt * x - sinTilt * z, cosTilt * z + sinTilt * x];
      latitude[at] = Math.asin(Math.max(-1, Math.min(1, up))) / RADIANS;
      longitude[at++] = withinCircle(Math.atan2(y, east) / RADIANS + pole.longitude);
    }
  }
  return { latitude, longitude };
}
