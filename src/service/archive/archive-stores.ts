import { FileError } from '../../errors.js';
import { ChunkCache, type OpenZarrOptions, openZarr, type ZarrFile } from '../../files/zarr/index.js';
import type { Product } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { Look } from '../refreshed-value.js';
import type { ArchiveStore } from './archive-options.js';
import type { NamedPart } from './archive-parts.js';
import { GridPlaces } from './grid-places.js';
import { type OpenPart, openPart } from './open-archive-part.js';

/** Opens the stores of an archive, again and again; unchanged parts are kept. */
export class ArchiveStores {
  readonly #parts: readonly NamedPart[];
  readonly #zarr: OpenZarrOptions;
  readonly #variables: readonly Variable[] | undefined;
  readonly #places = new GridPlaces();
  #opened: ReadonlyMap<Product, OpenPart> = new Map();

  constructor(
    parts: readonly NamedPart[],
    zarr: Omit<OpenZarrOptions, 'cache'>,
    cacheBytes: number,
    variables: readonly Variable[] | undefined,
  ) {
    this.#parts = parts;
    this.#zarr = { ...zarr, cache: new ChunkCache(cacheBytes) };
    this.#variables = variables;
  }

  /**
   * Reads the metadata of each store, once. `load` opens the parts whose metadata have changed. Both reject with
   * FileError, FormatError and DataError; then the parts opened before stay.
   */
  async look(): Promise<Look<ReadonlyMap<Product, OpenPart>>> {
    const files = new Map<ArchiveStore, Promise<ZarrFile>>();
    const fileOf = (store: ArchiveStore) => {
      const key = store instanceof URL ? store.href : store;
      const file = files.get(key) ?? openZarr(store, this.#zarr);
      files.set(key, file);
      return file;
    };
    const all = await Promise.all(this.#parts.map(async (part) => findPart(part, await fileOf(part.store))));
    const found = all.filter((each) => each !== undefined);
    if (found.length === 0) throw this.#nothing();
    const stamp = found.map(({ part, file }) => `${part.product} ${file.revision}`).join('\n');
    return { stamp, load: () => this.#open(found) };
  }

  async #open(found: readonly FoundPart[]): Promise<ReadonlyMap<Product, OpenPart>> {
    const opened = found.map(async ({ part, file }): Promise<[Product, OpenPart]> => {
      const { product } = part;
      const before = this.#opened.get(product);
      if (before?.revision === file.revision) return [product, before];
      return [product, await openPart(file, product, part, this.#variables, this.#places)];
    });
    this.#opened = new Map(await Promise.all(opened));
    return this.#opened;
  }

  #nothing(): FileError {
    const groups = this.#parts.map(({ product }) => product).join(', ');
    return new FileError({
      subject: 'archive',
      problem: 'its store has no group that is named after a part',
      allowed: `groups named ${groups}, or the store of each part: { history: "https://..." }`,
    });
  }
}

/** A part, and the store or group that holds it. */
interface FoundPart {
  readonly part: NamedPart;
  readonly file: ZarrFile;
}

/** Undefined where an optional group is absent. */
function findPart(part: NamedPart, store: ZarrFile): FoundPart | undefined {
  const { group, isOptional } = part;
  const file = group === undefined ? store : store.group(group);
  if (file !== undefined) return { part, file };
  if (isOptional) return undefined;
  const allowed = store.groups.join(', ') || 'a store with groups';
  throw new FileError({ subject: store.source, problem: `has no group ${group}`, allowed });
}
