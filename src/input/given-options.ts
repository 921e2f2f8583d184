import type { InspectRequest } from './inspect-request.js';

/** The options that a request was made with, as a command line has them. */
export function givenOptions({ options, columns = {} }: InspectRequest): string[] {
  const { units, stamps, accumulation, calendar, init } = options;
  const roles = Object.entries(columns).map(([role, name]) => `${role}=${name}`);
  const given = {
    units,
    stamps,
    accumulation,
    calendar,
    init,
    columns: roles.length > 0 ? roles.join(',') : undefined,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}
