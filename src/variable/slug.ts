/** The slugs of the built-in variables. */
export type BuiltInSlug =
  | 'temp_mean'
  | 'temp_min'
  | 'temp_max'
  | 'precipitation'
  | 'evapotranspiration'
  | 'relative_humidity'
  | 'dew_point'
  | 'vapor_pressure_deficit'
  | 'wind_speed'
  | 'wind_speed_max'
  | 'wind_gust_max'
  | 'solar_radiation';

/** The slug of a variable: any text, as you can define variables yourself; editors complete the built-in slugs. */
export type VariableSlug = BuiltInSlug | (string & {});
