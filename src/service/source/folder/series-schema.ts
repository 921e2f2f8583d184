import { Field, FixedSizeList, Float32, Float64, Schema } from 'apache-arrow';
import { formatDate } from '../../../period/day.js';
import { type SeriesHead, seriesWidth } from '../../store/block-file.js';
import type { Axis } from '../dataset.js';

/**
 * Where buffers are listed in the metadata of a batch; each column has one for validity and one for values, a list only
 * one for validity.
 */
export const SERIES_BUFFERS = { latitude: 1, longitude: 3, values: 6, count: 7 } as const;

/**
 * The schema of the Arrow file of one variable in stores of version 1: a row a place, with `latitude`, `longitude` (degrees) and `values`, a list of
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

function valuesType(axis: Axis): FixedSizeList {
  return new FixedSizeList(seriesWidth(axis), new Field('value', new Float32(), false));
}
