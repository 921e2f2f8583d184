import type { Places } from './nearest-place.js';

/** The projections whose planes have rows and columns that are no parallels and meridians, as the CF conventions name them. */
export const GRID_PROJECTIONS = [
  ...(['albers_conical_equal_area', 'azimuthal_equidistant', 'geostationary', 'lambert_azimuthal_equal_area'] as const),
  ...(['lambert_conformal_conic', 'rotated_latitude_longitude', 'sinusoidal', 'stereographic'] as const),
  'transverse_mercator',
] as const;

/** The plane on which the rows and columns of a curvilinear grid lie, its y axis to the top. Angles are in degrees. */
export interface GridProjection {
  readonly name: (typeof GRID_PROJECTIONS)[number];
  /** The place about which it is made: where the meridian is straight, and its y axis. */
  readonly latitude: number;
  readonly longitude: number;
  /** The standard parallels of a cone. */
  readonly parallels?: readonly [number, number];
  /** The distance of a satellite from the centre of the earth, in radii. */
  readonly distance?: number;
}

/** The places of a file's cells. */
export type Grid = Pick<Places, 'labels'> & GridCells;

/** The cells of a grid. */
export type GridCells =
  | {
      /** Cells are every latitude with every longitude, the longitude fastest. */
      readonly kind: 'rectilinear';
      readonly latitude: Float64Array;
      readonly longitude: Float64Array;
    }
  | {
      /** Each cell has its own latitude and longitude: stations, or a curvilinear grid of `shape` (y, x). */
      readonly kind: 'places';
      readonly latitude: Float64Array;
      readonly longitude: Float64Array;
      readonly shape: readonly number[];
      /** That of a curvilinear grid, if it is known. */
      readonly projection?: GridProjection;
    };

/** The number of cells of a grid. */
export function cellsOfGrid({ kind, latitude, longitude }: Grid): number {
  return kind === 'rectilinear' ? latitude.length * longitude.length : latitude.length;
}
