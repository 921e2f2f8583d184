import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import { withinCircle } from './rotation.js';
import type { ScanMode } from './scan-mode.js';

/** A map projection: longitudes and latitudes in radians, coordinates in metres. */
export interface Projection {
  readonly toPlane: (latitude: number, longitude: number) => readonly [x: number, y: number];
  readonly toEarth: (x: number, y: number) => readonly [latitude: number, longitude: number];
}

/** Radians of a degree. */
export const RADIANS = Math.PI / 180;

/** Radians of the angle in four octets: millionths of a degree. */
export function readAngle(section: Octets, octet: number): number {
  return (section.signed(octet, 4) / 1e6) * RADIANS;
}

/** The grid of a projection's template: its first point and its distances in millimetres, from these octets on. */
export function projectedGrid(
  section: Octets,
  type: string,
  scan: ScanMode,
  distances: number,
  { toPlane, toEarth }: Projection,
): UnscannedGrid {
  const [columns, rows] = [section.unsigned(31, 4), section.unsigned(35, 4)];
  const [dx, dy] = [section.unsigned(distances, 4) / 1000, section.unsigned(distances + 4, 4) / 1000];
  const [x, y] = toPlane(readAngle(section, 39), readAngle(section, 43));
  if (![x, y].every(Number.isFinite) || dx === 0 || dy === 0) {
    throw messageError(section.place, section.section, {
      problem: 'has a projection that gives no places',
      received: `first point at ${x}, ${y} m, distances ${dx} and ${dy} m`,
      allowed: 'numbers that fit the projection',
    });
  }
  return {
    type,
    label: `${type}_${rows}x${columns}`,
    shape: [rows, columns],
    places: () => {
      const latitude = new Float64Array(rows * columns);
      const longitude = new Float64Array(rows * columns);
      for (let j = 0, at = 0; j < rows; j++) {
        for (let i = 0; i < columns; i++, at++) {
          const [north, east] = toEarth(x + scan.i * i * dx, y + scan.j * j * dy);
          latitude[at] = north / RADIANS;
          longitude[at] = withinCircle(east / RADIANS);
        }
      }
      return { kind: 'points', latitude, longitude };
    },
  };
}

/**
 * The functions of the isometric latitude that conformal projections share, for an ellipsoid (Snyder, Map Projections:
 * A Working Manual, 1987, equations 15-9 and 7-9): `t`, which falls from the south pole to 0 at the north pole, and its
 * inverse; and `m` (14-15), the radius of a parallel.
 */
export function conformal(eccentricity: number) {
  const ratio = (latitude: number) => {
    const e = eccentricity * Math.sin(latitude);
    return ((1 - e) / (1 + e)) ** (eccentricity / 2);
  };
  return {
    t: (latitude: number) => Math.tan(Math.PI / 4 - latitude / 2) / ratio(latitude),
    m: (latitude: number) => Math.cos(latitude) / Math.sqrt(1 - (eccentricity * Math.sin(latitude)) ** 2),
    latitudeOf: (t: number) => {
      let latitude = Math.PI / 2 - 2 * Math.atan(t);
      if (eccentricity === 0) return latitude;
      for (let step = 0; step < 15; step++) {
        const next = Math.PI / 2 - 2 * Math.atan(t * ratio(latitude));
        if (Math.abs(next - latitude) < 1e-13) return next;
        latitude = next;
      }
      return latitude;
    },
  };
}
