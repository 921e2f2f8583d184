import { checkLocations } from './check-locations.js';
import type { LocationStore, StoredLocation } from './locations.js';

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
