import type { Endpoint } from './endpoints.js';
import type { RejectUnknown } from './parameters/read-parameters.js';

/** What a legacy endpoint would not heed although it changes what is asked for. */
const CURRENT_ONLY = ['start_date', 'end_date', 'statistics', 'use_downscaling'];

/**
 * How a legacy endpoint treats parameters that it does not know: it ignores them, as existing integrations may send them, but for
 * those of the current endpoints, which it refuses with the endpoints that take them: of its own family where there are any.
 */
export function rejectCurrentOnly(legacy: Endpoint, endpoints: readonly Endpoint[]): RejectUnknown {
  const reasons = new Map(CURRENT_ONLY.map((name) => [name, `is not for legacy endpoints; ${takers(name)} takes it`]));
  return (name, known) => {
    const detail = reasons.get(name);
    return detail === undefined ? undefined : { detail, allowed: known.join(', ') };
  };

  function takers(name: string): string {
    const all = endpoints.filter(
      ({ generation, parameters }) =>
        generation === 'current' && parameters.some((parameter) => parameter.name === name),
    );
    const akin = all.filter(({ family }) => family === legacy.family);
    return (akin.length > 0 ? akin : all).map(({ path }) => path).join(' or ');
  }
}
