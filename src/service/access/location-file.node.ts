import { assertKind, assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import type { OnFault } from '../fault-report.js';
import { type ListKind, readList, rewriteList, watchList } from './list-file.node.js';
import {
  checkLocations,
  type LocationRegister,
  type LocationStore,
  LocationTable,
  type StoredLocation,
  sameLocation,
} from './locations.js';

const LOCATIONS: ListKind<StoredLocation> = { name: 'locations', mode: 0o644, check: checkLocations };

/**
 * The locations of a store folder, in its file `locations.json`; none where there is no file. Locations that are added
 * or removed while the store is open take effect within a second. `onFault` is called when the file becomes unusable;
 * the locations read before stay. Throws FileError, and FormatError where the file is broken.
 */
export async function openLocations(dir: string, options: { onFault?: OnFault } = {}): Promise<LocationStore> {
  assertKind('dir', dir, 'text');
  assertShape('options', options, { onFault: 'function?' });
  const list = await watchList(dir, LOCATIONS, (locations) => new LocationTable(locations), options.onFault);
  return {
    find(id, owner) {
      const table = list.current();
      return table instanceof LocationTable ? table.find(id, owner) : table.then((fresh) => fresh.find(id, owner));
    },
  };
}

/**
 * Adds a location; does nothing where the same location exists. Throws OptionError for an unusable id, coordinates or
 * owner, and where another location has the id; FileError and FormatError as `openLocations`, and where the file cannot
 * be written.
 */
export async function addLocation(dir: string, location: StoredLocation): Promise<void> {
  assertKind('dir', dir, 'text');
  assertKind('location', location, 'object');
  const { id, latitude, longitude, owner } = location;
  const added = { id, latitude, longitude, owner };
  await rewriteList(dir, LOCATIONS, (locations) => {
    checkLocations([added]);
    const existing = locations.find((other) => other.id === id);
    if (existing === undefined) return [...locations, added];
    if (sameLocation(existing, added)) return locations;
    const problem = 'there is another location with this id';
    throw new OptionError({ subject: `location ${id}`, problem, allowed: 'another id, or to remove that one first' });
  });
}

/** Removes a location. Throws OptionError where it is unknown, and FileError and FormatError as `addLocation`. */
export async function removeLocation(dir: string, id: string): Promise<void> {
  assertKind('dir', dir, 'text');
  await rewriteList(dir, LOCATIONS, (locations) => {
    const others = locations.filter((location) => location.id !== id);
    if (others.length < locations.length) return others;
    const allowed = 'the id of a stored location';
    throw new OptionError({ subject: 'location', problem: 'unknown', received: id, allowed });
  });
}

/** The locations of a store folder, oldest first. Throws FileError and FormatError as `openLocations`. */
export async function listLocations(dir: string): Promise<readonly StoredLocation[]> {
  assertKind('dir', dir, 'text');
  return readList(dir, LOCATIONS);
}

/** The locations in the file `locations.json` of a store folder. */
export function fileLocations(dir: string): LocationRegister {
  return {
    add: (location) => addLocation(dir, location),
    remove: (id) => removeLocation(dir, id),
    list: () => listLocations(dir),
  };
}
