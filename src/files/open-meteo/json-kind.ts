/**
 * What JSON is that is no answer of Open-Meteo, in words that people know: `GeoJSON`, `a list of records, as pandas' to_json(orient="records")
 * writes it`.
 */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return kindOfList(value);
  if (!isObject(value)) return `JSON of a single ${value === null ? 'null' : typeof value}`;
  const { type } = value;
  if (typeof type === 'string' && GEOJSON.includes(type)) return 'GeoJSON';
  if (typeof type === 'string' && /^Coverage|^Domain$/.test(type)) return 'CoverageJSON';
  if (Array.isArray(value.columns) && Array.isArray(value.data)) return `${OF_PANDAS}, orient="split")`;
  if (isObject(value.schema) && Array.isArray(value.data)) return `${OF_PANDAS}, orient="table")`;
  if (isObject(value.dims) && isObject(value.data_vars)) return 'JSON of an xarray dataset (to_dict())';
  if (isObject(value.variables) || isObject(value.meta)) return 'JSON of a service, but none of Open-Meteo';
  const columns = Object.values(value);
  if (columns.length > 0 && columns.every(isObject)) return `${OF_PANDAS})`;
  if (columns.length > 0 && columns.every(Array.isArray)) return 'JSON of columns (an object of lists)';
  return 'JSON of another kind than that of Open-Meteo';
}

const OF_PANDAS = 'JSON as pandas writes it (to_json()';
const GEOJSON = [
  ...['FeatureCollection', 'Feature', 'GeometryCollection', 'Point', 'MultiPoint', 'LineString'],
  ...['MultiLineString', 'Polygon', 'MultiPolygon'],
];

function kindOfList(list: readonly unknown[]): string {
  if (list.length === 0) return 'an empty list of JSON';
  if (list.every(isObject)) return 'JSON records (a list of objects), as of pandas\' to_json(orient="records")';
  if (list.every(Array.isArray)) return 'JSON rows (a list of lists)';
  return 'a list of JSON values';
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
