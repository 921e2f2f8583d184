import { assertKnownKeys, assertOneOf, assertShape } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../../check/work.js';
import { FileError } from '../../../errors.js';
import { assertRefreshSeconds, type Look, RefreshedValue } from '../../refreshed-value.js';
import { READ_MODES, type ReadMode } from '../../store/folder-access.node.js';
import { openKeeper } from '../../store/open-keeper.node.js';
import type { StorePlace } from '../../store/store-access.js';
import type { StoreKeeper } from '../../store/store-keeper.js';
import type { Tracing } from '../../tracing.js';
import type { Snapshot, WeatherSource } from '../source.js';
import { openSnapshot } from './folder-snapshot.node.js';
import { readState } from './generations.node.js';
import { emptyManifest } from './manifest.js';
import { StoreFiles } from './store-files.node.js';

/**
 * How to read a store. `signal` ends the opening, and all that is read later, and closes the store; `onProgress` counts the
 * bytes that are read.
 */
export interface OpenStoreOptions extends WorkOptions {
  /** Of a store in a folder, `direct` by default: see {@link ReadMode}. */
  readonly reads?: ReadMode;
  /** The time between two checks for a new run, in seconds: 1 by default, 0 to check at every snapshot. */
  readonly refreshSeconds?: number;
  /** Whether there may be no store yet: then there are no data until there is one. Default false: an error. */
  readonly allowEmpty?: boolean;
  /** Called when a new run cannot be opened, once for each new fault; meanwhile the run before is served. */
  readonly onFault?: (error: Error) => void;
  /** Shows what is read for a request as spans of its trace, as the option of `createHandler` does. */
  readonly tracing?: Tracing;
}

/** A store that is read. */
export interface FolderStore extends WeatherSource {
  /** Closes all files once no read is under way. Snapshots cannot be read afterwards. */
  close(): Promise<void>;
}

/** How long, at least, the files of a run stay open when there is a newer run, in seconds. */
const RETIRED_SECONDS = 60;

/**
 * Opens a store for reading: in a folder, at an address such as `s3://BUCKET/PREFIX`, or in whatever has the calls of
 * `StoreAccess`. A snapshot shows one run, whose files are all open; a new run is opened when a snapshot is next requested,
 * of a bucket within `refreshSeconds`, and unchanged files stay open. Snapshots of the run before can be read for at least a
 * minute. While a bucket cannot be reached, the last run stays, and `ageSeconds` says for how long.
 *
 * Rejects with FileError or FormatError, which name the file, where there is no store, or a file of it is missing, cut
 * short, not as the manifest states, or may not be read; with OptionError for a wrong option, and with the reason of
 * `signal`, as all later reads do then. A file that becomes
 * unreadable later is an error of the reads that need it, and each of them opens it again until it is complete.
 *
 * @example
 * ```js
 * import { createHandler, memoryKeys } from 'plumecast/service';
 * import { beginUpdate, openStore } from 'plumecast/service/node';
 *
 * const places = { latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) };
 * const update = await beginUpdate('weather');
 * update.setForecast({ initTime: '2026-03-02T00:00:00Z', version: 'a', generation: 'run-1', horizonInitTimes: {} });
 * const axis = { firstDay: 20_514, days: 7, members: 2 };
 * await update.write('timeline', { slug: 'temp_mean', units: 'degC', axis, places, blocks: [new Float32Array(14)] });
 * await update.commit();
 * const store = await openStore('weather');
 * console.log([...(await store.snapshot()).forecast.timeline.variables.keys()]);
 * await store.close();
 * ```
 *
 * ```text
 * [ 'temp_mean' ]
 * ```
 */
