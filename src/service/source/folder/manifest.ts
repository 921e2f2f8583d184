import type { PairingRecord } from '../../../blend/pairing/pairing-record.js';
import type { Granularity } from '../../../period/period.js';
import type { HorizonName } from '../../../variable/availability.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';
import type { Axis } from '../dataset.js';
import type { Shortfall } from '../source.js';
import type { StorePart } from './store-part.js';

/*
 * The contents of one generation of a store. Objects are named by their paths below the store's folder, with slashes; each
 * is written once, in the folder of the update that wrote it, and never changed.
 *
 *   store.json                                    the root: which generations there are, and which is the present one
 *   generations/<update>.json                     the contents of a generation: objects that none names are not part of the store
 *   updates/<update>/<part>/<variable>.blocks     values of one variable
 *   updates/<update>/places-<digest>.arrow, elevation.arrow, preloaded.arrow, climatology-<of>-<granularity>-<variable>.arrow
 *   updates/<update>/update.lock                  there while a process writes to the folder
 *   update.lock                                   there while a process replaces the root
 *
 * In stores of version 1 the root is the contents of the only generation, and values are in Arrow files.
 */

/** The version of roots and generations that are written, and the newest that is read. */
export const MANIFEST_VERSION = 2;

/** The folder of the contents of generations. */
export const GENERATIONS_FOLDER = 'generations';

/** What a run of a horizon has. */
export interface RunExtent {
  readonly members: number;
  readonly days: number;
  readonly variables: readonly string[];
}

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
  /** What the last complete run of each horizon had: others are compared with it. */
  readonly complete?: Readonly<Partial<Record<HorizonName, RunExtent>>>;
  /** What the runs of horizons lack. */
  readonly shortfalls?: readonly Shortfall[];
}

/** The values of consecutive days of a variable, in one object. */
export interface SegmentEntry extends ObjectEntry {
  /** Stores of version 1 have Arrow files. */
  readonly format: 'blocks' | 'arrow';
  readonly firstDay: number;
  readonly days: number;
  /** The quantum that values were rounded to, in their units; undefined where every bit was kept. */
  readonly precision?: number;
}

/** One variable of a part. */
export interface SeriesEntry {
  readonly units: string;
  readonly axis: Axis;
  /** One with all days; of a history several, where the values of a later one replace earlier ones. */
  readonly segments: readonly SegmentEntry[];
}

/** How many places a part has, a digest of their coordinates, and the object with them. */
export interface PlacesEntry {
  readonly count: number;
  readonly digest: string;
  /** Undefined where they are in the files of values, as in stores of version 1. */
  readonly object?: ObjectEntry;
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

/** One climatology. */
export interface ClimatologyEntry extends ObjectEntry {
  readonly of: ClimatologySubject;
  readonly granularity: Granularity;
  readonly slug: string;
}

/** A run of a horizon as it was issued, which is kept. */
export interface IssuedEntry extends PartEntry {
  readonly horizon: HorizonName;
  readonly initTime: string;
}

/** How good the issued forecasts were at one lead, at all places together. */
export interface RecordedLead {
  /** The first of the leads that are together: days, weeks or months. */
  readonly lead: number;
  readonly cases: number;
  /** Skill against the climatology: undefined where nothing can be compared. */
  readonly crpsSkill?: number;
  readonly rpsSkill?: number;
}

/** The record of the issued runs of a horizon: of one variable and granularity. */
export interface RecordedSeries {
  readonly horizon: HorizonName;
  readonly granularity: Granularity;
  readonly slug: string;
  readonly places: PlacesEntry;
  /** Sums by place and lead: see `record-sums.ts`. */
  readonly values: SeriesEntry;
  /** The state of the verification of all places together, which also says what was scored: JSON, compressed by gzip. */
  readonly state: ObjectEntry;
  readonly leads: readonly RecordedLead[];
}

/** How good the issued forecasts of a store were. */
export interface StoreRecord {
  /** The update that last wrote to it. */
  readonly revision: string;
  /** When that was, as ISO 8601. */
  readonly updated: string;
  readonly series: readonly RecordedSeries[];
}

/** All contents of a generation of a store. */
export interface Manifest {
  /** Its name, which answers state; undefined of a store without anything. */
  readonly generation?: string;
  readonly forecast?: ForecastHeader;
  readonly parts: ReadonlyMap<StorePart, PartEntry>;
  readonly climatologies: readonly ClimatologyEntry[];
  /** The elevations of places. */
  readonly elevation?: ObjectEntry;
  readonly preloaded?: ObjectEntry & { readonly count: number };
  readonly attribution?: string;
  /** The update that last changed the elevations or the climatologies. */
  readonly revision?: string;
  /** Runs that are kept as they were issued, the oldest first. */
  readonly issued: readonly IssuedEntry[];
  /** Undefined where nothing was scored. */
  readonly record?: StoreRecord;
}

/** A store without anything. */
export function emptyManifest(): Manifest {
  return { parts: new Map(), climatologies: [], issued: [] };
}

/** Lists every object of a generation, each once. */
export function listObjects({ parts, issued, record, climatologies, elevation, preloaded }: Manifest): ObjectEntry[] {
  const objects = new Map<string, ObjectEntry>();
  const add = (object: ObjectEntry | undefined) => object && objects.set(object.file, object);
  for (const { places, variables } of [...parts.values(), ...issued]) {
    add(places.object);
    for (const { segments } of variables.values()) for (const segment of segments) add(segment);
  }
  for (const { places, values, state } of record?.series ?? []) {
    for (const object of [places.object, ...values.segments, state]) add(object);
  }
  for (const climatology of climatologies) add(climatology);
  add(elevation);
  add(preloaded);
  return [...objects.values()];
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
