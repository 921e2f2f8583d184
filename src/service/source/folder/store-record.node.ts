import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Places } from '../../../ensemble/nearest-place.js';
import { FormatError } from '../../../errors.js';
import type { Granularity } from '../../../period/period.js';
import type { HorizonName } from '../../../variable/availability.js';
import { openKeeper } from '../../store/open-keeper.node.js';
import type { StoreAccess, StorePlace } from '../../store/store-access.js';
import type { Axis, Dataset } from '../dataset.js';
import { readState } from './generations.node.js';
import type { IssuedEntry, Manifest, RecordedLead, RecordedSeries } from './manifest.js';
import type { StoreDraft } from './store-draft.js';
import { StoreFiles } from './store-files.node.js';
import type { UpdateObjects } from './update-objects.node.js';

/** What a series of the record is of. */
export interface RecordedOf {
  readonly horizon: HorizonName;
  readonly granularity: Granularity;
  readonly slug: string;
}

/** A series of the record that is written. */
export interface NewRecorded extends RecordedOf {
  readonly places: Places;
  /** Its leads as days, and its numbers as members. */
  readonly axis: Axis;
  readonly blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>;
  /** The state of the verification, as JSON. */
  readonly state: string;
  readonly leads: readonly RecordedLead[];
}

/** What an issued run has. */
export interface KeptRun {
  readonly horizon: HorizonName;
  readonly initTime: string;
  /** A digest of its places. */
  readonly places: string;
  readonly variables: ReadonlyMap<string, Axis>;
  /** Opens its values until the end of the update. Rejects with FileError or FormatError. */
  open(): Promise<Dataset>;
}

/** The record of a store's issued forecasts, in an update: read, and written anew. */
export class RecordUpdate {
  readonly #access: StoreAccess;
  readonly #draft: StoreDraft;
  readonly #files: StoreFiles;
  readonly #objects: UpdateObjects;

  constructor(access: StoreAccess, draft: StoreDraft, files: StoreFiles, objects: UpdateObjects) {
    this.#access = access;
    this.#draft = draft;
    this.#files = files;
    this.#objects = objects;
  }

  /** The runs that are kept as they were issued, the oldest first. */
  get runs(): readonly KeptRun[] {
    return this.#present.issued.map((entry: IssuedEntry) => ({
      horizon: entry.horizon,
      initTime: entry.initTime,
      places: entry.places.digest,
      variables: new Map([...entry.variables].map(([slug, { axis }]) => [slug, axis])),
      open: () => this.#files.dataset(entry),
    }));
  }

  /** What the record has, with what was written. */
  get series(): readonly RecordedSeries[] {
    return this.#present.record?.series ?? [];
  }

  find({ horizon, granularity, slug }: RecordedOf): RecordedSeries | undefined {
    return this.series.find(
      (each) => each.horizon === horizon && each.granularity === granularity && each.slug === slug,
    );
  }

  /** The state of a series as JSON. Rejects with FileError or FormatError. */
  state({ state }: RecordedSeries): Promise<string> {
    return readRecordState(this.#access, state);
  }

  /** The sums of a series, by its slug. Rejects with FileError or FormatError. */
  values(series: RecordedSeries): Promise<Dataset> {
    return this.#files.recorded(series);
  }

  /** Writes a series anew. Rejects with FileError. */
  async write({ horizon, granularity, slug, places, axis, blocks, state, leads }: NewRecorded): Promise<void> {
    const folder = `record-${horizon}-${granularity}`;
    const entry = await this.#objects.places(places);
    const segment = await this.#objects.segment(folder, { slug, units: '1', axis, places, blocks });
    this.#draft.setRecorded({
      ...{ horizon, granularity, slug, places: entry, leads },
      values: { units: '1', axis, segments: [segment] },
      state: await this.#objects.bytes(`${folder}/${slug}`, 'json.gz', await promisify(gzip)(state)),
    });
  }

  get #present(): Manifest {
    return this.#draft.present();
  }
}

/** A series of the record of a store. */
export interface StoredRecord {
  readonly series: RecordedOf;
  /** The state of its verification, as JSON. Rejects with FileError and FormatError. */
  state(): Promise<string>;
  /** Gives its sums by place, by its slug, to be read until the result is there. Rejects with FileError and FormatError. */
  withValues<T>(use: (sums: Dataset) => Promise<T>): Promise<T>;
}

/** The series of the record of a store. Rejects with FileError and FormatError. */
export async function readRecord(store: StorePlace): Promise<readonly StoredRecord[]> {
  const access = openKeeper(store);
  const { manifest } = await readState(access);
  return (manifest.record?.series ?? []).map((series) => ({
    series,
    state: () => readRecordState(access, series.state),
    async withValues(use) {
      const opened = openKeeper(store);
      try {
        return await use(await new StoreFiles(opened).recorded(series));
      } finally {
        await opened.close();
      }
    },
  }));
}

/** Reads the state of a series of the record. Rejects with FileError, and with FormatError where it is damaged. */
async function readRecordState(access: StoreAccess, { file, bytes = 0 }: RecordedSeries['state']): Promise<string> {
  const compressed = new Uint8Array(bytes);
  await access.get(file, 0, compressed);
  access.giveUp?.(file);
  try {
    return (await promisify(gunzip)(compressed)).toString();
  } catch (cause) {
    const problem = 'is damaged: the state of a verification cannot be read';
    throw new FormatError({ subject: access.describe(file), problem, cause });
  }
}
