import { messageError } from '../message-error.js';
import type { GribField } from '../messages.js';
import { Octets } from '../octets.js';
import { angleUnit, toDegrees } from './angle.js';
import type { GribGrid, UnscannedGrid } from './grid.js';
import { lambertGrid, mercatorGrid, polarGrid } from './projected-grid.js';
import { longitudeAxis, regularGrid, rotatedGrid } from './regular-grid.js';
import { readRowLengths } from './row-lengths.js';
import { readScanMode } from './scan-mode.js';

/** More points than any grid has: the number is checked before memory is taken. */
const MAX_POINTS = 2 ** 27;

interface Template {
  readonly read: (section: Octets, centre: number) => UnscannedGrid;
  /** The octets of the resolution and component flags, and of the scanning mode. */
  readonly flags: number;
  readonly scanningMode: number;
  /** Rows and columns are not along parallels and meridians. */
  readonly isTurned?: true;
}

const TEMPLATES: Readonly<Record<number, Template>> = {
  0: { read: regularGrid, flags: 55, scanningMode: 72 },
  1: { read: rotatedGrid, flags: 55, scanningMode: 72, isTurned: true },
  10: { read: mercatorGrid, flags: 47, scanningMode: 60 },
  20: { read: polarGrid, flags: 47, scanningMode: 65, isTurned: true },
  30: { read: lambertGrid, flags: 47, scanningMode: 65, isTurned: true },
  40: { read: gaussianGrid, flags: 55, scanningMode: 72 },
};
/** Flag table 3.3: components of vectors are along rows and columns, not eastwards and northwards. */
const ALONG_GRID = 0x08;

/**
 * Reads the grid of a field from its section 3. Throws FormatError for templates that are not read, and for numbers
 * that contradict each other.
 */
export function readGrid(field: GribField): GribGrid {
  const centre = new Octets(field, 1, field.section1).unsigned(6, 2);
  return readGridSection(new Octets(field, 3, field.section3), centre);
}

/** The same, from the octets of section 3, and the number of the centre (common code table C-11). */
export function readGridSection(section: Octets, centre: number): GribGrid {
  const template = section.unsigned(13, 2);
  const known = TEMPLATES[template];
  if (section.unsigned(6) !== 0 || known === undefined) {
    throw messageError(section.place, section.section, {
      problem: 'has a grid that is not read',
      received: section.unsigned(6) === 0 ? `grid definition template 3.${template}` : 'a grid that the centre defines',
      allowed: `templates ${Object.keys(TEMPLATES)
        .map((number) => `3.${number}`)
        .join(', ')}; cdo remapbil makes them of others`,
    });
  }
  const stated = section.unsigned(7, 4);
  if (stated < 1 || stated > MAX_POINTS) {
    const problem = 'has an impossible number of points';
    throw messageError(section.place, section.section, { problem, received: stated, allowed: `1 to ${MAX_POINTS}` });
  }
  const hasTurnedVectors = known.isTurned === true && (section.unsigned(known.flags) & ALONG_GRID) !== 0;
  const grid = { ...known.read(section, centre), hasTurnedVectors, scanningMode: section.unsigned(known.scanningMode) };
  const points = grid.shape.reduce((product, length) => product * length, 1);
  if (points === stated) return grid;
  throw messageError(section.place, section.section, {
    problem: 'has another number of points than its rows',
    received: `${stated}, by its rows ${points}`,
    allowed: 'the same number',
  });
}

/** More rows than any grid has between a pole and the equator. */
const MAX_N = 8192;
/** Stated latitudes are rounded to at most this many degrees. */
const ROUNDING = 2e-3;
/** Newton's method converges in three steps from a good start; more than these means that it does not. */
const MAX_STEPS = 20;

/** Reads a Gaussian grid, template 3.40, with rows of the same or of different lengths. */
function gaussianGrid(section: Octets): UnscannedGrid {
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

/** The latitudes of the rows: from pole to pole, or the part between the first and the last one. */
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
