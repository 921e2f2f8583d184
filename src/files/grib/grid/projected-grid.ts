import type { GridProjection } from '../../../ensemble/grid.js';
import { lambertConformal, mercator, polarStereographic } from '../../projection/conformal-projections.js';
import { type EarthShape, type Projection, RADIANS, withinCircle } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { UnscannedGrid } from './grid.js';
import { type RowCorners, rowsOfLambert } from './lambert-rows.js';
import { readScanMode, type ScanMode } from './scan-mode.js';

/** Radians of the angle in four octets: millionths of a degree. */
function readAngle(section: Octets, octet: number): number {
  return (section.signed(octet, 4) / 1e6) * RADIANS;
}

/** The first point of a grid on its plane, and the distances of its points, in metres. */
function readCorners(section: Octets, distances: number, { toPlane }: Projection): RowCorners {
  const [columns, rows] = [section.unsigned(31, 4), section.unsigned(35, 4)];
  const [dx, dy] = [section.distance(distances, 4) / 1000, section.distance(distances + 4, 4) / 1000];
  const [x, y] = toPlane(readAngle(section, 39), readAngle(section, 43));
  if ([x, y].every(Number.isFinite) && dx !== 0 && dy !== 0) return { columns, rows, x, y, dx, dy };
  throw messageError(section.place, section.section, {
    problem: 'has a projection that gives no places',
    received: `first point at ${x}, ${y} m, distances ${dx} and ${dy} m`,
    allowed: 'numbers that fit the projection',
  });
}

/** The grid of a projection's template, by its first point and the distances of its points. */
function projectedGrid(
  type: string,
  scan: ScanMode,
  { columns, rows, x, y, dx, dy }: RowCorners,
  { toEarth }: Projection,
  projection?: GridProjection,
): UnscannedGrid {
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

/**
 * Reads a Lambert conformal conic grid, template 3.30 (Snyder, Map Projections, chapter 15), that the centre of this
 * number has issued. Throws FormatError where the direction of its rows contradicts where its points can lie.
 */
export function lambertGrid(section: Octets, centre: number): UnscannedGrid {
  const earth = earthShape(section);
  const [first, second, central] = [readAngle(section, 66), readAngle(section, 70), readAngle(section, 52)];
  if (Math.abs(first + second) < 1e-9 || [first, second].some((angle) => Math.abs(angle) > 89.999 * RADIANS)) {
    throw messageError(section.place, section.section, {
      problem: 'has standard parallels that no cone has',
      received: `${first / RADIANS} and ${second / RADIANS}`,
      allowed: 'parallels of one hemisphere, not its pole',
    });
  }
  const plane = lambertConformal(earth, [first, second], central);
  const corners = readCorners(section, 56, plane);
  const stated = readScanMode(section, 65);
  const origin = plane.toPlane((first + second) / 2, central);
  const { j, notice } = rowsOfLambert(section, centre, stated, corners, { ...plane, origin });
  return {
    ...projectedGrid('lambert', { i: stated.i, j }, corners, plane, {
      ...{ name: 'lambert_conformal_conic', latitude: 0, longitude: central / RADIANS },
      parallels: [first / RADIANS, second / RADIANS],
    }),
    ...(notice !== undefined && { notice }),
  };
}

/**
 * Reads a Mercator grid, template 3.10. Throws FormatError for a turned one: rows lie along parallels whatever is
 * stated of a turn where such rows end at the last point.
 */
export function mercatorGrid(section: Octets): UnscannedGrid {
  const plane = mercator(earthShape(section), { trueLatitude: readAngle(section, 48) });
  const corners = readCorners(section, 65, plane);
  const scan = readScanMode(section, 60);
  const orientation = section.signed(61, 4);
  if (orientation === 0 || endsAt(section, corners, scan, plane))
    return projectedGrid('mercator', scan, corners, plane);
  throw messageError(section.place, section.section, {
    problem: 'has a Mercator grid that is turned',
    received: `${orientation / 1e6} degrees`,
    allowed: 'rows along parallels, or a last point (octets 52 to 59) that such rows have',
  });
}

/** Whether rows along parallels end at the stated last point, to half of a distance of points. */
function endsAt(section: Octets, { columns, rows, x, y, dx, dy }: RowCorners, { i, j }: ScanMode, plane: Projection) {
  const [lastX, lastY] = plane.toPlane(readAngle(section, 52), readAngle(section, 56));
  const circle = Math.abs(plane.toPlane(0, Math.PI / 2)[0]) * 4;
  const across = (lastX - x - i * (columns - 1) * dx) / circle;
  return Math.abs(across - Math.round(across)) * circle < dx / 2 && Math.abs(lastY - y - j * (rows - 1) * dy) < dy / 2;
}

/** Set where the south pole is in the centre of the projection. */
const SOUTH = 0x80;

/** Reads a polar stereographic grid, template 3.20. */
export function polarGrid(section: Octets): UnscannedGrid {
  const earth = earthShape(section);
  const pole = section.unsigned(64) & SOUTH ? -1 : 1;
  // Some files have the latitude of the northern hemisphere in both.
  const scale = { trueLatitude: Math.abs(readAngle(section, 48)) };
  const central = readAngle(section, 52);
  const projection = { name: 'stereographic', latitude: 90 * pole, longitude: central / RADIANS } as const;
  const plane = polarStereographic(earth, pole, central, scale);
  const corners = readCorners(section, 56, plane);
  return projectedGrid('polar_stereographic', readScanMode(section, 65), corners, plane, projection);
}

/** Code table 3.2: half of the axes through the equator and the poles, in metres. */
const SHAPES: Readonly<Record<number, readonly [number, number]>> = {
  0: [6_367_470, 6_367_470],
  2: [6_378_160, 6_356_775],
  4: [6_378_137, 6_356_752.314],
  5: [6_378_137, 6_356_752.314245],
  6: [6_371_229, 6_371_229],
  8: [6_371_200, 6_371_200],
  9: [6_377_563.396, 6_356_256.909],
};

/** Reads the shape of the earth, octets 15 to 30 of section 3. Throws FormatError for shapes that no earth has. */
function earthShape(section: Octets): EarthShape {
  const code = section.unsigned(15);
  const [equator, pole] = SHAPES[code] ?? statedAxes(section, code);
  if (equator > 1e6 && equator < 1e8 && pole > 0.9 * equator && pole <= equator) {
    return { radius: equator, eccentricity: Math.sqrt(1 - (pole / equator) ** 2) };
  }
  throw messageError(section.place, section.section, {
    problem: 'has an impossible shape of the earth',
    received: `code ${code}, axes of ${equator} and ${pole} m`,
    allowed: 'a sphere, or an ellipsoid that is flat at the poles',
  });
}

function statedAxes(section: Octets, code: number): readonly [number, number] {
  const radius = section.scaled(16) ?? Number.NaN;
  if (code === 1) return [radius, radius];
  const [equator, pole] = [section.scaled(21) ?? Number.NaN, section.scaled(26) ?? Number.NaN];
  if (code === 3) return [1000 * equator, 1000 * pole];
  return code === 7 ? [equator, pole] : [Number.NaN, Number.NaN];
}
