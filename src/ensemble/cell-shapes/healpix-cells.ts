import type { Grid } from '../grid.js';

/** Cells with any shape: the corners of each, and points between them where edges are bent, in degrees. */
export interface CellOutlines {
  /** The number of points of each cell. */
  readonly points: number;
  /** Of all cells, one after the other. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/*
 * HEALPix by its plane, in which all cells are squares that stand on a corner (Calabretta and Roukema, Mapping on the
 * HEALPix grid, Monthly Notices of the Royal Astronomical Society 381, 2007, section 5): x is the longitude and y grows
 * with the sine of the latitude between -PI/4 and PI/4; beyond, the plane is four triangles for each pole.
 *
 *      /\  /\  /\  /\       y = PI/2
 *     /  \/  \/  \/  \      y = PI/4
 *     ...
 */

const DEGREES = 180 / Math.PI;
const [QUARTER, HALF] = [Math.PI / 4, Math.PI / 2];
/** Of the diagonal of a cell: coordinates may be stored as float32. */
const TOLERANCE = 0.02;
/** Fewer places may be at such positions by chance. */
const MIN_CELLS = 12;
/** Radians within which centres are on one ring. */
const SAME_RING = 1e-5;
/** Edges of cells have points at least this often, in degrees. */
const BEND = 4;

/** The corners of a cell from north by east to south, and back by west; with the side of its middle that they are on. */
const HALVES: readonly (readonly [1 | -1, readonly (readonly [number, number])[]])[] = [
  [
    1,
    [
      [0, 1],
      [1, 0],
      [0, -1],
    ],
  ],
  [
    -1,
    [
      [0, -1],
      [-1, 0],
      [0, 1],
    ],
  ],
];

/** The outlines of the cells of a HEALPix grid, of the globe or a part of it, in any order; undefined for other places. */
export function healpixCells({ latitude, longitude }: Grid): CellOutlines | undefined {
  const cells = latitude.length;
  if (cells < MIN_CELLS) return undefined;
  const centres = Array.from(latitude, (degrees, i) => toPlane(degrees / DEGREES, longitude[i] / DEGREES));
  const half = ringDistance(centres.map(([, y]) => y));
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < TOLERANCE;
  if (half === undefined || !centres.every(([x, y]) => isWhole(x / half) && isWhole(y / half))) return undefined;
  const steps = Math.max(1, Math.ceil((half * Math.SQRT2 * DEGREES) / BEND));
  // The northern and the southern corner come twice: at a pole they are as wide as a triangle of the plane.
  const points = 4 * steps + 2;
  const outlines = { latitude: new Float64Array(cells * points), longitude: new Float64Array(cells * points) };
  let at = 0;
  for (const [x, y] of centres) {
    const middle = HALF * Math.floor(x / HALF) + QUARTER;
    for (const [side, corners] of HALVES) {
      const add = (right: number, up: number) => {
        const [lat, lon] = toSphere(x + half * right, y + half * up, middle, side);
        outlines.latitude[at] = lat * DEGREES;
        outlines.longitude[at++] = lon * DEGREES;
      };
      for (let corner = 0; corner < 2; corner++) {
        const [[right, up], [nextRight, nextUp]] = [corners[corner], corners[corner + 1]];
        for (let k = 0; k < steps; k++) {
          const share = k / steps;
          add(right + share * (nextRight - right), up + share * (nextUp - up));
        }
      }
      add(...corners[2]);
    }
  }
  return { points, ...outlines };
}

/** The distance between rings of centres, which is half of the diagonal of a cell; undefined where there are none. */
function ringDistance(heights: readonly number[]): number | undefined {
  const sorted = Float64Array.from(heights).sort();
  const gaps = sorted
    .subarray(1)
    .map((value, i) => value - sorted[i])
    .filter((gap) => gap > SAME_RING)
    .sort();
  if (gaps.length === 0) return undefined;
  const rings = Math.round(QUARTER / gaps[gaps.length >> 1]);
  return rings >= 1 ? QUARTER / rings : undefined;
}

function toPlane(latitude: number, given: number): readonly [x: number, y: number] {
  const longitude = given - 2 * Math.PI * Math.floor(given / (2 * Math.PI));
  const z = Math.sin(latitude);
  if (Math.abs(z) <= 2 / 3) return [longitude, (3 * Math.PI * z) / 8];
  const sigma = Math.sqrt(3 * (1 - Math.abs(z)));
  const middle = HALF * Math.floor(longitude / HALF) + QUARTER;
  return [middle + sigma * (longitude - middle), Math.sign(z) * QUARTER * (2 - sigma)];
}

/** `middle` is that of the triangle of the cell, and `side` says on which of its sides a pole is. */
function toSphere(x: number, y: number, middle: number, side: 1 | -1): readonly [latitude: number, longitude: number] {
  const height = Math.abs(y);
  if (height <= QUARTER) return [Math.asin((8 * y) / (3 * Math.PI)), x];
  const sigma = Math.max(0, 2 - height / QUARTER);
  const longitude = sigma < 1e-9 ? middle + side * QUARTER : middle + (x - middle) / sigma;
  return [Math.sign(y) * Math.asin(1 - sigma ** 2 / 3), longitude];
}
