import { assertKind, assertShape } from '../../../check/assert-shape.js';
import { assertKnownKeys, assertOneOf } from '../../../check/option-checks.js';
import { FileError, isPlumecastError, OptionError } from '../../../errors.js';
import { report } from '../../fault-report.js';
import type { Snapshot, WeatherSource } from '../source.js';
import { openSnapshot } from './folder-snapshot.node.js';
import { readManifest, readManifestStamp } from './manifest-file.node.js';
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
  const { refreshSeconds: received } = options;
  if (received !== undefined && !(typeof received === 'number' && received >= 0)) {
    const allowed = 'seconds, from 0 on';
    throw new OptionError({ subject: 'refreshSeconds', problem: 'is not a duration', received, allowed });
  }
  const runs = new Runs(dir, options);
  await runs.open();
  return runs;
}

/** The newest run of a store that can be read, and the files of those before it. */
class Runs implements FolderStore {
  readonly #dir: string;
  readonly #files: StoreFiles;
  readonly #refreshSeconds: number;
  readonly #onFault: ((error: Error) => void) | undefined;
  #current?: Snapshot;
  #stamp?: string;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking?: Promise<Snapshot>;
  #lastFault?: string;
  #retired: { files: readonly SeriesFile[]; since: number }[] = [];
  #closed = false;

  constructor(dir: string, { reads = 'direct', refreshSeconds = 1, onFault }: OpenStoreOptions) {
    this.#dir = dir;
    this.#files = new StoreFiles(dir, reads);
    this.#refreshSeconds = refreshSeconds;
    this.#onFault = onFault;
  }

  async open(): Promise<void> {
    try {
      await this.#openNewest();
    } catch (error) {
      await this.#files.close();
      throw error;
    }
    this.#checkedAt = seconds();
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    const allowed = 'a store that is open';
    if (this.#closed) throw new FileError({ subject: this.#dir, problem: 'is closed', allowed });
    // While one request checks for a new run, others do not wait for it.
    const isFresh = this.#checking !== undefined || seconds() - this.#checkedAt < this.#refreshSeconds;
    if (isFresh) return this.#current as Snapshot;
    this.#checking = this.#refresh().finally(() => {
      this.#checking = undefined;
      this.#checkedAt = seconds();
    });
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#checking?.catch(() => undefined);
    await closeAll(this.#retired.flatMap(({ files }) => files));
    await this.#files.close();
  }

  async #refresh(): Promise<Snapshot> {
    try {
      await this.#closeRetired();
      await this.#openNewest();
      this.#lastFault = undefined;
    } catch (error) {
      this.#report(error);
    }
    return this.#current as Snapshot;
  }

  /** Opens the newest run, unless it is open already. */
  async #openNewest(): Promise<void> {
    const stamp = await readManifestStamp(this.#dir);
    if (stamp === this.#stamp) return;
    const manifest = await readManifest(this.#dir);
    this.#current = await openSnapshot(manifest, this.#files);
    this.#stamp = stamp;
    const files = await this.#files.keepOnly(manifest);
    if (files.length > 0) this.#retired.push({ files, since: seconds() });
  }

  async #closeRetired(): Promise<void> {
    const isOver = ({ since }: { since: number }) => seconds() - since >= RETIRED_SECONDS;
    const over = this.#retired.filter(isOver);
    this.#retired = this.#retired.filter((each) => !over.includes(each));
    await closeAll(over.flatMap(({ files }) => files));
  }

  #report(error: unknown): void {
    if (!isPlumecastError(error)) throw error;
    if (error.message === this.#lastFault) return;
    this.#lastFault = error.message;
    report(this.#onFault, error);
  }
}

/** A clock that only goes forwards. */
function seconds(): number {
  return performance.now() / 1000;
}
