import { assertKind, assertKnownKeys, assertOneOf, assertShape } from '../../../check/option-checks.js';
import { FileError } from '../../../errors.js';
import { assertRefreshSeconds, type Look, RefreshedValue } from '../../refreshed-value.js';
import type { Snapshot, WeatherSource } from '../source.js';
import { openSnapshot } from './folder-snapshot.node.js';
import { checkManifest, readManifest, readManifestStamp } from './manifest-file.node.js';
import { READ_MODES, type ReadMode, type SeriesFile } from './series-file.node.js';
import { closeAll, StoreFiles } from './store-files.node.js';

/** How to read a store in a folder. */
export interface OpenStoreOptions {
  /** `direct` by default: see {@link ReadMode}. */
  readonly reads?: ReadMode;
  /** The time between two checks for a new run, in seconds: 1 by default, 0 to check at every snapshot. */
  readonly refreshSeconds?: number;
  /** Called when a new run cannot be opened, once for each new fault; meanwhile the run before is served. */
  readonly onFault?: (error: Error) => void;
}

/** A store in a folder. */
export interface FolderStore extends WeatherSource {
  /** Closes all files once no read is under way. Snapshots cannot be read afterwards. */
  close(): Promise<void>;
}

/** How long, at least, the files of a run stay open when there is a newer run, in seconds. */
const RETIRED_SECONDS = 60;

/**
 * Opens the store in a folder for reading. A snapshot shows one run, whose files are all open; a new run is opened when
 * a snapshot is next requested, and unchanged files stay open. Snapshots of the run before can be read for at least a
 * minute.
 *
 * Rejects with FileError or FormatError, which name the file, where there is no store, or a file of it is missing, cut
 * short, not as the manifest states, or may not be read; with OptionError for a wrong option. A file that becomes
 * unreadable later is an error of the reads that need it, and each of them opens it again until it is complete.
 */
export async function openStore(dir: string, options: OpenStoreOptions = {}): Promise<FolderStore> {
  assertKind('dir', dir, 'text');
  assertKnownKeys(options, ['reads', 'refreshSeconds', 'onFault']);
  assertShape('options', options, { onFault: 'function?' });
  if (options.reads !== undefined) assertOneOf('reads', options.reads, READ_MODES);
  if (options.refreshSeconds !== undefined) assertRefreshSeconds(options.refreshSeconds);
  return Runs.open(dir, options);
}

/** The newest run of a store that can be read, and the files of those before it. */
class Runs implements FolderStore {
  readonly #dir: string;
  readonly #files: StoreFiles;
  #newest!: RefreshedValue<Snapshot>;
  #retired: { files: readonly SeriesFile[]; since: number }[] = [];
  #closed = false;

  private constructor(dir: string, reads: ReadMode) {
    this.#dir = dir;
    this.#files = new StoreFiles(dir, reads);
  }

  static async open(
    dir: string,
    { reads = 'direct', refreshSeconds = 1, onFault }: OpenStoreOptions,
  ): Promise<FolderStore> {
    const runs = new Runs(dir, reads);
    const look = () => runs.#look();
    try {
      // While one request opens a new run, others read the run before.
      runs.#newest = await RefreshedValue.open({ look, seconds: refreshSeconds, waiting: 'first', onFault });
    } catch (error) {
      await runs.#files.close();
      throw error;
    }
    return runs;
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    const allowed = 'a store that is open';
    if (this.#closed) throw new FileError({ subject: this.#dir, problem: 'is closed', allowed });
    return this.#newest.current();
  }

  async check(): Promise<void> {
    await checkManifest(this.#dir);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#newest.close();
    await closeAll(this.#retired.flatMap(({ files }) => files));
    await this.#files.close();
  }

  async #look(): Promise<Look<Snapshot>> {
    await this.#closeRetired();
    return { stamp: await readManifestStamp(this.#dir), load: () => this.#openNewest() };
  }

  async #openNewest(): Promise<Snapshot> {
    const manifest = await readManifest(this.#dir);
    const snapshot = await openSnapshot(manifest, this.#files);
    const files = await this.#files.keepOnly(manifest);
    if (files.length > 0) this.#retired.push({ files, since: seconds() });
    return snapshot;
  }

  async #closeRetired(): Promise<void> {
    const isOver = ({ since }: { since: number }) => seconds() - since >= RETIRED_SECONDS;
    const over = this.#retired.filter(isOver);
    this.#retired = this.#retired.filter((each) => !over.includes(each));
    await closeAll(over.flatMap(({ files }) => files));
  }
}

/** A clock that only goes forwards. */
function seconds(): number {
  return performance.now() / 1000;
}
