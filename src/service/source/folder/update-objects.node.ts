import type { Table } from 'apache-arrow';
import type { Places } from '../../../ensemble/nearest-place.js';
import { encodeTable } from '../../../files/encode-tables.js';
import { BlockMemory } from '../../blocks/block-memory.js';
import type { FolderAccess } from '../../store/folder-access.node.js';
import { type ObjectEntry, putObject, type Series, writeBlocks } from '../../store/write-blocks.node.js';
import { coordinateTable } from './coordinate-table.js';
import type { PlacesEntry, SegmentEntry } from './manifest.js';
import { placesDigest } from './places-digest.node.js';

/** Writes the objects of an update: each has a name that no other object has had. Rejects with FileError. */
export class UpdateObjects {
  readonly #access: FolderAccess;
  readonly #folder: string;
  /** The objects with places that were written, by their digest. */
  readonly #places = new Map<string, Promise<ObjectEntry>>();
  #memory: Promise<BlockMemory> | undefined;

  /** `folder` is the one of the update, below the store's. */
  constructor(access: FolderAccess, folder: string) {
    this.#access = access;
    this.#folder = folder;
  }

  /** The entry of places, whose object is written once in an update. */
  async places({ latitude, longitude }: Places): Promise<PlacesEntry> {
    const [count, digest] = [latitude.length, placesDigest({ latitude, longitude })];
    const object = this.#places.get(digest) ?? this.table(`places-${digest}`, coordinateTable({ latitude, longitude }));
    this.#places.set(digest, object);
    object.catch(() => this.#places.delete(digest));
    return { count, digest, object: await object };
  }

  /** The values of a variable, in the folder of their part. Rejects also with what their blocks' iterator throws. */
  async segment(part: string, series: Series): Promise<SegmentEntry> {
    this.#memory ??= BlockMemory.load();
    const { firstDay, days } = series.axis;
    const file = `${this.#folder}/${part}/${series.slug}-${randomPart()}.blocks`;
    const object = await writeBlocks(this.#access, file, series, await this.#memory);
    return { ...object, format: 'blocks', firstDay, days, precision: series.precision };
  }

  async table(name: string, table: Table): Promise<ObjectEntry> {
    const bytes = await encodeTable(table, 'arrow');
    return putObject(this.#access, `${this.#folder}/${name}-${randomPart()}.arrow`, [bytes]);
  }
}

function randomPart(): string {
  return crypto.randomUUID().slice(0, 8);
}
