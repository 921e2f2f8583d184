/** The slugs of the variables that the demo makes: all of the registry's that are not derived, in its order. */
export const DEMO_VARIABLES = [
  'temp_mean',
  'temp_min',
  'temp_max',
  'precipitation',
  'relative_humidity',
  'wind_speed',
  'wind_speed_max',
  'wind_gust_max',
  'solar_radiation',
] as const;

/** The slug of a variable that the demo makes. */
export type DemoVariable = (typeof DEMO_VARIABLES)[number];

/** Makes something for each variable of the demo. */
export function mapVariables<T>(make: (slug: DemoVariable) => T): Record<DemoVariable, T> {
  return Object.fromEntries(DEMO_VARIABLES.map((slug) => [slug, make(slug)])) as Record<DemoVariable, T>;
}
