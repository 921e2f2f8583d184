import { assertShapes } from '../../check/assert-shape.js';
import { OptionError } from '../../errors.js';
import { checkOwner } from './check-owner.js';
import type { StoredLocation } from './locations.js';

/** Throws OptionError for the first location that is not usable, or has the id of one before it. */
export function checkLocations(locations: readonly StoredLocation[]): void {
  assertShapes('locations', locations, {});
  const ids = new Set<string>();
  for (const location of locations) {
    checkLocation(location);
    const { id } = location;
    if (ids.has(id)) {
      throw new OptionError({ subject: `location ${id}`, problem: 'comes twice', allowed: 'an id for each location' });
    }
    ids.add(id);
  }
}

/** Throws OptionError unless a location has an id, coordinates in range (longitude from -180 to 180), and an owner or none. */
function checkLocation({ id, latitude, longitude, owner }: StoredLocation): void {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    const allowed = '1 to 64 of A-Z a-z 0-9 _ -';
    throw new OptionError({ subject: 'location', problem: 'has an unusable id', received: id, allowed });
  }
  checkDegrees(`location ${id}`, 'latitude', latitude, 90);
  checkDegrees(`location ${id}`, 'longitude', longitude, 180);
  if (owner !== undefined) checkOwner(`location ${id}`, owner);
}

function checkDegrees(subject: string, name: string, received: unknown, most: number): void {
  if (typeof received === 'number' && Math.abs(received) <= most) return;
  const allowed = `a number from ${-most} to ${most}`;
  throw new OptionError({ subject, problem: `${name} is out of range`, received, allowed });
}
