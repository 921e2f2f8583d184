import type { Grid } from '../grid.js';

/** The corners of the cells of a curvilinear grid, in degrees: a row and a column more than there are cells. */
export interface CellCorners {
  readonly rows: number;
  readonly columns: number;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

const RADIANS = Math.PI / 180;

/**
 * Computes the corners of the cells of a curvilinear grid of at least two rows and columns: each is in the middle of
 * the four centres around it, on the sphere, so that neither poles nor the date line matter. Centres beyond the edges
 * continue the two that are next to them. A corner beside a centre without coordinates is NaN.
 */
export function cellCorners({ latitude, longitude }: Grid, [rows, columns]: readonly number[]): CellCorners {
  const [height, width] = [rows + 2, columns + 2];
  const [xs, ys, zs] = [0, 1, 2].map(() => new Float64Array(height * width));
  for (let i = 0; i < rows * columns; i++) {
    const at = (Math.floor(i / columns) + 1) * width + (i % columns) + 1;
    const [lat, lon] = [latitude[i] * RADIANS, longitude[i] * RADIANS];
    xs[at] = Math.cos(lat) * Math.cos(lon);
    ys[at] = Math.cos(lat) * Math.sin(lon);
    zs[at] = Math.sin(lat);
  }
  for (const axis of [xs, ys, zs]) continueEdges(axis, height, width);
  const corners = { latitude: new Float64Array((rows + 1) * (columns + 1)), longitude: new Float64Array(0) };
  corners.longitude = corners.latitude.slice();
  for (let y = 0, corner = 0; y <= rows; y++) {
    for (let x = 0; x <= columns; x++, corner++) {
      const at = y * width + x;
      const [a, b, c] = [around(xs, at, width), around(ys, at, width), around(zs, at, width)];
      corners.latitude[corner] = Math.atan2(c, Math.sqrt(a * a + b * b)) / RADIANS;
      corners.longitude[corner] = Math.atan2(b, a) / RADIANS;
    }
  }
  return { rows, columns, ...corners };
}

/** The sum of the four centres around a corner. */
function around(axis: Float64Array, at: number, width: number): number {
  return axis[at] + axis[at + 1] + axis[at + width] + axis[at + width + 1];
}

function continueEdges(axis: Float64Array, height: number, width: number): void {
  for (let y = 1; y < height - 1; y++) {
    axis[y * width] = 2 * axis[y * width + 1] - axis[y * width + 2];
    axis[(y + 1) * width - 1] = 2 * axis[(y + 1) * width - 2] - axis[(y + 1) * width - 3];
  }
  for (let x = 0; x < width; x++) {
    const end = (height - 1) * width + x;
    axis[x] = 2 * axis[x + width] - axis[x + 2 * width];
    axis[end] = 2 * axis[end - width] - axis[end - 2 * width];
  }
}
