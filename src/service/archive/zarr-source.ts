import { assertShape } from '../../check/assert-shape.js';
import { assertKnownKeys } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import { loadCore } from '../../core/load.js';
import { assertVariables } from '../../variable/assert-variable.js';
import { assertRefreshSeconds, type Look, RefreshedValue } from '../refreshed-value.js';
import type { Snapshot, WeatherSource } from '../source/source.js';
import type { ArchiveStore, ZarrArchive, ZarrSourceOptions } from './archive-options.js';
import { archiveParts, isStore } from './archive-parts.js';
import { createArchiveSnapshot } from './archive-snapshot.js';
import { ArchiveStores } from './archive-stores.js';

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
  assertRefreshSeconds(refreshSeconds);
  assertVariables(variables);
  const stores = new ArchiveStores(archiveParts(archive), zarr, cacheBytes, variables);
  const extras = isStore(archive) ? options : { ...options, ...archive };
  const core = Promise.resolve(options.core ?? loadCore());
  const look = async (): Promise<Look<Snapshot>> => {
    const { stamp, load } = await stores.look();
    return { stamp, load: async () => createArchiveSnapshot(await core, await load(), extras) };
  };
  // While one request opens a changed archive, others read the one before.
  const opening = RefreshedValue.open({ look, seconds: refreshSeconds, waiting: 'first', onFault });
  const [newest] = await Promise.all([opening, core.then(assertCore)]);
  return { snapshot: () => newest.current() };
}
