import type { Places } from '../../../ensemble/nearest-place.js';
import { openKeeper } from '../../store/open-keeper.node.js';
import type { StorePlace } from '../../store/store-access.js';
import { UPDATES_FOLDER } from '../../store/store-keeper.js';
import type { Series } from '../../store/write-blocks.node.js';
import type { Dataset } from '../dataset.js';
import type { PartEntry, SeriesEntry } from './manifest.js';
import { placesDigest } from './places-digest.node.js';
import { writeSeries } from './series-entry.node.js';
import type { TakesFinished } from './stopped-work.node.js';
import { StoreFiles } from './store-files.node.js';
import type { StorePart } from './store-part.js';
import { UpdateObjects } from './update-objects.node.js';

/** What a thread has to know of an update to write files of it: values that can be sent. */
export interface UpdateHandover {
  /** The name of the update. */
  readonly id: string;
  /** What the store held when the update began, by part. */
  readonly before: ReadonlyMap<StorePart, PartEntry>;
}

/** A variable that a thread has written. */
export interface WrittenSeries {
  readonly part: StorePart;
  readonly slug: string;
  readonly places: Places;
  readonly entry: SeriesEntry;
}

/** An update of a store in a thread that writes some of its files: `StoreUpdate.adopt` makes them part of it. */
export class ThreadUpdate {
  readonly #before: UpdateHandover['before'];
  readonly #files: StoreFiles;
  readonly #objects: UpdateObjects;

  /** `stopped` asks the thread of the update for what was finished before. */
  constructor(store: StorePlace, { id, before }: UpdateHandover, stopped: TakesFinished) {
    const access = openKeeper(store);
    this.#before = before;
    this.#files = new StoreFiles(access);
    this.#objects = new UpdateObjects(access, `${UPDATES_FOLDER}/${id}`, stopped);
  }

  /** The values of a part before the update. Rejects with FileError or FormatError. */
  async storedBefore(part: StorePart): Promise<Dataset | undefined> {
    const entry = this.#before.get(part);
    return entry && this.#files.dataset(entry);
  }

  /** The values of a part that the update has written so far. Rejects likewise. */
  stored(entry: PartEntry): Promise<Dataset> {
    return this.#files.dataset(entry);
  }

  /** Writes the file of a variable. Rejects as `StoreUpdate.write`. */
  async write(part: StorePart, series: Series): Promise<WrittenSeries> {
    const { slug, places } = series;
    const { latitude, longitude } = places;
    const entry = await writeSeries(this.#objects, part, series, placesDigest(places));
    return { part, slug, places: { latitude, longitude }, entry };
  }
}
