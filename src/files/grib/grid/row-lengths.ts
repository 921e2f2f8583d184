import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import { angleUnit, toDegrees } from './angle.js';
import type { GridPlaces } from './grid.js';
import { readScanMode } from './scan-mode.js';

/** Rows with different numbers of points. */
interface RowLengths {
  readonly counts: readonly number[];
  /** All points. */
  readonly points: number;
  /** The places of the points of rows at these latitudes. */
  places(latitudes: Float64Array): GridPlaces;
}

/** The list of the numbers of points begins here in templates 3.0 and 3.40. */
const LIST = 73;

/**
 * Reads the list of the numbers of points of each row. Points of a row are spread evenly over the whole circle, from
 * the first longitude on. Throws FormatError for grids of a part of the circle, whose points the list does not place.
 */
export function readRowLengths(section: Octets, rows: number): RowLengths {
  const [bytes, meaning] = [section.unsigned(11), section.unsigned(12)];
  const fault = (problem: string, received: unknown, allowed: string) =>
    messageError(section.place, section.section, { problem, received, allowed });
  if (![1, 2, 4].includes(bytes) || meaning !== 1) {
    const received = `numbers of ${bytes} octets, meaning ${meaning}`;
    throw fault('has no list of the points of each row', received, 'numbers of 1, 2 or 4 octets for whole circles');
  }
  if (rows === 0 || LIST - 1 + rows * bytes > section.length) {
    throw fault(
      'has a list that is shorter than its rows',
      rows,
      `1 to ${Math.floor((section.length - LIST + 1) / bytes)}`,
    );
  }
  const counts = Array.from({ length: rows }, (_, row) => section.unsigned(LIST + row * bytes, bytes));
  const points = counts.reduce((sum, count) => sum + count, 0);
  if (points !== section.unsigned(7, 4)) {
    throw fault('has rows with another number of points', points, String(section.unsigned(7, 4)));
  }
  const { i } = readScanMode(section, 72);
  const unit = angleUnit(section);
  const { circle } = unit;
  const [first, last] = [section.signed(51, 4), section.signed(60, 4)];
  const longest = counts.reduce((most, count) => Math.max(most, count), 0);
  // The last longitude is where the longest row ends, rounded, or anything between it and the end of the circle.
  const distance = (last - first) * i;
  const span = distance === 0 ? 0 : ((distance % circle) + circle) % circle || circle;
  if (longest > 1 && span < circle * (1 - 1 / longest) - circle / longest / 4) {
    const received = `longitudes ${toDegrees(first, unit)} to ${toDegrees(last, unit)}`;
    throw fault(
      'has rows of different lengths on a part of the circle',
      received,
      'whole circles; cdo setgridtype,regular makes a regular grid',
    );
  }
  return {
    counts,
    points,
    places: (latitudes) => {
      const latitude = new Float64Array(points);
      const longitude = new Float64Array(points);
      let at = 0;
      for (const [row, count] of counts.entries()) {
        for (let point = 0; point < count; point++, at++) {
          latitude[at] = latitudes[row];
          const east = (first + (i * circle * point) / count) % circle;
          longitude[at] = toDegrees(east < -circle / 2 ? east + circle : east, unit);
        }
      }
      return { kind: 'points', latitude, longitude };
    },
  };
}
