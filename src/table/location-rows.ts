/** The columns of place and day of a wide table. */
export interface LocationRows {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Days since 1970-01-01. */
  readonly date: Int32Array;
}

/** Makes rows location by location, with `days` days of each from `firstDay` on. */
export function locationRows(
  latitude: Float64Array,
  longitude: Float64Array,
  { firstDay, days }: { readonly firstDay: number; readonly days: number },
): LocationRows {
  const length = latitude.length * days;
  const rows = {
    latitude: new Float64Array(length),
    longitude: new Float64Array(length),
    date: new Int32Array(length),
  };
  for (let cell = 0, row = 0; cell < latitude.length; cell++) {
    for (let day = 0; day < days; day++, row++) {
      rows.latitude[row] = latitude[cell];
      rows.longitude[row] = longitude[cell];
      rows.date[row] = firstDay + day;
    }
  }
  return rows;
}
