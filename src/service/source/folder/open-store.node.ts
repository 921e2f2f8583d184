import { stat } from 'node:fs/promises';
import { assertKind, assertKnownKeys, assertOneOf, assertShape } from '../../../check/option-checks.js';
import { unreadable } from '../../../disk/file-fault.js';
import { FileError } from '../../../errors.js';
import { assertRefreshSeconds, type Look, RefreshedValue } from '../../refreshed-value.js';
import { FolderAccess, READ_MODES, type ReadMode } from '../../store/folder-access.node.js';
import type { Snapshot, WeatherSource } from '../source.js';
import { openSnapshot } from './folder-snapshot.node.js';
import { readState } from './generations.node.js';
import { emptyManifest } from './manifest.js';
import { StoreFiles } from './store-files.node.js';

/** How to read a store in a folder. */
export interface OpenStoreOptions {
  /** `direct` by default: see {@link ReadMode}. */
  readonly reads?: ReadMode;
  /** The time between two checks for a new run, in seconds: 1 by default, 0 to check at every snapshot. */
  readonly refreshSeconds?: number;
  /** Whether the folder may have no store yet: then there are no data until there is one. Default false: an error. */
  readonly allowEmpty?: boolean;
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
  assertKnownKeys(options, ['reads', 'refreshSeconds', 'allowEmpty', 'onFault']);
  assertShape('options', options, { allowEmpty: 'flag?', onFault: 'function?' });
  if (options.reads !== undefined) assertOneOf('reads', options.reads, READ_MODES);
  if (options.refreshSeconds !== undefined) assertRefreshSeconds(options.refreshSeconds);
  return Runs.open(dir, options);
}

/** The newest run of a store that can be read, and the files of those before it. */
class Runs implements FolderStore {
  readonly #access: FolderAccess;
  readonly #files: StoreFiles;
  /** Whether there may be no manifest, which is so until there has been one. */
  #allowsEmpty: boolean;
  #newest!: RefreshedValue<Snapshot>;
  #retired: { names: readonly string[]; since: number }[] = [];
  #closed = false;

  private constructor(dir: string, { reads = 'direct', allowEmpty = false }: OpenStoreOptions) {
    this.#access = new FolderAccess(dir, reads);
    this.#files = new StoreFiles(this.#access);
    this.#allowsEmpty = allowEmpty;
  }

  static async open(dir: string, options: OpenStoreOptions): Promise<FolderStore> {
    const runs = new Runs(dir, options);
    const { refreshSeconds = 1, onFault } = options;
    const look = () => runs.#look();
    try {
      // While one request opens a new run, others read the run before.
      runs.#newest = await RefreshedValue.open({ look, seconds: refreshSeconds, waiting: 'first', onFault });
    } catch (error) {
      await runs.#access.close();
      throw error;
    }
    return runs;
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    const allowed = 'a store that is open';
    if (this.#closed) throw new FileError({ subject: this.#access.dir, problem: 'is closed', allowed });
    return this.#newest.current();
  }

  async check(): Promise<void> {
    if (!this.#allowsEmpty) await this.#access.checkManifest();
  }

  async close(): Promise<void> {
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
    await makeSureOfFolder(this.#access.dir);
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

/** Rejects with FileError where a path names no folder. */
async function makeSureOfFolder(dir: string): Promise<void> {
  const status = await stat(dir).catch((cause) => Promise.reject(unreadable(dir, cause, 'the folder of a store')));
  if (!status.isDirectory()) {
    throw new FileError({ subject: dir, problem: 'is not a folder', allowed: 'the folder of a store' });
  }
}

/** A clock that only goes forwards. */
function seconds(): number {
  return performance.now() / 1000;
}
