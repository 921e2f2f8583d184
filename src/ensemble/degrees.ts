/*
 * Coordinates of places as all inputs give them, tables and grids, so that one place has the same coordinates in every result.
 */

/** A longitude above 180 degrees as the western one that it is: 280.16 is -79.84, to a ten-billionth of a degree. */
export function westernLongitude(longitude: number): number {
  // Adding 0 makes 0 of -0.
  return longitude > 180 ? Math.round((longitude - 360) * 1e10) / 1e10 + 0 : longitude;
}

/** Degrees that were stored as float32, which has about seven digits: 37.3, not 37.29999923706055. */
export function singleDegrees(degrees: number): number {
  const size = Math.abs(degrees);
  const scale = size >= 100 ? 1e4 : size >= 10 ? 1e5 : size >= 1 ? 1e6 : 1e7;
  return Math.round(degrees * scale) / scale;
}
