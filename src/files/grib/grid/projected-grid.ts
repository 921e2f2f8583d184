import type { GridProjection } from '../../../ensemble/grid.js';
import { type Projection, RADIANS, withinCircle } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import type { ScanMode } from './scan-mode.js';

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
  projection?: GridProjection,
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
    ...(projection !== undefined && { projection }),
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
