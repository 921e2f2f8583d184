/** The slug of a variable that is computed from others. */
export type DerivedVariable = 'evapotranspiration' | 'dew_point' | 'vapor_pressure_deficit';

/**
 * The slugs of the variables that each derived variable is computed from, per member and day. Others are used where they
 * are there (`derivedInputs`).
 */
export const DERIVED_INPUTS: Readonly<Record<DerivedVariable, readonly string[]>> = /* @__PURE__ */ Object.freeze({
  evapotranspiration: /* @__PURE__ */ Object.freeze([
    'temp_min',
    'temp_max',
    'relative_humidity',
    'wind_speed',
    'solar_radiation',
  ]),
  dew_point: /* @__PURE__ */ Object.freeze(['temp_mean', 'relative_humidity']),
  vapor_pressure_deficit: /* @__PURE__ */ Object.freeze(['temp_min', 'temp_max', 'relative_humidity']),
});

/** The inputs of the actual vapour pressure by FAO-56 equation 17. */
const EXTREMES = ['temp_min', 'temp_max', 'relative_humidity_min', 'relative_humidity_max'];

/**
 * The slugs of the variables that a derived variable is computed from where `has` says what there is. Humidity is, in
 * this order: the dew point; the extremes of humidity; the mean humidity, with `temp_mean` or else the mean of `temp_min`
 * and `temp_max`.
 */
export function derivedInputs(slug: DerivedVariable, has: (input: string) => boolean): readonly string[] {
  const needed = DERIVED_INPUTS[slug];
  const others = slug === 'dew_point' ? [] : needed.filter((input) => input !== 'relative_humidity');
  if (slug !== 'dew_point' && has('dew_point')) return [...others, 'dew_point'];
  if (EXTREMES.every(has)) return [...new Set([...others, ...EXTREMES])];
  return has('temp_mean') ? [...new Set([...needed, 'temp_mean'])] : needed;
}
