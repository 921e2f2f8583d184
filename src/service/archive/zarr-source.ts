import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assertSlugs, usualPairing } from '../../blend/blend-variables.js';
import { PAIR_BY } from '../../blend/join-options.js';
import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import { FileError, OptionError } from '../../errors.js';
import { ChunkCache, type OpenZarrOptions, type ZarrFile } from '../../files/zarr/index.js';
import { openStore } from '../../files/zarr/open-zarr.js';
import { HORIZONS, type HorizonName, type Product } from '../../variable/availability.js';
import { assertVariables } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { blendedDataset } from '../ingest/blended-dataset.js';
import { assertRefreshSeconds, type Look, RefreshedValue } from '../refreshed-value.js';
import type { Dataset } from '../source/dataset.js';
import type { ForecastRun, HistoryData, HorizonRun, Snapshot, WeatherSource } from '../source/source.js';
import type { ArchiveStore, ZarrArchive, ZarrSourceOptions } from './archive-options.js';
import { archiveParts, isStore, type NamedPart } from './archive-parts.js';
import { GridPlaces } from './grid-places.js';
import { type OpenPart, openPart } from './open-archive-part.js';

const OPTIONS: readonly (keyof ZarrSourceOptions)[] = [
  'zarr',
  'cacheBytes',
  'refreshSeconds',
  'onFault',
  'core',
  'pairBy',
  'variables',
  'version',
  'attribution',
  ...WORK_KEYS,
];

const CACHE_BYTES = 67_108_864;
const REFRESH_SECONDS = 60;

/**
 * Opens a service's source straight from a Zarr archive, over HTTP or from a folder: forecast horizons, which are
 * blended place by place, and a history. `archive` states which store holds what; a single store has groups named
 * `short-term`, `subseasonal`, `seasonal` and `history`.
 *
 * The CF conventions describe what arrays hold: units are converted, steps within a day become daily values, packed
 * values are unpacked. A read of a place fetches the chunks that hold it: one for each variable and horizon where the
 * archive is chunked by location. Metadata and coordinates are read once, and again when the metadata have changed,
 * which a request checks every `refreshSeconds`. They are the version of an archive: a new run must be written to new
 * chunks, or to another store, and its metadata last. Where a changed archive cannot be opened, the one before is still
 * served.
 *
 * Rejects with FileError, FormatError or DataError, which name the store, where the archive cannot be opened now; with
 * OptionError for wrong options, and with the reason of `signal`. Reads of a snapshot reject with FileError and FormatError, which a service answers
 * with 503.
 */
export async function zarrSource(
  archive: ArchiveStore | ZarrArchive,
  options: ZarrSourceOptions = {},
): Promise<WeatherSource> {
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, OPTIONS);
  const texts = { version: 'any text?', attribution: 'any text?' } as const;
  assertShape('options', options, { ...texts, zarr: 'object?', onFault: 'function?' });
  const { refreshSeconds = REFRESH_SECONDS, cacheBytes = CACHE_BYTES, zarr = {}, variables, onFault } = options;
  assertRefreshSeconds(refreshSeconds);
  assertVariables(variables);
  if (options.pairBy !== undefined) assertSlugs(options.pairBy);
  const stores = new ArchiveStores(archiveParts(archive), zarr, cacheBytes, variables, work);
  const extras = isStore(archive) ? options : { ...options, ...archive };
  const core = Promise.resolve(options.core ?? loadCore());
  const look = async (): Promise<Look<Snapshot>> => {
    const { stamp, load } = await stores.look();
    return { stamp, load: async () => createArchiveSnapshot(await core, await load(), extras) };
  };
  // While one request opens a changed archive, others read the one before.
  return work.run(async () => {
    const opening = RefreshedValue.open({ look, seconds: refreshSeconds, waiting: 'first', onFault });
    const [newest] = await Promise.all([opening, core.then(assertCore)]);
    return {
      snapshot: () => {
        work.check();
        return newest.current();
      },
    };
  });
}

/** Opens the stores of an archive, again and again; unchanged parts are kept. */
class ArchiveStores {
  readonly #parts: readonly NamedPart[];
  readonly #zarr: Omit<OpenZarrOptions, keyof WorkOptions>;
  readonly #work: Work;
  readonly #variables: readonly Variable[] | undefined;
  readonly #places = new GridPlaces();
  #opened: ReadonlyMap<Product, OpenPart> = new Map();

  constructor(
    parts: readonly NamedPart[],
    zarr: Omit<OpenZarrOptions, 'cache' | keyof WorkOptions>,
    cacheBytes: number,
    variables: readonly Variable[] | undefined,
    work: Work,
  ) {
    this.#work = work;
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
      const file = files.get(key) ?? openStore(store, this.#zarr, this.#work);
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

/** The parts of a snapshot that are not read from stores. */
type SnapshotExtras = Pick<ZarrArchive, 'climatology' | 'elevation'> &
  Pick<ZarrSourceOptions, 'attribution' | 'version' | 'pairBy'>;

/**
 * Creates the snapshot of an archive's opened parts. Throws DataError where horizons do not follow each other, and
 * OptionError where they have no common variable to be joined by.
 */
function createArchiveSnapshot(
  core: Core,
  parts: ReadonlyMap<Product, OpenPart>,
  { climatology, elevation, attribution, version, pairBy }: SnapshotExtras,
): Snapshot {
  return {
    forecast: forecastRun(core, parts, version, pairBy),
    history: historyData(parts.get('history')),
    ...{ climatology, elevation, attribution },
  };
}

function forecastRun(
  core: Core,
  parts: ReadonlyMap<Product, OpenPart>,
  version: string | undefined,
  pairBy: ZarrSourceOptions['pairBy'],
): ForecastRun | undefined {
  const names = HORIZONS.filter((horizon) => parts.has(horizon));
  if (names.length === 0) return undefined;
  const opened = names.map((name) => parts.get(name) as OpenPart);
  const runs = names.map((name, h): [HorizonName, HorizonRun] => {
    const { initTime, dataset } = opened[h];
    return [name, { initTime, data: dataset }];
  });
  const datasets: Partial<Record<HorizonName, Dataset>> = Object.fromEntries(
    runs.map(([name, { data }]) => [name, data]),
  );
  const [{ initTime }] = opened;
  return {
    initTime,
    version: version ?? opened.find((part) => part.version !== undefined)?.version ?? 'unknown',
    generation: `${initTime}-${shortHash(opened.map(({ dataset }) => dataset.revision).join('+'))}`,
    timeline: blendedDataset(core, datasets, { pairBy: pairBy ?? commonVariables(opened) }),
    horizons: Object.fromEntries(runs),
  };
}

/** The variables, which all horizons have, by which members are paired. */
function commonVariables(parts: readonly OpenPart[]): readonly string[] {
  const isCommon = (slug: string) => parts.every(({ dataset }) => dataset.variables.has(slug));
  const slugs = usualPairing([...parts[0].dataset.variables.keys()].filter(isCommon));
  if (slugs.length > 0) return slugs;
  throw new OptionError({
    subject: 'archive',
    problem: 'horizons have no common variable to be joined by',
    allowed: `a variable that all horizons have, ${PAIR_BY.join(' and ')} best of all`,
  });
}

/** All places of an archive count as pre-loaded: any can be read at any time. */
function historyData(part: OpenPart | undefined): HistoryData | undefined {
  if (part === undefined) return undefined;
  const { dataset } = part;
  const isPreloaded = (latitude: number, longitude: number) =>
    dataset.places.covering({ latitude, longitude }) !== undefined;
  return { data: dataset, isPreloaded };
}

function shortHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 8);
}
