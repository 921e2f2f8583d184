import type { DaySpan } from './shared-days.js';

/**
 * Computes the days of one member at one place: `inputs` has the series of each input in the order of `DERIVED_INPUTS`, all as
 * long as `result`, which is overwritten; NaN is missing.
 */
export type SeriesFormula = (inputs: readonly Float64Array[], result: Float64Array) => void;

/** Where and when values are derived. */
export interface PlacesAndDays extends DaySpan {
  /** One for each cell; NaN where the input does not tell. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}
