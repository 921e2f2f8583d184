import { assertKind, assertShape } from '../../../check/assert-shape.js';
import { assertKnownKeys, assertOneOf } from '../../../check/option-checks.js';
import { FileError, isPlumecastError, OptionError } from '../../../errors.js';
import { report } from '../../fault-report.js';
import type { Snapshot, WeatherSource } from '../source.js';
import { folderSnapshot } from './folder-snapshot.node.js';
import { manifestStamp, readManifest } from './manifest-file.node.js';
import { READ_MODES, type ReadMode, type SeriesFile } from './series-file.node.js';
import { closeAll, StoreFiles } from './store-files.node.js';

/** How to read a store in a folder. */
export interface OpenStoreOptions {
  /** `direct` by default: see {@link ReadMode}. */
  readonly reads?: ReadMode;
  /** How often, at most, it is looked whether there is a new run, in seconds: 1 by default, 0 for at every snapshot. */
  readonly refreshSeconds?: number;
  /** Told when a new run cannot be opened, once for each new fault; the run before is given on meanwhile. */
  readonly onFault?: (error: Error) => void;
}

/** A store in a folder. */
export interface FolderStore extends WeatherSource {
  /** Closes all files, when nothing is being read any more. Snapshots cannot be read afterwards. */
  close(): Promise<void>;
}

/** How long the files of a run stay open when there is a newer one, at least, in seconds. */
const RETIRED_SECONDS = 60;

/**
 * Opens the store in a folder for reading. A snapshot is of one run, all of whose files could be opened; a new run is taken up when
 * a snapshot is next asked for, and what did not change stays open. Snapshots of the run before can be read for a minute or more.
 *
 * Rejects with FileError or FormatError, which name the file, where there is no store, or a file of it is missing, cut short, not
 * what the manifest says or not permitted to be read; with OptionError for an option that is wrong. A file that becomes unreadable
 * later is an error of the reads that need it, and is opened anew by each of them until it is whole again.
 */
export async function openStore(dir: string, options: OpenStoreOptions = {}): Promise<FolderStore> {
  assertKind('dir', dir, 'text');
  assertKnownKeys(options, ['reads', 'refreshSeconds', 'onFault']);
  assertShape('options', options, { onFault: 'function?' });
  if (options.reads !== undefined) assertOneOf('reads', options.reads, READ_MODES);
  const { refreshSeconds: received } = options;
  if (received !== undefined && !(typeof received === 'number' && received >= 0)) {
    const allowed = 'seconds, from 0 on';
    throw new OptionError({ subject: 'refreshSeconds', problem: 'is no duration', received, allowed });
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
      await this.#takeUp();
    } catch (error) {
      await this.#files.close();
      throw error;
    }
    this.#checkedAt = seconds();
  }

  snapshot(): Snapshot | Promise<Snapshot> {
    const allowed = 'a store that is open';
    if (this.#closed) throw new FileError({ subject: this.#dir, problem: 'is closed', allowed });
    // While one request looks for a new run, the others are not kept waiting.
    const isFresh = this.#checking !== undefined || seconds() - this.#checkedAt < this.#refreshSeconds;
    if (isFresh) return this.#current as Snapshot;
    this.#checking = this.#refreshed().finally(() => {
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

  async #refreshed(): Promise<Snapshot> {
    try {
      await this.#closeRetired();
      await this.#takeUp();
      this.#lastFault = undefined;
    } catch (error) {
      this.#report(error);
    }
    return this.#current as Snapshot;
  }

  /** Opens the newest run, if it is another one than the current. */
  async #takeUp(): Promise<void> {
    const stamp = await manifestStamp(this.#dir);
    if (stamp === this.#stamp) return;
    const manifest = await readManifest(this.#dir);
    this.#current = await folderSnapshot(manifest, this.#files);
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
