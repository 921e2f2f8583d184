import { assertShapes } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { checkOwner } from './key-store.js';

/** A location that the legacy endpoints can address by its id. */
export interface StoredLocation {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined for a public location. */
  readonly owner?: string;
}

/** Where a service looks up stored locations. */
export interface LocationStore {
  /** The location with an id, if it is public or belongs to `owner`; undefined otherwise. */
  find(id: string, owner: string): StoredLocation | undefined | Promise<StoredLocation | undefined>;
}

/** The stored locations of a service, as its operator manages them. */
export interface LocationRegister {
  /**
   * Adds a location; does nothing where the same location exists. Rejects with OptionError for an unusable id, coordinates or
   * owner, and where another location has the id.
   */
  add(location: StoredLocation): Promise<void>;
  /** Rejects with OptionError where it is unknown. */
  remove(id: string): Promise<void>;
  /** All locations, the oldest first. */
  list(): Promise<readonly StoredLocation[]>;
}

/** Whether two locations with the same id are the same. */
export function sameLocation(a: StoredLocation, b: StoredLocation): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude && a.owner === b.owner;
}

/** Throws OptionError for the first location that is not usable, or has the id of an earlier one. */
export function checkLocations(locations: readonly StoredLocation[]): void {
  assertShapes('locations', locations, {});
  const ids = new Set<string>();
  for (const location of locations) {
    checkLocation(location);
    const { id } = location;
    if (ids.has(id)) {
      throw new OptionError({ subject: `location ${id}`, problem: 'occurs twice', allowed: 'an id for each location' });
    }
    ids.add(id);
  }
}

/**
 * Throws OptionError unless a location has an id, coordinates in range (longitude from -180 to 180), and a usable owner
 * or none.
 */
function checkLocation({ id, latitude, longitude, owner }: StoredLocation): void {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    const allowed = '1 to 64 of A-Z a-z 0-9 _ -';
    throw new OptionError({ subject: 'location', problem: 'has an unusable id', received: id, allowed });
  }
  checkDegrees(`location ${id}`, 'latitude', latitude, 90);
  checkDegrees(`location ${id}`, 'longitude', longitude, 180);
  if (owner !== undefined) checkOwner(`location ${id}`, owner);
}

function checkDegrees(subject: string, name: string, received: unknown, max: number): void {
  if (typeof received === 'number' && Math.abs(received) <= max) return;
  const allowed = `a number from ${-max} to ${max}`;
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

/**
 * A store of the given locations. Throws OptionError for unusable ids, coordinates and owners, and for ids that occur
 * twice.
 */
export function memoryLocations(locations: readonly StoredLocation[]): LocationStore {
  checkLocations(locations);
  return new LocationTable(locations);
}
