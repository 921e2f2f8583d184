import { assertShapes } from '../../check/assert-shape.js';
import { OptionError } from '../../errors.js';
import { checkOwner } from './check-owner.js';

/** A location that the legacy endpoints can address by its id. */
export interface StoredLocation {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Whose it is; undefined where it is everybody's. */
  readonly owner?: string;
}

/** Where a service looks up stored locations. */
export interface LocationStore {
  /** The location of an id, if it is public or `owner`'s; undefined where it is unknown or another's. */
  find(id: string, owner: string): StoredLocation | undefined | Promise<StoredLocation | undefined>;
}

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

/** Finds locations by id. */
export class LocationTable implements LocationStore {
  readonly #byId: ReadonlyMap<string, StoredLocation>;

  constructor(locations: readonly StoredLocation[]) {
    this.#byId = new Map(locations.map((location) => [location.id, location]));
  }

  find(id: string, owner: string): StoredLocation | undefined {
    const location = this.#byId.get(id);
    return location?.owner === undefined || location.owner === owner ? location : undefined;
  }
}

/** A store of locations that are given. Throws OptionError for ids, coordinates and owners that are unusable, and ids that come twice. */
export function memoryLocations(locations: readonly StoredLocation[]): LocationStore {
  checkLocations(locations);
  return new LocationTable(locations);
}
