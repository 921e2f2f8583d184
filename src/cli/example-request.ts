import { cellLocation } from '../service/answers/covered-place.js';
import type { Dataset } from '../service/source/dataset.js';
import type { Snapshot } from '../service/source/source.js';

/** The path and query of a request that a source can answer; undefined where it has no data. */
export function exampleRequest({ forecast, history }: Snapshot): string | undefined {
  if (forecast !== undefined) return `/v2/forecast/statistics?${queryOf(forecast.timeline)}&granularity=weekly`;
  if (history !== undefined) return `/v2/history?${queryOf(history.data)}&granularity=monthly`;
  return undefined;
}

/** A place amid the data and a variable that they have, rain where they do. */
function queryOf({ places, variables }: Dataset): string {
  const { latitude, longitude } = cellLocation(places, places.latitude.length >> 1);
  const slug = variables.has('precipitation') ? 'precipitation' : [...variables.keys()][0];
  return `lat=${latitude}&lon=${longitude}&var=${slug}`;
}
