/** The places of a file's cells. */
export type Grid =
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
    };

/** The number of cells of a grid. */
export function cellsOfGrid({ kind, latitude, longitude }: Grid): number {
  return kind === 'rectilinear' ? latitude.length * longitude.length : latitude.length;
}
