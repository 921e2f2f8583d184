import type { InspectRequest } from './inspect-request.js';

/** The options that a request was made with, as a command line has them. */
export function givenOptions({ options, columns = {} }: InspectRequest): string[] {
  const { units, stamps, accumulation, init, coordinates = {} } = options;
  const listed = (names: object) =>
    Object.entries(names)
      .map(([role, name]) => `${role}=${name}`)
      .join(',') || undefined;
  const given = { units, stamps, accumulation, init, coordinates: listed(coordinates), columns: listed(columns) };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}
