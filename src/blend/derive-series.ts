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

/** The least and the highest value of inputs; values beyond them count as these. */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  relative_humidity: [0, 100],
  relative_humidity_min: [0, 100],
  relative_humidity_max: [0, 100],
  wind_speed: [0, Number.POSITIVE_INFINITY],
  solar_radiation: [0, Number.POSITIVE_INFINITY],
};

/** The least and the highest value that derived variables use of an input; undefined for one without limits. */
export function limitsOf(slug: string): readonly [number, number] | undefined {
  return LIMITS[slug];
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
 * `derivedInputs` by slug; all have the same cells, members and type, the day is fastest, and they cover those
 * days. `clamped` counts the values of each input that lie beyond its limits. Throws OptionError for the elevation, and
 * DataError for an infinite input or a missing latitude.
 */
export function deriveSeries(
  slug: DerivedVariable,
  inputs: Readonly<Record<string, EnsembleField>>,
  where: PlacesAndDays,
  options: DeriveOptions = {},
  clamped?: Map<string, number>,
): FloatArray[] {
  const { firstDay, days } = where;
  const formulas = FORMULAS[slug](where, options);
  const slugs = Object.keys(inputs);
  const { type, cells, members } = inputs[slugs[0]];
  const results = members.map(() => floatArray(type, cells * days));
  const series = Object.fromEntries(slugs.map((input) => [input, new Float64Array(days)]));
  const derived = new Float64Array(days);
  for (let cell = 0; cell < cells; cell++) {
    const formula = formulas(cell);
    for (let m = 0; m < members.length; m++) {
      for (const input of slugs) {
        const field = inputs[input];
        copyFiniteRows(field, m, cell * field.days + firstDay - field.firstDay, series[input]);
        if (clamped !== undefined) countClamped(clamped, input, series[input]);
      }
      formula(series, derived);
      results[m].set(derived, cell * days);
    }
  }
  return results;
}

function countClamped(clamped: Map<string, number>, input: string, series: Float64Array): void {
  const [low, high] = LIMITS[input] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let count = 0;
  for (const value of series) if (value < low || value > high) count++;
  if (count > 0) clamped.set(input, (clamped.get(input) ?? 0) + count);
}
