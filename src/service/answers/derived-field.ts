import { deriveSeries } from '../../blend/derive-series.js';
import type { EnsembleField } from '../../core/field.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Location } from '../../respond/answers.js';
import { DERIVED_INPUTS, type DerivedVariable } from '../../variable/derived-inputs.js';
import type { Dataset } from '../source/dataset.js';
import { readSeries } from './point-series.js';

/** Where a derived variable is computed. */
export interface DerivedPlace {
  readonly cell: number;
  readonly location: Location;
  /** Elevation, NaN where it is not known. */
  readonly metres: number;
}

/** Reads the inputs of a derived variable at a cell and computes it, per member, on the days that all inputs have. */
export async function readDerived(
  dataset: Dataset,
  slug: DerivedVariable,
  place: DerivedPlace,
): Promise<EnsembleField> {
  const { cell, location, metres } = place;
  const inputs = await Promise.all(DERIVED_INPUTS[slug].map((input) => readSeries(dataset, input, cell)));
  const firstDay = Math.max(...inputs.map((input) => input.firstDay));
  const days = Math.min(...inputs.map((input) => input.firstDay + input.days)) - firstDay;
  const where = {
    latitude: Float64Array.of(location.latitude),
    longitude: Float64Array.of(location.longitude),
    firstDay,
    days: Math.max(0, days),
  };
  const series = deriveSeries(slug, inputs, where, { elevation: metres });
  const members = series.map((values, m) => new MemberColumn(`member ${m}`, [{ values }]));
  return { type: 'float32', order: 'day-fastest', firstDay, days: where.days, cells: 1, members };
}
