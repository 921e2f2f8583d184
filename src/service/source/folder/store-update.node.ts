import { rm } from 'node:fs/promises';
import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys, assertOneOf, assertShape } from '../../../check/option-checks.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { FileError, OptionError } from '../../../errors.js';
import { checkGranularity, type Granularity } from '../../../period/period.js';
import { assertTable } from '../../../table/arrow/own-table.js';
import { HORIZONS, type HorizonName } from '../../../variable/availability.js';
import { type StoreKeeper, UPDATES_FOLDER, type UpdateClaim } from '../../store/store-keeper.js';
import type { ObjectEntry, Series } from '../../store/write-blocks.node.js';
import type { Axis, Dataset } from '../dataset.js';
import { checkForecastHeader, checkPlaces, checkSlug } from './check-series.js';
import { coordinateTable, type Elevations, findCoordinates } from './coordinate-table.js';
import { describeManifest, type StoreDescription } from './describe-store.node.js';
import { findState, publish, removeUnnamed } from './generations.node.js';
import {
  type ClimatologySubject,
  emptyManifest,
  type ForecastHeader,
  type Manifest,
  type PartEntry,
} from './manifest.js';
import { QuarterDegreePoints } from './quarter-degree-points.js';
import { readElevationObject, readTableObject } from './read-table-object.node.js';
import { SeriesUpdate } from './series-update.node.js';
import { removeWork, type StoppedWork, type TakesFinished } from './stopped-work.node.js';
import { type StoreChange, storeChanges } from './store-changes.js';
import { StoreDraft } from './store-draft.js';
import { StoreFiles } from './store-files.node.js';
import { FORECAST_PARTS, type ForecastPart, type HistoryPart, type StorePart } from './store-part.js';
import { RecordUpdate } from './store-record.node.js';
import { freeName } from './store-root.js';
import type { UpdateHandover, WrittenSeries } from './thread-update.node.js';
import { UpdateObjects } from './update-objects.node.js';

/** The folder of a store while it is updated. */
interface HeldFolder {
  readonly claim: UpdateClaim;
  /** Removes what was made for a new store, where it is empty. */
  readonly undo: () => Promise<void>;
  /** The folder of the objects of an update that is only tried. */
  readonly elsewhere?: string;
  /** What updates have finished that were stopped. */
  readonly stopped?: StoppedWork;
}

/** So often an update is moved onto what others have published meanwhile. */
const MAX_ATTEMPTS = 20;

/**
 * An update of a store, which `beginUpdate` returns: readers see nothing of it until `commit`, and then all at once, as a
 * new generation. Several updates may be under way at once: each is published on what the others have published, unless
 * they changed the same. Writing rejects with FileError where the disk is full or permissions are missing, and with
 * OptionError for wrong arguments and after the end of the update.
 */
export class StoreUpdate {
  readonly #access: StoreKeeper;
  readonly #id: string;
  /** The folder of this update's objects, below the store's. */
  readonly #folder: string;
  readonly #before: Manifest;
  readonly #draft: StoreDraft;
  readonly #held: HeldFolder;
  readonly #preloaded = new QuarterDegreePoints();
  readonly #objects: UpdateObjects;
  /** What the store holds, opened where it is read. */
  readonly #files: StoreFiles;
  readonly #record: RecordUpdate;
  readonly #series: SeriesUpdate;
  #committing?: Promise<void>;
  #isOver = false;
  #isOutdated = false;

  /** For `beginUpdate`, which claims the folder; `id` names the update. */
  constructor(access: StoreKeeper, id: string, before: Manifest, held: HeldFolder) {
    this.#access = access;
    this.#id = id;
    this.#folder = `${UPDATES_FOLDER}/${id}`;
    this.#before = before;
    this.#draft = new StoreDraft(before, id);
    this.#held = held;
    this.#files = new StoreFiles(access);
    this.#objects = new UpdateObjects(access, this.#folder, held.stopped);
    this.#record = new RecordUpdate(access, this.#draft, this.#files, this.#objects);
    this.#series = new SeriesUpdate(id, this.#draft, this.#objects, this.#files);
  }

  /** The folder of its files, to remove if the process is stopped before `commit`; undefined where the store is in no folder. */
  get folder(): string | undefined {
    return this.#held.elsewhere ?? this.#access.pathOf(this.#folder);
  }

