import type { Table } from 'apache-arrow';
import type { Places } from '../../../ensemble/nearest-place.js';
import { encodeTable } from '../../../files/encode-tables.js';
import { BlockMemory } from '../../blocks/block-memory.js';
import type { StoreKeeper } from '../../store/store-keeper.js';
import { type ObjectEntry, putObject, type Series, writeBlocks } from '../../store/write-blocks.node.js';
import { coordinateTable } from './coordinate-table.js';
import type { PlacesEntry, SegmentEntry } from './manifest.js';
import { placesDigest } from './places-digest.node.js';
import { addFinished, type TakesFinished } from './stopped-work.node.js';

/** Writes the objects of an update: each has a name that no other object has had. Rejects with FileError. */
export class UpdateObjects {
  readonly #access: StoreKeeper;
  readonly #folder: string;
  /** The objects with places that were written, by their digest. */
  readonly #places = new Map<string, Promise<ObjectEntry>>();
  readonly #stopped: TakesFinished | undefined;
  #memory: Promise<BlockMemory> | undefined;

  /** `folder` is the one of the update, below the store's; `stopped` is what others have left. */
  constructor(access: StoreKeeper, folder: string, stopped?: TakesFinished) {
    this.#access = access;
    this.#folder = folder;
    this.#stopped = stopped;
  }

  /** The entry of places, whose object is written once in an update. */
  async places({ latitude, longitude }: Places): Promise<PlacesEntry> {
    const [count, digest] = [latitude.length, placesDigest({ latitude, longitude })];
    const object = this.#places.get(digest) ?? this.table(`places-${digest}`, coordinateTable({ latitude, longitude }));
    this.#places.set(digest, object);
    object.catch(() => this.#places.delete(digest));
    return { count, digest, object: await object };
  }

  /**
   * The values of a variable, in the folder of their part: written, or taken from an update that was stopped. Rejects also
   * with what their blocks' iterator throws.
   */
  async segment(part: string, series: Series): Promise<SegmentEntry> {
    const { firstDay, days } = series.axis;
    const object = (await this.#taken(part, series)) ?? (await this.#written(part, series));
    if (series.key !== undefined && this.#stopped !== undefined) {
      const { slug, key } = series;
      // Without a line it would be written once more.
      await addFinished(this.#access, this.#folder, { key, part, slug, object }).catch(() => undefined);
    }
    return { ...object, format: 'blocks', firstDay, days, precision: series.precision };
  }

  async #taken(part: string, { key, slug, onNotice }: Series): Promise<Required<ObjectEntry> | undefined> {
    if (key === undefined) return undefined;
    const taken = await this.#stopped?.take({ key, part, slug }, this.#folder);
    if (taken?.object !== undefined) onNotice?.(`${part} ${slug}: taken from an ingest that was stopped`);
    if (taken?.isOther) {
      const problem = 'what an ingest that was stopped had written is of other files or options';
      onNotice?.(`${part} ${slug}: ${problem}, and is not used`);
    }
    return taken?.object;
  }

  async #written(part: string, series: Series): Promise<Required<ObjectEntry>> {
    this.#memory ??= BlockMemory.load();
    const file = `${this.#folder}/${part}/${series.slug}-${randomPart()}.blocks`;
    return writeBlocks(this.#access, file, series, await this.#memory);
  }

  async table(name: string, table: Table): Promise<ObjectEntry> {
    return this.bytes(name, 'arrow', await encodeTable(table, 'arrow'));
  }

  /** An object with some bytes, whose name ends in `ending`. */
  bytes(name: string, ending: string, bytes: Uint8Array): Promise<ObjectEntry> {
    return putObject(this.#access, `${this.#folder}/${name}-${randomPart()}.${ending}`, [bytes]);
  }
}

function randomPart(): string {
  return crypto.randomUUID().slice(0, 8);
}
