import { joined, section, signed, uint } from './grib-message.js';

/** What templates 3.0, 3.1 and 3.40 share; angles are in units of the basic angle, by default millionths of degrees. */
export interface AxesLayout {
  readonly template?: number;
  readonly rows: number;
  /** Undefined for rows of different lengths. */
  readonly columns?: number;
  readonly lengths?: readonly number[];
  readonly basic?: readonly [angle: number, subdivisions: number];
  readonly latitudes: readonly [number, number];
  readonly longitudes: readonly [number, number];
  readonly scanningMode?: number;
  /** What template 3.1 has behind: octets 73 to 84. */
  readonly rest?: readonly number[];
  /** Octets 68 to 71: the increment of rows, or N of a Gaussian grid. */
  readonly last?: number;
}

/** Section 3 of latitudes and longitudes, of Gaussian ones and of rotated ones. */
export function axesSection(axes: AxesLayout): Uint8Array {
  const { template = 0, rows, columns, lengths = [], basic = [0, 2 ** 32 - 1], latitudes, longitudes } = axes;
  const points = columns === undefined ? lengths.reduce((sum, length) => sum + length, 0) : rows * columns;
  return section(
    3,
    ...[[0], uint(points, 4), lengths.length > 0 ? [2, 1] : [0, 0], uint(template, 2)],
    ...[[6], uint(0, 15), uint(columns ?? 2 ** 32 - 1, 4), uint(rows, 4), uint(basic[0], 4), uint(basic[1], 4)],
    ...[signed(latitudes[0], 4), signed(longitudes[0], 4), [0], signed(latitudes[1], 4), signed(longitudes[1], 4)],
    ...[uint(0, 4), uint(axes.last ?? 0, 4), [axes.scanningMode ?? 0], axes.rest ?? []],
    joined(...lengths.map((length) => uint(length, 2))),
  );
}

/** Numbers of degrees in millionths. */
export function millionths(...degrees: number[]): [number, number] {
  return degrees.map((degree) => Math.round(degree * 1e6)) as [number, number];
}

/** A projected grid; angles in degrees, distances in metres. */
export interface PlaneLayout {
  readonly rows: number;
  readonly columns: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly trueLatitude: number;
  readonly distances: readonly [number, number];
  readonly scanningMode: number;
}

function planeHead(template: number, { rows, columns, latitude, longitude, trueLatitude }: PlaneLayout): number[][] {
  const grid = [[0], uint(rows * columns, 4), [0, 0], uint(template, 2), [6], uint(0, 15), uint(columns, 4)];
  return [
    ...grid,
    uint(rows, 4),
    ...millionths(latitude, longitude).map((angle) => signed(angle, 4)),
    [0],
    signed(trueLatitude * 1e6, 4),
  ];
}

/** Section 3 of a polar stereographic grid (3.20) or, with two standard parallels, of a Lambert grid (3.30). */
export function conicSection(
  plane: PlaneLayout,
  orientation: number,
  centreFlags: number,
  parallels?: readonly [number, number],
): Uint8Array {
  const distances = plane.distances.map((metres) => uint(metres * 1000, 4));
  const flags = [centreFlags, plane.scanningMode];
  const rest = parallels === undefined ? [] : [...parallels, -90, 0].map((angle) => signed(angle * 1e6, 4));
  const template = parallels === undefined ? 20 : 30;
  return section(3, ...planeHead(template, plane), signed(orientation * 1e6, 4), ...distances, flags, ...rest);
}

/** Section 3 of a Mercator grid (3.10), whose last point is not stated. */
export function mercatorSection(plane: PlaneLayout): Uint8Array {
  const distances = plane.distances.map((metres) => uint(metres * 1000, 4));
  const last = [uint(0, 4), uint(0, 4)];
  return section(3, ...planeHead(10, plane), ...last, [plane.scanningMode], uint(0, 4), ...distances);
}

/** Section 4 of an amount from hour `start` to hour `end` of 1 May 2024, of a member (4.11) or of a hindcast (4.61). */
export function amountSection(start: number, end: number, member: number, isHindcast = false): Uint8Array {
  const date = (day: number, hour: number) => [...uint(2024, 2), 5, day, hour, 0, 0];
  return section(
    4,
    ...[uint(0, 2), uint(isHindcast ? 61 : 11, 2), [1, 8, 2, 0, 128], uint(0, 3), [1], uint(start, 4)],
    ...[[1, 0], uint(0, 4), [255, 0], uint(0, 4), [3, member, 10], isHindcast ? date(1, 0) : []],
    ...[date(1 + Math.floor(end / 24), end % 24), [1], uint(0, 4), [1, 2, 1], uint(end - start, 4), [1], uint(0, 4)],
  );
}
