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

/** The slug of a variable: any text, as you may define variables of your own; editors complete those of the built-in ones. */
export type VariableSlug = BuiltInSlug | (string & {});
