import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reason, unreadable, unwritable } from '../disk/file-fault.js';
import { type FileLock, lockFolder } from '../disk/file-lock.node.js';
import { makeFolder } from '../disk/make-folder.node.js';
import { FileError, isPlumecastError } from '../errors.js';
import { hashFile, readFileState } from './fingerprint.js';
import { addToJournal, type FinishedOutput, type Journal, readJournal } from './journal.js';
import { replaceYears } from './replace-years.js';

/** The name of the work folder within the folder of the outputs. */
export const WORK = '.plumecast-batch';
const JOURNAL = 'journal.jsonl';
/** The size of a file that is written to see whether the disk is full. */
const PROBE_BYTES = 4096;

/**
 * A folder within the folder of the outputs, on the same disk: it holds incomplete outputs under temporary names, and
 * the journal of complete ones. Only one batch at a time can use it.
 */
export class WorkFolder {
  /** The journal of an earlier batch that was stopped. */
  readonly journal: Journal;
  readonly #out: string;
  readonly #path: string;
  readonly #lock: FileLock;
  /** Part of the names of temporary files, so that no other batch uses the same names. */
  readonly #token = randomBytes(4).toString('hex');

  private constructor(out: string, lock: FileLock, journal: Journal) {
    this.#out = out;
    this.#path = join(out, WORK);
    this.#lock = lock;
    this.journal = journal;
  }

  /**
   * Creates the folders if needed, and removes temporary files of an earlier batch. Throws FileError, also if another
   * batch is running.
   */
  static async open(out: string): Promise<WorkFolder> {
    const path = join(out, WORK);
    await makeFolder(path);
    const lock = await lockFolder(path, 'another batch is running there,');
    try {
      const work = new WorkFolder(out, lock, await readFolderJournal(out));
      await work.#removeTemporaries();
      return work;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get journalPath(): string {
    return join(this.#path, JOURNAL);
  }

  /** The path where an output is written until it is complete. */
  temporary(index: number): string {
    return join(this.#path, `${index}.${this.#token}.part`);
  }

  /** The path of the results of a large grid. */
  results(index: number): string {
    return join(this.#path, `${index}.${this.#token}.results`);
  }

  /** Measures the temporary file of an output. Throws a FileError that names the output. */
  async measure(index: number, output: string): Promise<{ bytes: number; sha256: string }> {
    const temporary = this.temporary(index);
    try {
      const { bytes } = await readFileState(temporary);
      return { bytes, sha256: await hashFile(temporary) };
    } catch (error) {
      throw unwritable(join(this.#out, output), (error as Error).cause ?? error);
    }
  }

  /**
   * Adds an output to the journal and then gives it its name. After a kill in between, the next batch finds another
   * file of that name, or none; in the other order it would find a file of unknown origin. `from` is the path of its
   * file, by default the temporary one. Throws FileError.
   */
  async finish(index: number, finished: FinishedOutput, from = this.temporary(index)): Promise<void> {
    const path = join(this.#out, finished.output);
    await this.#lock.assertHeld();
    await addToJournal(this.journalPath, finished);
    try {
      await mkdir(dirname(path), { recursive: true });
      if ((await stat(from)).isDirectory()) {
        const aside = join(this.#path, `${index}.${this.#token}.replaced.part`);
        if (path.endsWith('.zarr')) {
          const { replaceStore } = await import('../files/zarr/replace-store.node.js');
          await replaceStore(from, path, aside);
        } else await replaceYears(from, path, aside);
      } else await rename(from, path);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Removes an output of an earlier batch, and the folders above it that are empty then. Throws FileError. */
  async prune(output: string): Promise<void> {
    const path = join(this.#out, output);
    await this.#lock.assertHeld();
    await rm(path, { recursive: true, force: true }).catch((cause) => {
      throw unwritable(path, cause);
    });
    for (let step = dirname(output); step !== '.'; step = dirname(step)) {
      const isEmpty = await rmdir(join(this.#out, step)).then(
        () => true,
        () => false,
      );
      if (!isEmpty) return;
    }
  }

  /** Removes the temporary files of an output. */
  async discard(index: number): Promise<void> {
    for (const path of [this.temporary(index), this.results(index)])
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }

  /**
   * Finds out why the folder of the outputs cannot be written to any more: missing, full or protected; undefined if it
   * can.
   */
  async findFault(): Promise<FileError | undefined> {
    const probe = join(this.#path, `probe.${this.#token}.part`);
    try {
      await this.#lock.assertHeld();
      await writeFile(probe, new Uint8Array(PROBE_BYTES), { flush: true });
      await rm(probe, { force: true });
      return undefined;
    } catch (cause) {
      await rm(probe, { force: true }).catch(() => {});
      const system = isPlumecastError(cause) ? cause.cause : cause;
      const problem = system === undefined ? (cause as Error).message : reason(system as NodeJS.ErrnoException);
      return new FileError({
        subject: this.#out,
        problem: `the folder of the results cannot be written to any more: ${problem}`,
        allowed: 'a folder that stays as it is until the batch ends, on a disk with free space',
        cause,
      });
    }
  }

  /** Releases the folder; the journal stays, so that the batch can be resumed. */
  async leave(): Promise<void> {
    const removed = this.#lock.assertHeld().then(() => this.#removeTemporaries());
    // The next batch removes the files that cannot be removed now.
    await removed.catch(() => {});
    await this.#lock.release();
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(this.journalPath, { force: true }).catch(() => {});
    await this.leave();
    await rmdir(this.#path).catch(() => {});
  }

  /** Removes all temporary files, also those of a batch that was killed. Only allowed while the lock is held. */
  async #removeTemporaries(): Promise<void> {
    const names = await readdir(this.#path).catch((cause) => {
      throw unreadable(this.#path, cause, 'a folder that may be read');
    });
    for (const name of names) {
      if (/\.(part|results)$/.test(name)) await rm(join(this.#path, name), { recursive: true, force: true });
    }
  }
}

/** Reads the journal in a folder of outputs: of a batch that is running, or was stopped. Throws FileError. */
export function readFolderJournal(out: string): Promise<Journal> {
  return readJournal(join(out, WORK, JOURNAL));
}
