import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import { angleUnit, toDegrees } from './angle.js';
import type { UnscannedGrid } from './grid.js';
import { longitudeAxis } from './regular-grid.js';
import { readRowLengths } from './row-lengths.js';
import { readScanMode } from './scan-mode.js';

/** More rows than any grid has between a pole and the equator. */
const MAX_N = 8192;
/** Stated latitudes are rounded to at most this many degrees. */
const ROUNDING = 2e-3;
/** Newton's method converges in three steps from a good start; more than these means that it does not. */
const MAX_STEPS = 20;

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

/**
 * The latitudes in degrees of `count` rows of a Gaussian grid with `n` rows between a pole and the equator, from north
 * to south from row `first` on: the arcsines of the roots of the Legendre polynomial of degree 2n, by Newton's method
 * (Press et al., Numerical Recipes, `gauleg`).
 */
function gaussianLatitudes(n: number, first: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => {
    const row = first + i;
    return row < n ? northernLatitude(n, row) : -northernLatitude(n, 2 * n - 1 - row);
  });
}

/** The row whose latitude is nearest to one in degrees; it may lie beyond the poles. */
function nearestGaussianRow(n: number, latitude: number): number {
  return Math.round(((90 - latitude) / 180) * (2 * n + 0.5) - 0.75);
}

function northernLatitude(n: number, row: number): number {
  let root = Math.cos((Math.PI * (row + 0.75)) / (2 * n + 0.5));
  for (let step = 0; step < MAX_STEPS; step++) {
    const change = legendreRatio(2 * n, root);
    root -= change;
    if (Math.abs(change) < 1e-15) break;
  }
  return (Math.asin(root) * 180) / Math.PI;
}

/** A Legendre polynomial divided by its derivative, by the three-term recurrence. */
function legendreRatio(degree: number, x: number): number {
  let before = 1;
  let value = x;
  for (let k = 2; k <= degree; k++) {
    const next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return (value * (x * x - 1)) / (degree * (x * value - before));
}