  /** Whether it could not be published, as another update has changed the same: it has to be made again. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** Whether another update has been published since this one began. */
  async isBehind(): Promise<boolean> {
    const state = await findState(this.#access).catch(() => undefined);
    return state?.manifest.generation !== this.#before.generation;
  }

  /** What the store held when the update began. */
  get before(): StoreDescription {
    return describeManifest(this.#before);
  }

  /** What the store would hold if the update ended now: its content before, with what was written. */
  get stored(): StoreDescription {
    return describeManifest(this.#draft.present());
  }

  /** Whether anything was changed so far. */
  get hasChanges(): boolean {
    return !this.#draft.isEmpty || this.#preloaded.size > 0;
  }

  /** What would change in the store if the update ended now. */
  get changes(): readonly StoreChange[] {
    return storeChanges(this.#before, this.#draft.present());
  }

  /** The values of a part that `stored` has, until the end of the update. Rejects with FileError or FormatError. */
  async storedPart(part: StorePart): Promise<Dataset | undefined> {
    const entry = this.#draft.present().parts.get(part);
    return entry && this.#files.dataset(entry);
  }

  /** The values of a part before this update, until its end. Rejects with FileError or FormatError. */
  async storedBefore(part: StorePart): Promise<Dataset | undefined> {
    const entry = this.#before.parts.get(part);
    return entry && this.#files.dataset(entry);
  }

  /** A climatology that `stored` has. Rejects with FileError or FormatError. */
  async storedClimatology(of: ClimatologySubject, granularity: Granularity, slug: string): Promise<Table | undefined> {
    const entry = this.#draft
      .present()
      .climatologies.find((each) => each.of === of && each.granularity === granularity && each.slug === slug);
    return entry && this.#files.climatology(entry);
  }

  /** The elevations that `stored` has. Rejects with FileError or FormatError. */
  async storedElevation(): Promise<Elevations | undefined> {
    const { elevation } = this.#draft.present();
    return elevation && readElevationObject(this.#access, elevation);
  }

  /** The record of how good issued forecasts were. @internal */
  get record(): RecordUpdate {
    this.#assertNotOver();
    return this.#record;
  }

  /** Begins a new forecast: no part of the present one stays, but for what `keep` says. */
  setForecast(header: ForecastHeader): void {
    this.#assertNotOver();
    assertKind('header', header, 'object');
    checkForecastHeader(header);
    this.#draft.setForecast(header);
  }

  /** Keeps a part of the forecast before, or some of its variables. */
  keep(part: ForecastPart, slugs?: readonly string[]): void {
    this.#assertNotOver();
    assertOneOf('part', part, FORECAST_PARTS);
    assertKind('slugs', slugs, 'texts?');
    this.#draft.keep(part, slugs);
  }

  /**
   * Writes one variable of a part as its blocks come. All variables of a part have the same places. The other variables
   * of a history are kept. Rejects also with DataError where the blocks do not fit the places, and with whatever the
   * blocks' iterator throws.
   */
  async write(part: StorePart, series: Series): Promise<void> {
    this.#assertNotOver();
    await this.#series.write(part, series);
  }

  /** What threads need to write files of this update. @internal */
  get handover(): UpdateHandover {
    this.#assertNotOver();
    return { id: this.#id, before: this.#before.parts };
  }

  /** What this update has of a part, for threads. @internal */
  entryOf(part: StorePart): PartEntry | undefined {
    return this.#draft.present().parts.get(part);
  }

  /** Gives threads what updates that were stopped have finished. @internal */
  get stopped(): TakesFinished | undefined {
    return this.#held.stopped;
  }

  /** Makes a file that a thread has written part of the update. Rejects as `write`. @internal */
  async adopt(written: WrittenSeries): Promise<void> {
    this.#assertNotOver();
    await this.#series.adopt(written);
  }

  /**
   * Makes a variable of a horizon one of a timeline, too, with the same file: for a timeline that is this horizon. Returns
   * false, and does nothing, where the file has no checksum, as in stores of version 1.
   */
  share(part: 'timeline' | 'fine-timeline', slug: string, axis: Axis, horizon: ForecastPart): boolean {
    this.#assertNotOver();
    return this.#series.share(part, slug, axis, horizon);
  }

  /**
   * Adds days to a variable of a history, whose other days stay; values of days that it has replace these, except where
   * they are missing. It has the places of the history. Rejects as `write`.
   */
  async append(part: HistoryPart, series: Series): Promise<void> {
    this.#assertNotOver();
    await this.#series.append(part, series);
  }

  /** Keeps a horizon that was written as its model issued it, at all places or at those nearest to some. */
  async keepIssued(horizon: HorizonName, at?: Places): Promise<void> {
    this.#assertNotOver();
    await this.#series.keepIssued(horizon, at);
  }

  /** Whether a variable is in a file of version 1, without checksums. */
  storedWithoutChecksum(part: StorePart, slug: string): boolean {
    const segments = this.#before.parts.get(part)?.variables.get(slug)?.segments ?? [];
    return segments.some(({ sha256 }) => sha256 === undefined);
  }

  /** Writes the tables of the store that have no checksums, as in version 1, once more. */
  async copyOldTables(): Promise<void> {
    this.#assertNotOver();
    const { climatologies, elevation, preloaded } = this.#before;
    const copyOf = async (name: string, object: ObjectEntry) =>
      this.#objects.table(name, await readTableObject(this.#access, object));
    for (const entry of climatologies.filter(({ sha256 }) => sha256 === undefined)) {
      const { of, granularity, slug } = entry;
      const object = await copyOf(`climatology-${of}-${granularity}-${slug}`, entry);
      this.#draft.setClimatology({ of, granularity, slug, ...object });
    }
    if (elevation?.sha256 === undefined && elevation !== undefined) {
      this.#draft.set({ elevation: await copyOf('elevation', elevation) });
    }
    if (preloaded?.sha256 === undefined && preloaded !== undefined) {
      const object = await copyOf('preloaded', preloaded);
      this.#draft.set({ preloaded: { ...object, count: preloaded.count } });
    }
  }

  /** Replaces the elevations. */
  async setElevation(elevations: Elevations): Promise<void> {
    this.#assertNotOver();
    assertShape('elevation', elevations, { metres: 'singles' });
    const { latitude, longitude, labels, metres } = elevations;
    checkPlaces('elevation', { latitude, longitude, labels });
    if (metres.length !== latitude.length) {
      const allowed = `${latitude.length}, one a place`;
      throw new OptionError({ subject: 'elevation', problem: 'has another length', received: metres.length, allowed });
    }
    const elevation = await this.#objects.table('elevation', coordinateTable({ latitude, longitude }, metres));
    this.#draft.set({ elevation });
  }

  /** Replaces or adds the climatology of one variable and granularity: a table as `climatologyTable` makes it. */
  async setClimatology(of: ClimatologySubject, granularity: Granularity, slug: string, table: Table): Promise<void> {
    this.#assertNotOver();
    assertOneOf('climatology', of, ['observations', ...HORIZONS]);
    checkGranularity(granularity);
    checkSlug(slug);
    assertTable(table);
    const file = await this.#objects.table(`climatology-${of}-${granularity}-${slug}`, table);
    this.#draft.setClimatology({ of, granularity, slug, ...file });
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
   * Makes all that was written part of the store, as a new generation, and removes what generations that are not kept any
   * more had alone. Rejects with OptionError where a forecast has no timeline or the variables of a history have different
   * places, and with FileError, also where another update has changed the same meanwhile: then `isOutdated` is true.
   */
  async commit(): Promise<void> {
    this.#assertNotOver();
    if (this.#held.elsewhere !== undefined) {
      throw new OptionError({ subject: 'update', problem: 'is only tried', allowed: 'to begin one that is published' });
    }
    this.#committing = this.#commit();
    await this.#committing;
  }

  /**
   * Removes all that was written: the store stays as it was. With `keepsWork`, values that were finished stay for the next
   * update that writes the same. Does nothing after the end of the update.
   */
  async abandon(options: { readonly keepsWork?: boolean } = {}): Promise<void> {
    assertKnownKeys(options, ['keepsWork']);
    assertShape('options', options, { keepsWork: 'flag?' });
    const { keepsWork = false } = options;
    // A commit under way may have replaced the root already.
    await this.#committing?.catch(() => undefined);
    if (this.#isOver) return;
    this.#isOver = true;
    // The next update removes what cannot be removed now.
    const { elsewhere, claim, undo } = this.#held;
    if (!keepsWork) await this.#access.removeFolder(this.#folder, new Set()).catch(() => undefined);
    await claim.release();
    if (elsewhere !== undefined) {
      await this.#access.close();
      await rm(elsewhere, { recursive: true, force: true }).catch(() => undefined);
      return;
    }
    await removeUnnamed(this.#access).catch(() => undefined);
    await this.#access.close();
    await undo();
  }

  async #commit(): Promise<void> {
    await this.#writePreloaded();
    await this.#publish();
    this.#isOver = true;
    await removeWork(this.#access, this.#folder);
    await this.#held.claim.release();
    // Nothing of the store depends on it.
    await removeUnnamed(this.#access).catch(() => undefined);
    await this.#access.close();
  }

  async #publish(): Promise<void> {
    const access = this.#access;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const state = await findState(access);
      if (!this.#draft.rebase(state?.manifest ?? emptyManifest())) break;
      const manifest = this.#draft.createManifest();
      await this.#held.claim.assertHeld();
      // What was scored changes no forecast: the generation keeps its name, and takes the place of the present one.
      const replaces = this.#draft.isOfRecord;
      const name = replaces ? state?.manifest.generation : undefined;
      const generation = name ?? freeName(this.#draft.name ?? this.#id, state?.root);
      if (await publish(access, state, { id: this.#id, generation, manifest, replaces })) return;
    }
    this.#isOutdated = true;
    const problem = 'was changed by another update, in what this one changes';
    throw new FileError({ subject: access.describe(), problem, allowed: 'to make this update again' });
  }

  async #writePreloaded(): Promise<void> {
    if (this.#preloaded.size === 0) return;
    const { preloaded } = this.#before;
    if (preloaded !== undefined) {
      const table = await readTableObject(this.#access, preloaded);
      this.#preloaded.add(findCoordinates(table, this.#access.describe(preloaded.file)));
    }
    const object = await this.#objects.table('preloaded', coordinateTable(this.#preloaded.places()));
    this.#draft.set({ preloaded: { ...object, count: this.#preloaded.size } });
  }

  #assertNotOver(): void {
    if (!this.#isOver) return;
    throw new OptionError({ subject: 'update', problem: 'is over', allowed: 'to begin another one' });
  }
}
