import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Table } from 'apache-arrow';
import { assertKind, assertOneOf, assertShape, isIterable } from '../../../check/option-checks.js';
import { type FileLock, lockFolder } from '../../../disk/file-lock.node.js';
import { makeFolder } from '../../../disk/make-folder.node.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { isPlumecastError, OptionError, unusable } from '../../../errors.js';
import { encodeTable } from '../../../files/encode-tables.js';
import { checkGranularity, type Granularity } from '../../../period/period.js';
import { assertTable } from '../../../table/arrow/own-table.js';
import { HORIZONS } from '../../../variable/availability.js';
import type { Dataset } from '../dataset.js';
import { checkForecastHeader, checkPlaces, checkSeries, checkSlug } from './check-series.js';
import { coordinateTable, findCoordinates, readElevations } from './coordinate-table.js';
import { describeManifest, type StoreDescription } from './describe-store.node.js';
import {
  type ClimatologySubject,
  emptyManifest,
  type ForecastHeader,
  isUpdateId,
  listFiles,
  MANIFEST_FILE,
  type Manifest,
  newUpdateId,
  UPDATES_FOLDER,
} from './manifest.js';
import { readManifest, replaceManifest, syncFolder } from './manifest-file.node.js';
import { placesDigest } from './places-digest.node.js';
import { QuarterDegreePoints } from './quarter-degree-points.js';
import { readTableFile } from './read-table-file.node.js';
import { StoreDraft } from './store-draft.js';
import { StoreFiles } from './store-files.node.js';
import { STORE_PARTS, type StorePart } from './store-part.js';
import { type Series, writeSeries, writeSmallFile } from './write-series.node.js';

/** Places with their elevations in metres above sea level; NaN where unknown. */
export interface Elevations extends Places {
  readonly metres: Float32Array;
}

/** The folder of a store while it is updated. */
interface HeldFolder {
  readonly lock: FileLock;
  /** The first folder that was created for it; undefined where it existed. */
  readonly made: string | undefined;
}

/**
 * An update of a store, which `beginUpdate` returns: readers see nothing of it until `commit`, and then all at once.
 * Writing rejects with FileError where the disk is full or permissions are missing, and with OptionError for wrong
 * arguments and after the end of the update.
 */
export class StoreUpdate {
  readonly #dir: string;
  /** The folder of this update's files, below the store's. */
  readonly #folder: string;
  readonly #before: Manifest;
  readonly #draft: StoreDraft;
  readonly #held: HeldFolder;
  readonly #preloaded = new QuarterDegreePoints();
  /** What the store holds, opened where it is compared with what would replace it. */
  readonly #files: StoreFiles;
  #committing?: Promise<void>;
  #isOver = false;

  /** For `beginUpdate`, which takes the lock; `id` names the update. */
  constructor(dir: string, id: string, before: Manifest, held: HeldFolder) {
    this.#dir = dir;
    this.#folder = `${UPDATES_FOLDER}/${id}`;
    this.#before = before;
    this.#draft = new StoreDraft(before, id);
    this.#held = held;
    this.#files = new StoreFiles(dir, 'direct');
  }

