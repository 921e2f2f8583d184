import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unwritable } from '../file-fault.js';
import { lockStore, type UpdateLock } from '../store/folder/update-lock.node.js';
import { addToJournal, type FinishedOutput, readJournal } from './journal.js';

/** Its name in the folder of the outputs. */
export const WORK = '.plumecast-batch';
const JOURNAL = 'journal.jsonl';

/**
 * A folder within the folder of the outputs, on the same disk: what is not whole yet is there under temporary names, and the journal
 * of what is. One batch at a time has it.
 */
export class WorkFolder {
  /** Outputs that were whole when an earlier batch was stopped. */
  readonly finished: ReadonlyMap<string, FinishedOutput>;
  readonly #out: string;
  readonly #path: string;
  readonly #lock: UpdateLock;

  private constructor(out: string, path: string, lock: UpdateLock, finished: ReadonlyMap<string, FinishedOutput>) {
    this.#out = out;
    this.#path = path;
    this.#lock = lock;
    this.finished = finished;
  }

  /** Makes the folders where there are none, and removes what an earlier batch left half done. Throws FileError, also where another is at work. */
  static async open(out: string): Promise<WorkFolder> {
    const path = join(out, WORK);
    await mkdir(path, { recursive: true }).catch((cause) => {
      throw unwritable(path, cause);
    });
    const lock = await lockStore(path, 'another batch is at work there,');
    try {
      const finished = await readJournalOf(out);
      for (const name of await readdir(path)) {
        if (/\.(part|results)$/.test(name)) await rm(join(path, name), { force: true });
      }
      return new WorkFolder(out, path, lock, finished);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Where the output of a number is written before it is whole. */
  temporary(index: number): string {
    return join(this.#path, `${index}.part`);
  }

  /** Where results of the output of a number wait. */
  results(index: number): string {
    return join(this.#path, `${index}.results`);
  }

  /**
   * Writes an output down and gives it its name, in this order: killed in between, the next batch finds that there is another file of
   * that name, or none, where in the other order it would find one that nobody is known to have made. Throws FileError.
   */
  async finish(index: number, finished: FinishedOutput): Promise<void> {
    const path = join(this.#out, finished.output);
    await addToJournal(join(this.#path, JOURNAL), finished);
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

  /** Lets others have the folder; the journal stays, for a batch that goes on. */
  async leave(): Promise<void> {
    await this.#lock.release();
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(join(this.#path, JOURNAL), { force: true });
    await this.#lock.release();
    await rmdir(this.#path).catch(() => {});
  }
}

/** The journal of a batch in the folder of its outputs: of one that is at work, or was stopped. Throws FileError. */
export function readJournalOf(out: string): Promise<Map<string, FinishedOutput>> {
  return readJournal(join(out, WORK, JOURNAL));
}
