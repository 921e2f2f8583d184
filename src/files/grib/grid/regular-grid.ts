import { fromRotated, rotatedProjection } from '../../projection/rotation.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import { type AngleUnit, angleUnit, toDegrees } from './angle.js';
import type { GridPlaces, UnscannedGrid } from './grid.js';
import { readRowLengths } from './row-lengths.js';
import { readScanMode } from './scan-mode.js';

/** Stated increments and the distances of points may differ by this many units: both are rounded. */
const ROUNDING = 1;
/** Grids that were once of edition 1 are rounded to thousandths of degrees. */
const OF_EDITION_1 = 1000;
/** Along a whole row, rounded increments may add up to this share of one; a point too many or too few is one. */
const ROUNDED_STEP = 0.1;

/** Reads a regular latitude/longitude grid, template 3.0; also one whose rows have different numbers of points. */
export function regularGrid(section: Octets): UnscannedGrid {
  if (section.known(31, 4) === undefined) return quasiRegularGrid(section);
  const { latitude, longitude } = readAxes(section);
  return {
    type: 'regular_ll',
    ...lengths(latitude, longitude),
    places: () => ({ kind: 'rectilinear', latitude, longitude }),
  };
}

/** Reads a rotated latitude/longitude grid, template 3.1. */
export function rotatedGrid(section: Octets): UnscannedGrid {
  const { latitude, longitude } = readAxes(section);
  const unit = angleUnit(section);
  const pole = {
    latitude: toDegrees(section.signed(73, 4), unit),
    longitude: toDegrees(section.signed(77, 4), unit),
    angle: rotationAngle(section, unit),
  };
  return {
    type: 'rotated_ll',
    ...lengths(latitude, longitude),
    projection: rotatedProjection(pole),
    places: () => ({ kind: 'points', ...fromRotated(latitude, longitude, pole) }),
  };
}

function lengths(latitude: Float64Array, longitude: Float64Array): Pick<UnscannedGrid, 'label' | 'shape'> {
  return { label: `${latitude.length}x${longitude.length}`, shape: [latitude.length, longitude.length] };
}

/**
 * The angle by which a rotated grid is turned. ecCodes writes it as an IEEE number, other software as an integer in the
 * unit of angles: as integers, IEEE numbers of more than a millionth of a degree are more than a full circle.
 */
function rotationAngle(section: Octets, unit: AngleUnit): number {
  const count = section.signed(81, 4);
  if (Math.abs(count) <= unit.circle) return toDegrees(count, unit);
  const angle = section.ieeeFloat(81);
  if (Math.abs(angle) <= 360) return angle;
  throw contradiction(section, 'an angle of rotation and a unit', `${angle} degrees, or ${count} units`);
}

/** Reads the latitudes of rows and the longitudes of columns, in the order of scanning. */
function readAxes(section: Octets): { latitude: Float64Array; longitude: Float64Array } {
  const rows = section.unsigned(35, 4);
  const unit = angleUnit(section);
  const longitude = longitudeAxis(section, section.unsigned(31, 4));
  const [first, last] = [section.signed(47, 4), section.signed(56, 4)];
  const { j } = readScanMode(section, 72);
  if (rows > 1 && Math.sign(last - first) !== j) {
    const direction = j > 0 ? 'northwards' : 'southwards';
    const received = `first ${toDegrees(first, unit)}, last ${toDegrees(last, unit)}, scanning ${direction}`;
    throw contradiction(section, 'latitudes', received);
  }
  const increment = section.unsigned(55) & 0x10 ? statedIncrement(section, 68) : undefined;
  return { longitude, latitude: evenAxis(section, 'latitudes', [first, last], rows, increment) };
}

/**
 * Reads the longitudes of columns, in the order of scanning, of templates 3.0, 3.1 and 3.40. Throws FormatError where
 * the numbers of points contradict each other, or the increment the first and the last point.
 */
