import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import { angleUnit, toDegrees } from './angle.js';
import { gaussianLatitudes, nearestGaussianRow } from './gaussian-latitudes.js';
import type { UnscannedGrid } from './grid.js';
import { longitudeAxis } from './regular-grid.js';
import { readRowLengths } from './row-lengths.js';
import { readScanMode } from './scan-mode.js';

/** More rows than any grid has between a pole and the equator. */
const MAX_N = 8192;
/** Stated latitudes are rounded to at most this many degrees. */
const ROUNDING = 2e-3;

/** Reads a Gaussian grid, template 3.40, with rows of the same or of different lengths. */
export function gaussianGrid(section: Octets): UnscannedGrid {
  const rows = section.unsigned(35, 4);
  const latitudes = () => rowLatitudes(section, rows);
  if (section.known(31, 4) === undefined) {
    const lengths = readRowLengths(section, rows);
    assertRows(section, rows);
    return {
      type: 'reduced_gg',
      label: `reduced_gg_N${section.unsigned(68, 4)}`,
      shape: [lengths.points],
      rowLengths: lengths.counts,
      places: () => lengths.places(latitudes()),
    };
  }
  const columns = section.unsigned(31, 4);
  assertRows(section, rows);
  const longitude = longitudeAxis(section, columns);
  return {
    type: 'regular_gg',
    label: `${rows}x${columns}`,
    shape: [rows, columns],
    places: () => ({ kind: 'rectilinear', latitude: latitudes(), longitude }),
  };
}

function assertRows(section: Octets, rows: number): void {
  const n = section.unsigned(68, 4);
  if (n > 0 && n <= MAX_N && rows > 0 && rows <= 2 * n) return;
  throw messageError(section.place, section.section, {
    problem: 'has an impossible number of rows',
    received: `${rows}, with ${n} between a pole and the equator`,
    allowed: `1 to twice as many, at most ${2 * MAX_N}`,
  });
}

/** The latitudes of the rows: those of the whole earth, or the part between the first and the last one. */
function rowLatitudes(section: Octets, rows: number): Float64Array {
  const n = section.unsigned(68, 4);
  const unit = angleUnit(section);
  const [first, last] = [47, 56].map((octet) => toDegrees(section.signed(octet, 4), unit));
  const isSouthwards = readScanMode(section, 72).j < 0;
  const northernmost = nearestGaussianRow(n, isSouthwards ? first : last);
  if (northernmost >= 0 && northernmost + rows <= 2 * n) {
    const southwards = gaussianLatitudes(n, northernmost, rows);
    const latitudes = isSouthwards ? southwards : southwards.reverse();
    const isNear = Math.max(Math.abs(latitudes[0] - first), Math.abs(latitudes[rows - 1] - last)) <= ROUNDING;
    if (isNear) return latitudes;
  }
  throw messageError(section.place, section.section, {
    problem: 'has latitudes that are not those of its Gaussian grid',
    received: `${rows} rows from ${first} to ${last}`,
    allowed: `rows of the grid N${n}`,
  });
}
