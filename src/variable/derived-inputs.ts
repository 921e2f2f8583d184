/** The slug of a variable that is computed from others. */
export type DerivedVariable = 'evapotranspiration' | 'dew_point' | 'vapor_pressure_deficit';

/** The slugs of the variables that each derived variable is computed from, per member and day. */
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