  /** The folder of its files, to remove if the process is stopped before `commit`. */
  get folder(): string {
    return join(this.#dir, this.#folder);
  }

  /** What the store would hold if the update ended now: its content before, with what was written. */
  get stored(): StoreDescription {
    return describeManifest(this.#draft.present());
  }

  /** The values of a part that `stored` has, until the end of the update. Rejects with FileError or FormatError. */
  async storedPart(part: StorePart): Promise<Dataset | undefined> {
    const entry = this.#draft.present().parts.get(part);
    return entry && this.#files.dataset(entry);
  }

  /** A climatology that `stored` has. Rejects with FileError or FormatError. */
  async storedClimatology(of: ClimatologySubject, granularity: Granularity, slug: string): Promise<Table | undefined> {
    const entry = this.#draft
      .present()
      .climatologies.find((each) => each.of === of && each.granularity === granularity && each.slug === slug);
    return entry && this.#files.climatology(entry.file);
  }

  /** The elevations that `stored` has. Rejects with FileError or FormatError. */
  async storedElevation(): Promise<Elevations | undefined> {
    const { elevation } = this.#draft.present();
    if (elevation === undefined) return undefined;
    const path = join(this.#dir, elevation);
    const table = await readTableFile(path);
    return { ...findCoordinates(table, path), metres: readElevations(table, path) };
  }

  /** Begins a new forecast: no part of the present one is kept. */
  setForecast(header: ForecastHeader): void {
    this.#assertNotOver();
    assertKind('header', header, 'object');
    checkForecastHeader(header);
    this.#draft.setForecast(header);
  }

  /**
   * Writes one variable of a part as its blocks come. All variables of a part have the same places. The other variables
   * of a history are kept; a forecast is replaced completely. Rejects also with DataError where the blocks do not fit
   * the places, and with whatever the blocks' iterator throws.
   */
  async write(part: StorePart, series: Series): Promise<void> {
    this.#assertNotOver();
    assertOneOf('part', part, STORE_PARTS);
    assertShape('series', series, { axis: 'object', places: 'object' });
    assertBlocks(series.blocks);
    checkSeries(part, series);
    const { slug, units, axis, places } = series;
    checkPlaces(slug, places);
    const entry = { count: places.latitude.length, digest: placesDigest(places) };
    this.#draft.check(part, slug, entry);
    const file = `${this.#folder}/${part}/${slug}.arrow`;
    await writeSeries(join(this.#dir, file), series);
    this.#draft.add(part, slug, entry, { file, units, axis });
  }

  /** Replaces the elevations. */
  async setElevation(elevations: Elevations): Promise<void> {
    this.#assertNotOver();
    assertShape('elevation', elevations, { metres: 'singles' });
    const { latitude, longitude, metres } = elevations;
    checkPlaces('elevation', { latitude, longitude });
    if (metres.length !== latitude.length) {
      const allowed = `${latitude.length}, one a place`;
      throw new OptionError({ subject: 'elevation', problem: 'has another length', received: metres.length, allowed });
    }
    const elevation = await this.#writeTable('elevation', coordinateTable({ latitude, longitude }, metres));
    this.#draft.set({ elevation });
  }

  /** Replaces or adds the climatology of one variable and granularity: a table as `climatologyTable` makes it. */
  async setClimatology(of: ClimatologySubject, granularity: Granularity, slug: string, table: Table): Promise<void> {
    this.#assertNotOver();
    assertOneOf('climatology', of, ['observations', ...HORIZONS]);
    checkGranularity(granularity);
    checkSlug(slug);
    assertTable(table);
    const file = await this.#writeTable(`climatology-${of}-${granularity}-${slug}`, table);
    this.#draft.setClimatology({ of, granularity, slug, file });
  }

  /** Adds the 0.25 degree grid points nearest to places to the points whose legacy history is pre-loaded. */
  addPreloaded(places: Places): void {
    this.#assertNotOver();
    checkPlaces('pre-loaded', places);
    this.#preloaded.add(places);
  }

  /** Replaces the text about whom to credit for the data. */
  setAttribution(attribution: string): void {
    this.#assertNotOver();
    assertKind('attribution', attribution, 'any text');
    this.#draft.set({ attribution });
  }

  /**
   * Makes all that was written part of the store, and removes files that belong neither to this run nor to the one
   * before. Rejects with OptionError where a forecast has no timeline or the variables of a history have different
   * places, and with FileError; then the store is unchanged.
   */
  async commit(): Promise<void> {
    this.#assertNotOver();
    this.#committing = this.#commit();
    await this.#committing;
  }

  /** Removes all that was written: the store stays as it was. Does nothing after the end of the update. */
  async abandon(): Promise<void> {
    // A commit under way may have replaced the manifest already.
    await this.#committing?.catch(() => undefined);
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#files.close();
    // The next update removes what cannot be removed now.
    await rm(join(this.#dir, this.#folder), { recursive: true, force: true }).catch(() => undefined);
    await this.#held.lock.release();
    await removeMade(this.#dir, this.#held.made);
  }

  async #commit(): Promise<void> {
    await this.#writePreloaded();
    const manifest = this.#draft.createManifest();
    await this.#syncFolders(manifest);
    await this.#files.close();
    await this.#held.lock.assertHeld();
    await replaceManifest(this.#dir, manifest, join(this.#dir, this.#folder, MANIFEST_FILE));
    this.#isOver = true;
    await removeUnnamed(this.#dir, manifest);
    await this.#held.lock.release();
  }

  async #writePreloaded(): Promise<void> {
    if (this.#preloaded.size === 0) return;
    const { preloaded } = this.#before;
    if (preloaded !== undefined) {
      const path = join(this.#dir, preloaded.file);
      this.#preloaded.add(findCoordinates(await readTableFile(path), path));
    }
    const file = await this.#writeTable('preloaded', coordinateTable(this.#preloaded.places()));
    this.#draft.set({ preloaded: { file, count: this.#preloaded.size } });
  }

  async #writeTable(name: string, table: Table): Promise<string> {
    const file = `${this.#folder}/${name}.arrow`;
    await writeSmallFile(join(this.#dir, file), await encodeTable(table, 'arrow'));
    return file;
  }

  async #syncFolders({ parts }: Manifest): Promise<void> {
    const folder = join(this.#dir, this.#folder);
    const ofParts = [...parts.keys()].map((part) => join(folder, part));
    for (const path of [...ofParts, folder, dirname(folder)]) await syncFolder(path);
  }

  #assertNotOver(): void {
    if (!this.#isOver) return;
    throw new OptionError({ subject: 'update', problem: 'is over', allowed: 'to begin another one' });
  }
}

function assertBlocks(blocks: unknown): void {
  if (!isIterable(blocks)) throw unusable('series.blocks', blocks, 'an iterable of Float32Arrays');
}

/**
 * Removes files of updates that neither the store's manifest nor the one before names: those of older runs, and of
 * interrupted updates. Files that cannot be removed stay until the next time; files that are not from an update are not
 * touched.
 */
async function removeUnnamed(dir: string, manifest: Manifest): Promise<void> {
  const named = new Set([...listFiles(manifest), ...manifest.previousFiles]);
  for (const { name } of await entriesOf(dir, UPDATES_FOLDER)) {
    if (isUpdateId(name)) await removeFrom(dir, `${UPDATES_FOLDER}/${name}`, named);
  }
}

/**
 * Removes the folder of an abandoned new store, and those above it up to `made`, the first that was created for it;
 * none that is in use.
 */
async function removeMade(dir: string, made: string | undefined): Promise<void> {
  if (made === undefined) return;
  const first = resolve(made);
  try {
    await rmdir(join(dir, UPDATES_FOLDER)).catch(() => undefined);
    // This removes only empty folders.
    for (let path = resolve(dir); path.startsWith(first); path = dirname(path)) await rmdir(path);
  } catch {}
}

async function removeFrom(dir: string, folder: string, named: ReadonlySet<string>): Promise<void> {
  for (const entry of await entriesOf(dir, folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await removeFrom(dir, path, named);
    else if (!named.has(path)) await rm(join(dir, path), { force: true }).catch(() => undefined);
  }
  // This removes only empty folders.
  await rmdir(join(dir, folder)).catch(() => undefined);
}

function entriesOf(dir: string, folder: string) {
  return readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
}

/**
 * Begins an update of the store in a folder, or of a new store where there is none. Removes what an interrupted update
 * has left. Rejects with FileError where the folder cannot be written to, or another update is under way; FormatError
 * where the store's manifest is wrong.
 */
export async function beginUpdate(dir: string): Promise<StoreUpdate> {
  assertKind('dir', dir, 'text');
  const made = await makeFolder(dir);
  const lock = await lockFolder(dir, 'is being updated by');
  try {
    const before = await manifestOrNew(dir);
    await removeUnnamed(dir, before);
    return new StoreUpdate(dir, newUpdateId(), before, { lock, made });
  } catch (error) {
    await lock.release();
    await removeMade(dir, made);
    throw error;
  }
}

async function manifestOrNew(dir: string): Promise<Manifest> {
  try {
    return await readManifest(dir);
  } catch (error) {
    const isAbsent = isPlumecastError(error, 'file') && (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isAbsent) throw error;
    return emptyManifest();
  }
}
