import { FileError } from '../../errors.js';
import { ChunkCache, type OpenZarrOptions, openZarr, type ZarrFile } from '../../files/zarr/index.js';
import type { Product } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
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
   * Returns the parts as they are now: the same map where no metadata have changed. The metadata of each store are read
   * once. Throws FileError, FormatError and DataError; then the parts opened before stay.
   */
  async open(): Promise<ReadonlyMap<Product, OpenPart>> {
    const files = new Map<ArchiveStore, Promise<ZarrFile>>();
    const fileOf = (store: ArchiveStore) => {
      const key = store instanceof URL ? store.href : store;
      const file = files.get(key) ?? openZarr(store, this.#zarr);
      files.set(key, file);
      return file;
    };
    const found = await Promise.all(this.#parts.map(async (part) => this.#open(part, await fileOf(part.store))));
    const opened = new Map(found.filter((entry) => entry !== undefined));
    if (opened.size === 0) throw this.#nothing();
    const before = this.#opened;
    const isSame = opened.size === before.size && [...opened].every(([product, part]) => before.get(product) === part);
    if (!isSame) this.#opened = opened;
    return this.#opened;
  }

  /** Undefined where an optional group is absent. */
  async #open(part: NamedPart, store: ZarrFile): Promise<readonly [Product, OpenPart] | undefined> {
    const { product, group, isOptional } = part;
    const file = group === undefined ? store : store.group(group);
    if (file === undefined) {
      if (isOptional) return undefined;
      const allowed = store.groups.join(', ') || 'a store with groups';
      throw new FileError({ subject: store.source, problem: `has no group ${group}`, allowed });
    }
    const before = this.#opened.get(product);
    const isSame = before?.revision === file.revision;
    return [product, isSame ? before : await openPart(file, product, part, this.#variables, this.#places)];
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
