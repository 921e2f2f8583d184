import type { Coordinates } from '../../table/coordinates.js';

/** Distinct places in the order of their first rows. */
export interface PlacesOfRows {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** For each row, which of the places it is of. */
  readonly placeOf: Int32Array;
}

/** The places of rows; a single one of unknown coordinates where they do not tell. */
export function placesOfRows({ latitude, longitude }: Coordinates, rows: number): PlacesOfRows {
  if (latitude === undefined || longitude === undefined) {
    return {
      latitude: Float64Array.of(Number.NaN),
      longitude: Float64Array.of(Number.NaN),
      placeOf: new Int32Array(rows),
    };
  }
  const known = new Map<number, Map<number, number>>();
  const [latitudes, longitudes]: [number[], number[]] = [[], []];
  const placeOf = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    let ofLatitude = known.get(latitude[row]);
    if (ofLatitude === undefined) known.set(latitude[row], (ofLatitude = new Map()));
    let place = ofLatitude.get(longitude[row]);
    if (place === undefined) {
      place = latitudes.length;
      ofLatitude.set(longitude[row], place);
      latitudes.push(latitude[row]);
      longitudes.push(longitude[row]);
    }
    placeOf[row] = place;
  }
  return { latitude: Float64Array.from(latitudes), longitude: Float64Array.from(longitudes), placeOf };
}
