import type { PairingRecord } from '../../../blend/pairing/pairing-record.js';
import type { Granularity } from '../../../period/period.js';
import type { HorizonName } from '../../../variable/availability.js';
import type { Axis } from '../dataset.js';
import type { StorePart } from './store-part.js';

/*
 * The contents of a store, as its manifest states them. Files are named by their paths below the store's folder, with
 * slashes; each is written once, in the folder of the update that wrote it, and never changed.
 *
 *   store.json                                      the manifest: files that it does not name are not part of the store
 *   update.lock                                     there while an update is under way
 *   updates/<update>/<part>/<variable>.arrow           the values of one variable
 *   updates/<update>/elevation.arrow, preloaded.arrow, climatology-<of>-<granularity>-<variable>.arrow
 */

/** The version of the manifest that is written, and the newest that is read. */
export const MANIFEST_VERSION = 1;

/** The name of the manifest in the store's folder. */
export const MANIFEST_FILE = 'store.json';

/** The folder, in the store's folder, with all other files: those of each update in a folder of their own. */
export const UPDATES_FOLDER = 'updates';

/** What describes a forecast. Times are ISO 8601 in UTC, ending in Z. */
export interface ForecastHeader {
  readonly initTime: string;
  readonly version: string;
  /** Unique to this forecast. */
  readonly generation: string;
  readonly nextInitTime?: string;
  /** When the run of each horizon was issued. */
  readonly horizonInitTimes: Readonly<Partial<Record<HorizonName, string>>>;
  /** How the members of its horizons were paired; older stores do not have it. */
  readonly pairing?: PairingRecord;
}

/** The file of one variable of a part. */
export interface SeriesEntry {
  readonly file: string;
  readonly units: string;
  readonly axis: Axis;
}

/** How many places a part has, and a digest of their coordinates. */
export interface PlacesEntry {
  readonly count: number;
  readonly digest: string;
}

/** One part of a store. */
export interface PartEntry {
  /** The update that last wrote to it. */
  readonly revision: string;
  readonly places: PlacesEntry;
  readonly variables: ReadonlyMap<string, SeriesEntry>;
}

/** The subject of a climatology: the observations, or a horizon's model. */
export type ClimatologySubject = 'observations' | HorizonName;

/** The file of one climatology. */
export interface ClimatologyEntry {
  readonly of: ClimatologySubject;
  readonly granularity: Granularity;
  readonly slug: string;
  readonly file: string;
}

/** All contents of a store. */
export interface Manifest {
  readonly forecast?: ForecastHeader;
  readonly parts: ReadonlyMap<StorePart, PartEntry>;
  readonly climatologies: readonly ClimatologyEntry[];
  /** The file with the elevations of places. */
  readonly elevation?: string;
  readonly preloaded?: { readonly file: string; readonly count: number };
  readonly attribution?: string;
  /** The update that last changed the elevations or the climatologies. */
  readonly revision?: string;
  /** The files of the manifest before this one, which its readers may still open. */
  readonly previousFiles: readonly string[];
}

/** A store without anything. */
export function emptyManifest(): Manifest {
  return { parts: new Map(), climatologies: [], previousFiles: [] };
}

/** Lists every file of a manifest. */
export function listFiles({ parts, climatologies, elevation, preloaded }: Manifest): string[] {
  const series = [...parts.values()].flatMap(({ variables }) => [...variables.values()]);
  const files = [...series, ...climatologies].map(({ file }) => file);
  if (elevation !== undefined) files.push(elevation);
  if (preloaded !== undefined) files.push(preloaded.file);
  return files;
}

/** Creates the id of an update: the time, for people who look into the folder, and a random part. */
export function newUpdateId(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Whether a name is one that `newUpdateId` makes. */
export function isUpdateId(name: string): boolean {
  return /^\d{8}T\d{6}-[0-9a-f]{8}$/.test(name);
}