export async function openStore(store: StorePlace, options: OpenStoreOptions = {}): Promise<FolderStore> {
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, ['reads', 'refreshSeconds', 'allowEmpty', 'onFault', 'tracing', ...WORK_KEYS]);
  assertShape('options', options, { allowEmpty: 'flag?', onFault: 'function?' });
  if (options.tracing !== undefined) assertShape('tracing', options.tracing, { request: 'function', part: 'function' });
  if (options.reads !== undefined) assertOneOf('reads', options.reads, READ_MODES);
  if (options.refreshSeconds !== undefined) assertRefreshSeconds(options.refreshSeconds);
  const access = openKeeper(store, { reads: options.reads, work });
  return work.run(() => Runs.open(access, options, work));
}

/** The newest run of a store that can be read, and the files of those before it. */
class Runs implements FolderStore {
  readonly #work: Work;
  readonly #access: StoreKeeper;
  readonly #files: StoreFiles;
  /** Whether there may be no manifest, which is so until there has been one. */
  #allowsEmpty: boolean;
  #newest!: RefreshedValue<Snapshot>;
  #retired: { names: readonly string[]; since: number }[] = [];
  #closed = false;
  /** Closes the store when its signal is aborted; its reads reject with the reason. */
  readonly #end = () => void this.close().catch(() => undefined);

  private constructor(access: StoreKeeper, { allowEmpty = false, tracing }: OpenStoreOptions, work: Work) {
    this.#work = work;
    this.#access = access;
    this.#files = new StoreFiles(this.#access, tracing);
    this.#allowsEmpty = allowEmpty;
  }

  static async open(access: StoreKeeper, options: OpenStoreOptions, work: Work): Promise<FolderStore> {
    const runs = new Runs(access, options, work);
    const { refreshSeconds = 1, onFault } = options;
    const look = () => runs.#look();
    try {
      // While one request opens a new run, others read the run before. Nobody waits for a bucket.
      const waiting = access.isRemote && refreshSeconds > 0 ? 'nobody' : 'first';
      runs.#newest = await RefreshedValue.open({ look, seconds: refreshSeconds, waiting, onFault });
    } catch (error) {
      await runs.#access.close();
      throw error;
    }
    work.signal?.addEventListener('abort', runs.#end);
    return runs;
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    this.#work.check();
    const allowed = 'a store that is open';
    if (this.#closed) throw new FileError({ subject: this.#access.describe(), problem: 'is closed', allowed });
    return this.#newest.current();
  }

  async check(): Promise<void> {
    if (!this.#allowsEmpty) await this.#access.checkManifest();
  }

  ageSeconds(): number {
    return this.#newest.ageSeconds;
  }

  async close(): Promise<void> {
    this.#work.signal?.removeEventListener('abort', this.#end);
    this.#closed = true;
    await this.#newest.close();
    await this.#access.close();
  }

  async #look(): Promise<Look<Snapshot>> {
    await this.#closeRetired();
    if (this.#allowsEmpty && (await this.#isEmpty())) {
      return { stamp: EMPTY, load: () => openSnapshot(emptyManifest(), this.#files) };
    }
    this.#allowsEmpty = false;
    return { stamp: await this.#access.manifestStamp(), load: () => this.#openNewest() };
  }

  /** Whether the folder is there and has no manifest: until the first one, that is not a fault. */
  async #isEmpty(): Promise<boolean> {
    await this.#access.checkPlace();
    return (await this.#access.readManifest()) === undefined;
  }

  async #openNewest(): Promise<Snapshot> {
    const { manifest } = await readState(this.#access);
    const snapshot = await openSnapshot(manifest, this.#files);
    const names = this.#files.keepOnly(manifest);
    if (names.length > 0) this.#retired.push({ names, since: seconds() });
    return snapshot;
  }

  async #closeRetired(): Promise<void> {
    const isOver = ({ since }: { since: number }) => seconds() - since >= RETIRED_SECONDS;
    const over = this.#retired.filter(isOver);
    this.#retired = this.#retired.filter((each) => !over.includes(each));
    for (const { names } of over) await this.#access.retire(names.filter((name) => !this.#files.has(name)));
  }
}

/** What stands for the manifest of an empty store. */
const EMPTY = 'no manifest yet';

/** A clock that only goes forwards. */
function seconds(): number {
  return performance.now() / 1000;
}
