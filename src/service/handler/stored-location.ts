import type { LocationStore, StoredLocation } from '../access/locations.js';
import { ProblemError } from './problem-error.js';
import type { SourceErrorLog } from './source-fault.js';

/**
 * The stored location that a segment of a path names. Throws ProblemError (404), always the same, where the segment is no id, and where
 * there is no location of that id for `owner`.
 */
export async function storedLocation(
  segment: string,
  owner: string,
  locations: LocationStore | undefined,
  watch: SourceErrorLog,
): Promise<StoredLocation> {
  const id = locationId(segment);
  const location =
    id === undefined || locations === undefined
      ? undefined
      : await watch.store('locations', () => locations.find(id, owner));
  if (location !== undefined) return location;
  throw new ProblemError(404, 'location-not-found', 'There is no stored location of this id.');
}

function locationId(segment: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
}