export function longitudeAxis(section: Octets, columns: number): Float64Array {
  assertLengths(section, columns, section.unsigned(35, 4));
  const { circle } = angleUnit(section);
  const { i } = readScanMode(section, 72);
  const ends = longitudeEnds(section.signed(51, 4), section.signed(60, 4), circle, i, columns);
  const increment = section.unsigned(55) & 0x20 ? statedIncrement(section, 64) : undefined;
  return evenAxis(section, 'longitudes', ends, columns, increment);
}

function statedIncrement(section: Octets, octet: number): number | undefined {
  return section.known(octet, 4) === undefined ? undefined : section.distance(octet, 4);
}

/** Angles at equal distances from the first to the last. */
function evenAxis(
  section: Octets,
  name: string,
  [first, last]: readonly [number, number],
  count: number,
  increment: number | undefined,
): Float64Array {
  const unit = angleUnit(section);
  const parts = Math.max(1, count - 1);
  const distance = Math.abs(last - first) / parts;
  // Increments that make a full circle are exact.
  const isExact = increment === undefined || increment * count === unit.circle;
  const isOfEdition1 = !isExact && [first, last, increment].every((angle) => angle % OF_EDITION_1 === 0);
  const tolerance = Math.max(isOfEdition1 ? OF_EDITION_1 : ROUNDING, (ROUNDED_STEP * distance) / parts);
  if (increment !== undefined && increment !== 0 && count > 1 && Math.abs(distance - increment) > tolerance) {
    const [stated, actual] = [toDegrees(increment, unit), toDegrees(distance, unit)];
    const received = `increment ${stated}, from the first to the last point ${actual}`;
    throw contradiction(section, name, received);
  }
  // Integers until the division, so that tenths of degrees are the nearest numbers to tenths.
  return Float64Array.from({ length: count }, (_, i) => toDegrees(first + ((last - first) * i) / parts, unit));
}

/** The first and the last longitude without a jump between them, within -180 and 360 degrees. */
function longitudeEnds(
  first: number,
  last: number,
  circle: number,
  direction: 1 | -1,
  count: number,
): [number, number] {
  const distance = (((direction * (last - first)) % circle) + circle) % circle || circle;
  const end = count > 1 ? first + direction * distance : last;
  const [west, east] = [Math.min(first, end), Math.max(first, end)];
  const turns =
    east > circle ? -Math.ceil(east / circle - 1) : west < -circle / 2 ? Math.ceil(-west / circle - 0.5) : 0;
  return [first + turns * circle, end + turns * circle];
}

function assertLengths(section: Octets, columns: number, rows: number): void {
  if (columns > 0 && rows > 0 && columns * rows === section.unsigned(7, 4)) return;
  throw contradiction(section, 'numbers of points', `${rows} x ${columns}, ${section.unsigned(7, 4)} in all`);
}

function contradiction(section: Octets, name: string, received: string): Error {
  return messageError(section.place, section.section, {
    problem: `has ${name} that contradict each other`,
    received,
    allowed: 'a grid whose first and last points, lengths and increments agree',
  });
}

/** Rows of different numbers of points, each evenly spread over the whole circle. */
function quasiRegularGrid(section: Octets): UnscannedGrid {
  const rows = readRowLengths(section, section.unsigned(35, 4));
  const scan = readScanMode(section, 72);
  const unit = angleUnit(section);
  const [first, last] = [section.signed(47, 4), section.signed(56, 4)];
  if (rows.counts.length > 1 && Math.sign(last - first) !== scan.j) {
    throw contradiction(section, 'latitudes', `first ${toDegrees(first, unit)}, last ${toDegrees(last, unit)}`);
  }
  const latitudes = Float64Array.from(rows.counts, (_, row) =>
    toDegrees(first + ((last - first) * row) / Math.max(1, rows.counts.length - 1), unit),
  );
  return {
    type: 'reduced_ll',
    label: `reduced_${rows.points}`,
    shape: [rows.points],
    rowLengths: rows.counts,
    places: (): GridPlaces => rows.places(latitudes),
  };
}
