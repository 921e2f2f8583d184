import type { GridProjection } from '../../../ensemble/grid.js';

/**
 * The places of a grid's points, row by row; rows, and the points of a row, are in the directions in which the message
 * scans them, see `orderByRows`.
 */
export type GridPlaces =
  | {
      /** Points are every latitude with every longitude, the longitude fastest. */
      readonly kind: 'rectilinear';
      readonly latitude: Float64Array;
      readonly longitude: Float64Array;
    }
  | {
      /** Each point has its own latitude and longitude. */
      readonly kind: 'points';
      readonly latitude: Float64Array;
      readonly longitude: Float64Array;
    };

/** The grid of a field. */
export interface GribGrid {
  /** The name of its type, as ecCodes calls it: `regular_ll`. */
  readonly type: string;
  /** In a few words, for people and to compare grids: `721x1440`. */
  readonly label: string;
  /** The lengths of its dimensions: rows and points of a row, or one number for rows of different lengths. */
  readonly shape: readonly number[];
  /** The number of points of each row, where rows have different lengths. */
  readonly rowLengths?: readonly number[];
  /** Whether components of vectors are along rows and columns that are no parallels and meridians. */
  readonly hasTurnedVectors: boolean;
  /** Flag table 3.4. */
  readonly scanningMode: number;
  /** Where rows and columns are no parallels and meridians, the plane that they lie on. */
  readonly projection?: GridProjection;
  /** What was taken against what its section says; for people. */
  readonly notice?: string;
  /** The places of its points; computed when it is called. */
  places(): GridPlaces;
}

/** A grid without what its flags say. */
export type UnscannedGrid = Omit<GribGrid, 'hasTurnedVectors' | 'scanningMode'>;
