import { assertShape } from '../../check/assert-shape.js';
import { assertKnownKeys } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import { isPlumecastError, OptionError } from '../../errors.js';
import { assertVariables } from '../../variable/assert-variable.js';
import type { Product } from '../../variable/availability.js';
import { report } from '../fault-report.js';
import type { Snapshot, WeatherSource } from '../source/source.js';
import type { ArchiveStore, ZarrArchive, ZarrSourceOptions } from './archive-options.js';
import { archiveParts, isStore } from './archive-parts.js';
import { createArchiveSnapshot, type SnapshotExtras } from './archive-snapshot.js';
import { ArchiveStores } from './archive-stores.js';
import type { OpenPart } from './open-archive-part.js';

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
 * OptionError for wrong options. Reads of a snapshot reject with FileError and FormatError, which a service answers
 * with 503.
 */
export async function zarrSource(
  archive: ArchiveStore | ZarrArchive,
  options: ZarrSourceOptions = {},
): Promise<WeatherSource> {
  assertKnownKeys(options, OPTIONS);
  const texts = { pairBy: 'text?', version: 'any text?', attribution: 'any text?' } as const;
  assertShape('options', options, { ...texts, zarr: 'object?', onFault: 'function?' });
  const { refreshSeconds = REFRESH_SECONDS, cacheBytes = CACHE_BYTES, zarr = {}, variables, onFault } = options;
  if (!(typeof refreshSeconds === 'number' && refreshSeconds >= 0)) {
    const allowed = 'seconds, from 0 on';
    throw new OptionError({
      subject: 'refreshSeconds',
      problem: 'is not a duration',
      received: refreshSeconds,
      allowed,
    });
  }
  assertVariables(variables);
  const stores = new ArchiveStores(archiveParts(archive), zarr, cacheBytes, variables);
  const extras = isStore(archive) ? options : { ...options, ...archive };
  const [core, parts] = await Promise.all([options.core ?? loadCore(), stores.open()]);
  assertCore(core);
  return new ArchiveSource(stores, core, extras, { refreshSeconds, onFault }, parts);
}

/** The newest archive that could be opened. */
class ArchiveSource implements WeatherSource {
  readonly #stores: ArchiveStores;
  readonly #core: Core;
  readonly #extras: SnapshotExtras;
  readonly #refreshSeconds: number;
  readonly #onFault: ((error: Error) => void) | undefined;
  #parts: ReadonlyMap<Product, OpenPart>;
  #current: Snapshot;
  #checkedAt = seconds();
  #checking?: Promise<Snapshot>;
  #lastFault?: string;

  constructor(
    stores: ArchiveStores,
    core: Core,
    extras: SnapshotExtras,
    { refreshSeconds, onFault }: { refreshSeconds: number; onFault: ((error: Error) => void) | undefined },
    parts: ReadonlyMap<Product, OpenPart>,
  ) {
    this.#stores = stores;
    this.#core = core;
    this.#extras = extras;
    this.#refreshSeconds = refreshSeconds;
    this.#onFault = onFault;
    this.#parts = parts;
    this.#current = createArchiveSnapshot(core, parts, extras);
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    // While one request checks whether the archive has changed, others do not wait for it.
    const isFresh = this.#checking !== undefined || seconds() - this.#checkedAt < this.#refreshSeconds;
    if (isFresh) return this.#current;
    this.#checking = this.#refresh().finally(() => {
      this.#checking = undefined;
      this.#checkedAt = seconds();
    });
    return this.#checking;
  }

  async #refresh(): Promise<Snapshot> {
    try {
      const parts = await this.#stores.open();
      if (parts !== this.#parts) {
        this.#current = createArchiveSnapshot(this.#core, parts, this.#extras);
        this.#parts = parts;
      }
      this.#lastFault = undefined;
    } catch (error) {
      this.#report(error);
    }
    return this.#current;
  }

  #report(error: unknown): void {
    if (!isPlumecastError(error)) throw error;
    if (error.message === this.#lastFault) return;
    this.#lastFault = error.message;
    report(this.#onFault, error);
  }
}

function seconds(): number {
  return performance.now() / 1000;
}
