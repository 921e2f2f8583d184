import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reason, unreadable, unwritable } from '../disk/file-fault.js';
import { type FileLock, lockFolder } from '../disk/file-lock.node.js';
import { FileError, isPlumecastError } from '../errors.js';
import { hashFile, readFileState } from './fingerprint.js';
import { addToJournal, type FinishedOutput, type Journal, readJournal } from './journal.js';

/** Its name in the folder of the outputs. */
export const WORK = '.plumecast-batch';
const JOURNAL = 'journal.jsonl';
/** What a file system that is not full takes. */
const PROBE_BYTES = 4096;

/**
 * A folder within the folder of the outputs, on the same disk: what is not whole yet is there under temporary names, and the journal
 * of what is. One batch at a time has it.
 */
export class WorkFolder {
  /** Of an earlier batch that was stopped. */
  readonly journal: Journal;
  readonly #out: string;
  readonly #path: string;
  readonly #lock: FileLock;
  /** In the names of temporary files: no other batch has them, whatever it takes for left behind. */
  readonly #token = randomBytes(4).toString('hex');

  private constructor(out: string, lock: FileLock, journal: Journal) {
    this.#out = out;
    this.#path = join(out, WORK);
    this.#lock = lock;
    this.journal = journal;
  }

  /** Makes the folders where there are none, and removes what an earlier batch left half done. Throws FileError, also where another is at work. */
  static async open(out: string): Promise<WorkFolder> {
    const path = join(out, WORK);
    await mkdir(path, { recursive: true }).catch((cause) => {
      throw unwritable(path, cause);
    });
    const lock = await lockFolder(path, 'another batch is at work there,');
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

  /** Where the output of a number is written before it is whole. */
  temporary(index: number): string {
    return join(this.#path, `${index}.${this.#token}.part`);
  }

  /** Where results of the output of a number wait. */
  results(index: number): string {
    return join(this.#path, `${index}.${this.#token}.results`);
  }

  /** What the temporary file of an output holds. Throws FileError that names the output. */
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
   * Writes an output down and gives it its name, in this order: killed in between, the next batch finds that there is another file of
   * that name, or none, where in the other order it would find one that nobody is known to have made. Throws FileError.
   */
  async finish(index: number, finished: FinishedOutput): Promise<void> {
    const path = join(this.#out, finished.output);
    await this.#lock.assertHeld();
    await addToJournal(this.journalPath, finished);
    try {
      await mkdir(dirname(path), { recursive: true });
      await rename(this.temporary(index), path);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Removes what was written of an output so far. */
  async discard(index: number): Promise<void> {
    for (const path of [this.temporary(index), this.results(index)]) await rm(path, { force: true }).catch(() => {});
  }

  /** Why nothing can be written to the folder of the outputs any more: it is gone, full or protected; undefined where all is well. */
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
        allowed: 'a folder that stays as it is until the batch ends, on a disk with room',
        cause,
      });
    }
  }

  /** Lets others have the folder; the journal stays, for a batch that goes on. */
  async leave(): Promise<void> {
    const removed = this.#lock.assertHeld().then(() => this.#removeTemporaries());
    // What cannot be removed now, the next batch removes.
    await removed.catch(() => {});
    await this.#lock.release();
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(this.journalPath, { force: true }).catch(() => {});
    await this.leave();
    await rmdir(this.#path).catch(() => {});
  }

  /** Those of a batch that was killed, too. Only who has the lock may do so. */
  async #removeTemporaries(): Promise<void> {
    const names = await readdir(this.#path).catch((cause) => {
      throw unreadable(this.#path, cause, 'a folder that may be read');
    });
    for (const name of names) {
      if (/\.(part|results)$/.test(name)) await rm(join(this.#path, name), { force: true });
    }
  }
}

/** The journal of a batch in the folder of its outputs: of one that is at work, or was stopped. Throws FileError. */
export function readFolderJournal(out: string): Promise<Journal> {
  return readJournal(join(out, WORK, JOURNAL));
}
