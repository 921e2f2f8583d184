import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { PlaceIndex } from '../../../ensemble/place-index.js';
import { FormatError } from '../../../errors.js';
import type { Dataset } from '../dataset.js';
import { findCoordinates, readElevations } from './coordinate-table.js';
import { listFiles, type Manifest, type PartEntry, type PlacesEntry } from './manifest.js';
import { placesDigest } from './places-digest.node.js';
import { QuarterDegreePoints } from './quarter-degree-points.js';
import { readTableFile } from './read-table-file.node.js';
import { FolderDataset, type ReadMode, SeriesFile } from './series-file.node.js';

/** Metres above sea level of a point; NaN where no place covers it. */
type ElevationOf = (latitude: number, longitude: number) => number;

/** The open or loaded files of a store, shared by the snapshots that name them: files never change. */
export class StoreFiles {
  readonly #dir: string;
  readonly #mode: ReadMode;
  readonly #series = new PromiseCache<SeriesFile>();
  /** By the digest of the places: parts on one grid share an index. */
  readonly #places = new PromiseCache<PlaceIndex>();
  readonly #elevations = new PromiseCache<ElevationOf>();
  readonly #preloaded = new PromiseCache<QuarterDegreePoints>();
  readonly #climatologies = new PromiseCache<Table>();

  constructor(dir: string, mode: ReadMode) {
    this.#dir = dir;
    this.#mode = mode;
  }

  /** Opens every file of a part. Rejects with FileError or FormatError where one cannot be. */
  async dataset({ revision, places, variables }: PartEntry): Promise<Dataset> {
    const opened = await Promise.all(
      [...variables].map(([slug, { file, units, axis }]) =>
        this.#series.get(file, async () => {
          const series = new SeriesFile(join(this.#dir, file), { slug, units, axis }, places.count, this.#mode);
          await series.open();
          return series;
        }),
      ),
    );
    const [[, { file }]] = variables;
    const index = await this.#places.get(places.digest, () => readPlaceIndex(opened[0], places, join(this.#dir, file)));
    const slugs = [...variables.keys()];
    const axes = new Map([...variables].map(([slug, { axis }]) => [slug, axis]));
    return new FolderDataset(revision, index, axes, new Map(slugs.map((slug, i) => [slug, opened[i]])));
  }

  elevation(file: string): Promise<ElevationOf> {
    return this.#elevations.get(file, async () => {
      const table = await this.#readTable(file);
      const index = new PlaceIndex(findCoordinates(table, join(this.#dir, file)));
      const metres = readElevations(table, join(this.#dir, file));
      return (latitude, longitude) => {
        const place = index.covering({ latitude, longitude });
        return place === undefined ? Number.NaN : metres[place];
      };
    });
  }

  preloaded(file: string): Promise<QuarterDegreePoints> {
    return this.#preloaded.get(file, async () => {
      const points = new QuarterDegreePoints();
      points.add(findCoordinates(await this.#readTable(file), join(this.#dir, file)));
      return points;
    });
  }

  climatology(file: string): Promise<Table> {
    return this.#climatologies.get(file, () => this.#readTable(file));
  }

  /** Forgets what a manifest does not name, and returns the forgotten files, still open for old snapshots. */
  async keepOnly(manifest: Manifest): Promise<SeriesFile[]> {
    const files = new Set(listFiles(manifest));
    this.#places.keepOnly(new Set([...manifest.parts.values()].map(({ places }) => places.digest)));
    for (const kept of [this.#elevations, this.#preloaded, this.#climatologies]) kept.keepOnly(files);
    return settled(this.#series.keepOnly(files));
  }

  /** Closes all files. */
  async close(): Promise<void> {
    await closeAll(await settled(this.#series.keepOnly(new Set())));
  }

  async #readTable(file: string): Promise<Table> {
    return readTableFile(join(this.#dir, file));
  }
}

/** Closes files; errors are ignored, as the files are only read. */
export async function closeAll(files: readonly SeriesFile[]): Promise<void> {
  await Promise.allSettled(files.map((file) => file.close()));
}

async function settled(series: readonly Promise<SeriesFile>[]): Promise<SeriesFile[]> {
  const results = await Promise.allSettled(series);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function readPlaceIndex(series: SeriesFile, { digest }: PlacesEntry, path: string): Promise<PlaceIndex> {
  const places = await series.readPlaces();
  if (placesDigest(places) === digest) return new PlaceIndex(places);
  throw new FormatError({
    subject: path,
    problem: 'has other places than its store says',
    allowed: 'those of its part',
  });
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

  /** Forgets all but some keys, and returns what was forgotten. */
  keepOnly(keys: ReadonlySet<string>): Promise<T>[] {
    const others = [...this.#values].filter(([key]) => !keys.has(key));
    for (const [key] of others) this.#values.delete(key);
    return others.map(([, value]) => value);
  }
}
