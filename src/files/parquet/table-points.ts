import { DataType, Schema, Table } from 'apache-arrow';
import { quickSchema } from '../../table/arrow/table-schema.js';

/** The key of the metadata by which GeoParquet describes its columns of geometries. */
export const GEO = 'geo';

/**
 * A table of GeoParquet without its column of points, which repeats the places of `latitude` and `longitude`; other
 * tables as they are.
 */
export function withoutPoints(table: Table): Table {
  const { fields, metadata } = table.schema;
  const primary = metadata.has(GEO) ? primaryColumn(metadata.get(GEO) as string) : undefined;
  const points = fields.find(({ name, type }) => name === primary && DataType.isBinary(type));
  const hasPlaces = ['latitude', 'longitude'].every((place) => fields.some(({ name }) => name === place));
  if (points === undefined || !hasPlaces) return table;
  const kept = table.select(fields.map(({ name }) => name).filter((name) => name !== primary));
  const others = new Map([...metadata].filter(([key]) => key !== GEO));
  return new Table(quickSchema(new Schema(kept.schema.fields, others)), kept.batches);
}

function primaryColumn(geo: string): string | undefined {
  try {
    return JSON.parse(geo)?.primary_column;
  } catch {
    return undefined;
  }
}
