import type { EnsembleField } from '../core/field.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { copyFiniteRows } from '../ensemble/finite-rows.js';
import type { DerivedVariable } from '../variable/derived-inputs.js';
import type { Elevation } from './elevation.js';
import {
  dewPoints,
  evapotranspirationFormulas,
  type PlacesAndDays,
  type SeriesFormula,
  vaporPressureDeficits,
} from './series-formulas.js';

/** What a derived variable depends on besides other variables. */
export interface DeriveOptions {
  /**
   * Metres above sea level, required for evapotranspiration; where it is NaN for one of several places, the result is
   * missing there.
   */
  readonly elevation?: Elevation;
}

/** Create the formula of each cell. */
const FORMULAS: Record<
  DerivedVariable,
  (where: PlacesAndDays, options: DeriveOptions) => (cell: number) => SeriesFormula
> = {
  evapotranspiration: (where, { elevation }) => evapotranspirationFormulas(where, elevation),
  dew_point: () => () => dewPoints,
  vapor_pressure_deficit: () => () => vaporPressureDeficits,
};

/**
 * Computes each member's values of a derived variable, location by location, the days of `where` in order. `inputs` are
 * in the order of `DERIVED_INPUTS`; all have the same cells, members and type, the day is fastest, and they cover those
 * days. Throws OptionError for the elevation, and DataError for an infinite input or a missing latitude.
 */
export function deriveSeries(
  slug: DerivedVariable,
  inputs: readonly EnsembleField[],
  where: PlacesAndDays,
  options: DeriveOptions = {},
): FloatArray[] {
  const { firstDay, days } = where;
  const formulas = FORMULAS[slug](where, options);
  const { type, cells, members } = inputs[0];
  const results = members.map(() => floatArray(type, cells * days));
  const series = inputs.map(() => new Float64Array(days));
  const derived = new Float64Array(days);
  for (let cell = 0; cell < cells; cell++) {
    const formula = formulas(cell);
    for (let m = 0; m < members.length; m++) {
      for (const [i, field] of inputs.entries()) {
        copyFiniteRows(field, m, cell * field.days + firstDay - field.firstDay, series[i]);
      }
      formula(series, derived);
      results[m].set(derived, cell * days);
    }
  }
  return results;
}
