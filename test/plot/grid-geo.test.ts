import { expect, it } from 'vitest';
import type { Grid } from '../../src/ensemble/grid.js';
import { gridEnsemble } from '../../src/files/cf/index.js';
import { weatherMap } from '../../src/plot/index.js';
import { type Attributes, AXES, cases, type Parts, projectedFile } from '../files/cf/cells/projected-file.js';
import { field, frameOf, legendOf, pixelsOf } from './map-pixels.js';

const ROWS = 24;
const COLUMNS = 30;
/** The distances of rows and columns: of metres, radians and degrees. */
const STEPS: Readonly<Record<string, number>> = { geostationary: 0.005, rotated_latitude_longitude: 1.5 };

/** The rows and columns of a grid that does not lie about the origin of its projection. */
function axesOf(mapping: Attributes): { y: number[]; x: number[] } {
  const step = STEPS[mapping.grid_mapping_name as string] ?? 90_000;
  const shifted = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ((mapping[name] as number) ?? 0) + (i - count / 3) * step);
  return { y: shifted(ROWS, 'false_northing'), x: shifted(COLUMNS, 'false_easting') };
}

/** Expects that the columns of a picture have ascending values from left to right, and its rows from bottom to top. */
async function expectUpright(parts: Parts, shown: { readonly x: readonly number[]; readonly y: readonly number[] }) {
  const { grid } = await gridEnsemble(projectedFile(parts));
  const isTurned = parts.names?.[0] === 'x';
  for (const axis of ['x', 'y'] as const) {
    const length = axis === 'x' ? COLUMNS : ROWS;
    const positions = Float64Array.from({ length: ROWS * COLUMNS }, (_, cell) => {
      const [row, column] = isTurned
        ? [cell % ROWS, Math.floor(cell / ROWS)]
        : [Math.floor(cell / COLUMNS), cell % COLUMNS];
      return axis === 'x' ? shown.x.indexOf(parts.x[column]) : shown.y.indexOf(parts.y[row]);
    });
    const limits = [0, length / 3, (2 * length) / 3, length];
    const given = { ...field(grid as Grid), values: positions };
    const svg = weatherMap(given, { coastlines: 'none', theme: 'light', limits, width: 300 });
    const [pixels, { colours }, { left, top, width, height }] = [pixelsOf(svg), legendOf(svg), frameOf(svg)];
    for (let row = 0; row < ROWS; row += 3) {
      for (let column = 0; column < COLUMNS; column += 3) {
        const position = axis === 'x' ? column : row;
        // Next to a limit an ellipsoid and a sphere may differ.
        if (limits.some((limit) => Math.abs(position + 0.5 - limit) < 1)) continue;
        const [x, y] = [(column + 0.5) / COLUMNS, 1 - (row + 0.5) / ROWS];
        const colour = pixels.at(left + x * width, top + y * height);
        const where = `${axis}, row ${row}, column ${column}`;
        expect(colours.indexOf(colour), where).toBe(limits.findIndex((limit) => position < limit) - 1);
      }
    }
  }
}

const planes = cases.filter(({ mapping: { grid_mapping_name: name } }) => !/^mercator|cylindrical/.test(name));
const named = (mapping: Attributes) => Object.values(mapping).join(' ');

it.each(planes.map(({ mapping }) => [named(mapping), mapping] as const))(
  'draws a grid as its file projects it, y to the top: %s',
  async (_, mapping) => {
    const axes = axesOf(mapping);
    await expectUpright({ ...axes, mapping, axes: AXES[mapping.grid_mapping_name as string] }, axes);
  },
);

it('draws rows from the top, columns from the right, and columns as rows in the same way', async () => {
  const mapping = { grid_mapping_name: 'polar_stereographic', latitude_of_projection_origin: 90 };
  const turned = { ...mapping, straight_vertical_longitude_from_pole: -45, earth_radius: 6_371_229 };
  const axes = axesOf(turned);
  const parts = { ...axes, mapping: turned };
  await expectUpright({ ...parts, y: [...axes.y].reverse() }, axes);
  await expectUpright({ ...parts, x: [...axes.x].reverse() }, axes);
  await expectUpright({ ...parts, names: ['x', 'y'] }, axes);
});

it.each([
  [{ name: 'lambert' }, 'field.grid.projection.name: unknown; received "lambert"'],
  [{ longitude: Number.NaN }, 'field.grid.projection.longitude'],
  [{ name: 'lambert_conformal_conic' }, 'field.grid.projection.parallels.0'],
  [{ name: 'geostationary', distance: 1 }, 'field.grid.projection.distance'],
])('rejects the projection %j', (wrong, message) => {
  const places = Float64Array.of(60, 61, 62, 63);
  const projection = { name: 'stereographic', latitude: 90, longitude: 0, ...wrong };
  const grid = { kind: 'places', latitude: places, longitude: places, shape: [2, 2], projection } as Grid;
  expect(() => weatherMap({ grid, values: [1, 2, 3, 4] })).toThrow(message);
});
