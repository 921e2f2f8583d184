import { Field, FixedSizeList, Float32, Float64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { Places } from '../../../ensemble/nearest-place.js';
import { formatDate } from '../../../period/day.js';
import type { Axis } from '../dataset.js';

/**
 * Where buffers are listed in the metadata of a batch; each column has one for validity and one for values, a list only
 * one for validity.
 */
export const SERIES_BUFFERS = { latitude: 1, longitude: 3, values: 6, count: 7 } as const;

/** A variable of a part, without its values. */
export interface SeriesHead {
  readonly slug: string;
  readonly units: string;
  readonly axis: Axis;
}

/** The number of values of one place: the days of the first member, then those of the next. */
export function seriesWidth({ members, days }: Axis): number {
  return members * days;
}

/**
 * The schema of the file of one variable: a row a place, with `latitude`, `longitude` (degrees) and `values`, a list of
 * the days of member 0, then of member 1, and so on; NaN where missing. The metadata state the days and members.
 */
export function createSeriesSchema(head: SeriesHead): Schema {
  const fields = [
    new Field('latitude', new Float64(), false),
    new Field('longitude', new Float64(), false),
    new Field('values', valuesType(head.axis), false),
  ];
  return new Schema(fields, new Map(Object.entries(seriesMetadata(head))));
}

/** The metadata of the schema. */
export function seriesMetadata({ slug, units, axis }: SeriesHead): Record<string, string> {
  return {
    variable: slug,
    units,
    first_date: formatDate(axis.firstDay),
    days: String(axis.days),
    members: String(axis.members),
    order: 'members, days',
  };
}

/** Creates a batch of some places with their values; nothing is copied. */
export function createSeriesBatch(schema: Schema, axis: Axis, places: Places, values: Float32Array): RecordBatch {
  const { latitude, longitude } = places;
  const length = latitude.length;
  const numbers = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  const children = [
    makeData({ type: new Float64(), length, nullCount: 0, data: latitude }),
    makeData({ type: new Float64(), length, nullCount: 0, data: longitude }),
    makeData({ type: valuesType(axis), length, nullCount: 0, child: numbers }),
  ];
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function valuesType(axis: Axis): FixedSizeList {
  return new FixedSizeList(seriesWidth(axis), new Field('value', new Float32(), false));
}
