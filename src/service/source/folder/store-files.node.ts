import type { Table } from 'apache-arrow';
import type { Places } from '../../../ensemble/nearest-place.js';
import { PlaceIndex } from '../../../ensemble/place-index.js';
import { FormatError } from '../../../errors.js';
import { BlockMemory } from '../../blocks/block-memory.js';
import { BlockSeries, type BlocksEntry, type SeriesReader } from '../../store/read-blocks.js';
import type { StoreKeeper } from '../../store/store-keeper.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';
import type { Tracing } from '../../tracing.js';
import type { Dataset } from '../dataset.js';
import { ArrowSeries } from './arrow-series.node.js';
import { findCoordinates } from './coordinate-table.js';
import {
  listObjects,
  type Manifest,
  type PartEntry,
  type RecordedSeries,
  type SegmentEntry,
  type SeriesEntry,
} from './manifest.js';
import { PartDataset, SegmentedSeries } from './part-dataset.js';
import { placesDigest } from './places-digest.node.js';
import { QuarterDegreePoints } from './quarter-degree-points.js';
import { readElevationObject, readTableObject } from './read-table-object.node.js';

/** Metres above sea level of a point; NaN where no place covers it. */
type ElevationOf = (latitude: number, longitude: number) => number;

/** The open or loaded objects of a store, shared by the snapshots that name them: objects never change. */
export class StoreFiles {
  readonly #access: StoreKeeper;
  readonly #tracing: Tracing | undefined;
  readonly #series = new PromiseCache<SeriesReader>();
  /** By the digest of the places: parts on one grid share an index. */
  readonly #places = new PromiseCache<PlaceIndex>();
  readonly #elevations = new PromiseCache<ElevationOf>();
  readonly #preloaded = new PromiseCache<QuarterDegreePoints>();
  readonly #climatologies = new PromiseCache<Table>();
  #memory: Promise<BlockMemory> | undefined;

  constructor(access: StoreKeeper, tracing?: Tracing) {
    this.#access = access;
    this.#tracing = tracing;
  }

  /** Opens every object of a part. Rejects with FileError or FormatError where one cannot be. */
  async dataset(part: Pick<PartEntry, 'revision' | 'places' | 'variables'>): Promise<Dataset> {
    const { revision, places, variables } = part;
    const readers = await Promise.all(
      [...variables].map(async ([slug, series]) => [slug, await this.#reader(slug, series, places.count)] as const),
    );
    const index = await this.#places.get(places.digest, async () => new PlaceIndex(await this.#readPlaces(part)));
    const axes = new Map([...variables].map(([slug, { axis }]) => [slug, axis]));
    return new PartDataset(revision, index, axes, new Map(readers), this.#tracing);
  }

  /** Opens a series of the record, as a dataset of its variable. Rejects with FileError or FormatError. */
  recorded({ slug, places, values, state }: RecordedSeries): Promise<Dataset> {
    return this.dataset({ revision: state.file, places, variables: new Map([[slug, values]]) });
  }

  async #reader(slug: string, { units, axis, segments }: SeriesEntry, places: number): Promise<SeriesReader> {
    const opened = await Promise.all(
      segments.map((segment) => {
        const { file, firstDay, days } = segment;
        // A request for what is known would be one too many.
        const bytes = this.#access.isRemote ? segment.bytes : undefined;
        const head = { slug, units, axis: { members: axis.members, firstDay, days } };
        return this.#series.get(file, () => this.#open(segment.format, { name: file, bytes, head, places }));
      }),
    );
    if (segments.length === 1 && segments[0].days === axis.days) return opened[0];
    return new SegmentedSeries(
      segments.map(({ firstDay, days }, s) => ({ reader: opened[s], at: firstDay - axis.firstDay, days })),
    );
  }

  async #open(format: SegmentEntry['format'], entry: BlocksEntry): Promise<SeriesReader> {
    this.#access.admit(entry.name);
    if (format === 'arrow') return ArrowSeries.open(this.#access, entry);
    this.#memory ??= BlockMemory.load();
    return BlockSeries.open(this.#access, entry, await this.#memory);
  }

  /** Reads the places of a part, and checks them against their digest. */
  async #readPlaces({ places, variables }: Pick<PartEntry, 'places' | 'variables'>): Promise<Places> {
    const [[slug, { units, axis, segments }]] = variables;
    const name = places.object?.file ?? segments[0].file;
    const path = this.#access.describe(name);
    const read =
      places.object === undefined
        ? await (
            await ArrowSeries.open(this.#access, { name, head: { slug, units, axis }, places: places.count })
          ).readPlaces()
        : findCoordinates(await readTableObject(this.#access, places.object), path);
    if (placesDigest(read) === places.digest) return read;
    const problem = 'has other places than its store says';
    throw new FormatError({ subject: path, problem, allowed: 'those of its part' });
  }

  elevation(object: ObjectEntry): Promise<ElevationOf> {
    return this.#elevations.get(object.file, async () => {
      const { latitude, longitude, metres } = await readElevationObject(this.#access, object);
      const index = new PlaceIndex({ latitude, longitude });
      return (latitude, longitude) => {
        const place = index.covering({ latitude, longitude });
        return place === undefined ? Number.NaN : metres[place];
      };
    });
  }

  preloaded(object: ObjectEntry): Promise<QuarterDegreePoints> {
    return this.#preloaded.get(object.file, async () => {
      const points = new QuarterDegreePoints();
      points.add(findCoordinates(await readTableObject(this.#access, object), this.#access.describe(object.file)));
      return points;
    });
  }

  climatology(object: ObjectEntry): Promise<Table> {
    return this.#climatologies.get(object.file, () => readTableObject(this.#access, object));
  }

  /** Whether the values of an object are open. */
  has(file: string): boolean {
    return this.#series.has(file);
  }

  /** Forgets what a generation does not name, and returns the names of forgotten files, still open for old snapshots. */
  keepOnly(manifest: Manifest): string[] {
    const files = new Set(listObjects(manifest).map(({ file }) => file));
    const parts = [...manifest.parts.values(), ...manifest.issued, ...(manifest.record?.series ?? [])];
    this.#places.keepOnly(new Set(parts.map(({ places }) => places.digest)));
    for (const kept of [this.#elevations, this.#preloaded, this.#climatologies]) kept.keepOnly(files);
    return this.#series.keepOnly(files);
  }
}

/** Keeps a value for each key, made once; a value that could not be made is made again when it is next requested. */
class PromiseCache<T> {
  readonly #values = new Map<string, Promise<T>>();

  /** The value of a key; calls while it is being made wait for the same one. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.#values.set(key, value);
    value.catch(() => {
      if (this.#values.get(key) === value) this.#values.delete(key);
    });
    return value;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Forgets all but some keys, and returns those that were forgotten. */
  keepOnly(keys: ReadonlySet<string>): string[] {
    const others = [...this.#values.keys()].filter((key) => !keys.has(key));
    for (const key of others) this.#values.delete(key);
    return others;
  }
}
