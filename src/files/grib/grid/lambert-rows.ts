import { type Projection, RADIANS, withinCircle } from '../../projection/projection.js';
import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';
import type { ScanMode } from './scan-mode.js';

/** The first point of a grid on its plane, the distances of its points, in metres, and the numbers of points. */
export interface RowCorners {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly columns: number;
  readonly rows: number;
}

/** Where the Lambert grids of a centre lie, in degrees. */
interface Domain {
  /** Common code table C-11. */
  readonly centres: readonly number[];
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  /** The name of a centre whose first point is the south-western corner, whatever the scanning mode says. */
  readonly southWest?: string;
}

const DOMAINS: readonly Domain[] = [
  { centres: [84, 85], south: 34, north: 59, west: -18, east: 22, southWest: 'Météo-France' },
  { centres: [82, 86, 88, 94], south: 40, north: 90, west: -80, east: 70 },
  { centres: [99], south: 38, north: 68, west: -35, east: 35 },
  { centres: [233], south: 38, north: 72, west: -40, east: 25 },
  { centres: [212, 214], south: 20, north: 58, west: -45, east: 30 },
  { centres: [80, 200], south: 26, north: 58, west: -20, east: 45 },
];
/** A grid is made about its projection where their centres differ by less than this share of its sides. */
const CENTRED = 0.1;

/** The direction of the rows of a Lambert grid, and what was taken against its scanning mode. */
interface LambertRows {
  readonly j: ScanMode['j'];
  readonly notice?: string;
}

/**
 * Decides in which direction the rows of a Lambert grid follow each other. Some centres state the south-western corner
 * as the first point, and a scanning mode of 0, which says southwards. That shows where southwards the grid would leave
 * the domain of its centre, or lie beside its projection, and northwards it would not.
 *
 * Throws FormatError where it shows, and the centre is not known for it.
 */
export function rowsOfLambert(
  section: Octets,
  centre: number,
  { i, j }: ScanMode,
  corners: RowCorners,
  plane: Projection & { readonly origin: readonly [number, number] },
): LambertRows {
  if (j > 0) return { j };
  const domain = DOMAINS.find(({ centres }) => centres.includes(centre));
  const [southwards, northwards] = ([-1, 1] as const).map((direction) => ({
    isCentred: isCentred(corners, { i, j: direction }, plane.origin),
    points: outline(corners, { i, j: direction }, plane),
  }));
  const isWithin = ({ points }: typeof southwards) => domain !== undefined && points.every(liesIn(domain));
  const isDisplaced =
    (northwards.isCentred && !southwards.isCentred && !isWithin(southwards)) ||
    (isWithin(northwards) && !isWithin(southwards));
  if (!isDisplaced) return { j };
  const range = ({ points }: typeof southwards) => {
    const degrees = points.map(([latitude]) => latitude);
    return `${Math.min(...degrees).toFixed(1)} to ${Math.max(...degrees).toFixed(1)} N`;
  };
  const name = domain?.southWest;
  if (name !== undefined) {
    return {
      j: 1,
      notice: `Lambert grid of ${name}: its first point is taken for the south-western corner, so that rows go northwards (${range(northwards)}), though the scanning mode says southwards (${range(southwards)}, where its model is not); grib_set -s jScansPositively=1 writes what was taken`,
    };
  }
  throw messageError(section.place, section.section, {
    problem: 'has a Lambert grid whose rows go southwards from its south-western corner',
    received: `scanning mode 0, rows from ${range(southwards)}, where centre ${centre} has no model; northwards from ${range(northwards)}`,
    allowed: 'a scanning mode that fits: grib_set -s jScansPositively=1 makes rows go northwards',
  });
}

/** Whether a grid is made about its projection, as grids of regional models are. */
function isCentred(
  { columns, rows, x, y, dx, dy }: RowCorners,
  { i, j }: ScanMode,
  [left, top]: readonly [number, number],
): boolean {
  const [width, height] = [(columns - 1) * dx, (rows - 1) * dy];
  return (
    Math.abs(x + (i * width) / 2 - left) <= CENTRED * width && Math.abs(y + (j * height) / 2 - top) <= CENTRED * height
  );
}

/** The latitudes and longitudes, in degrees, of the corners of a grid and of the middles of its sides. */
function outline(
  { columns, rows, x, y, dx, dy }: RowCorners,
  { i, j }: ScanMode,
  { toEarth }: Projection,
): (readonly [number, number])[] {
  const [halfX, halfY] = [(i * (columns - 1) * dx) / 2, (j * (rows - 1) * dy) / 2];
  return [0, 1, 2].flatMap((column) =>
    [0, 1, 2].map((row) => {
      const [north, east] = toEarth(x + column * halfX, y + row * halfY);
      return [north / RADIANS, withinCircle(east / RADIANS)] as const;
    }),
  );
}

function liesIn({ south, north, west, east }: Domain): (point: readonly [number, number]) => boolean {
  return ([latitude, longitude]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}
