import { randomBytes } from 'node:crypto';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reason, unreadable, unwritable } from '../disk/file-fault.js';
import type { FileLock } from '../disk/file-lock.node.js';
import { makeFolder } from '../disk/make-folder.node.js';
import { FileError, isPlumecastError } from '../errors.js';
import { hashFile, readFileState } from './fingerprint.js';
import type { FinishedOutput, Journal } from './journal.js';
import { outputFolder } from './open-outputs.js';
import type { OutputFolder } from './output-folder.js';

/**
 * A folder within the folder of the outputs, on the same disk, or among temporary files where they lie in a bucket: it holds
 * incomplete outputs under temporary names, and beside them, or in the bucket, is the journal of complete ones. Only one batch at
 * a time can use it.
 */
export class WorkFolder {
  /** Where the outputs lie. */
  readonly outputs: OutputFolder;
  /** The journal of an earlier batch that was stopped. */
  readonly journal: Journal;
  readonly #path: string;
  readonly #lock: FileLock;
  /** Part of the names of temporary files, so that no other batch uses the same names. */
  readonly #token = randomBytes(4).toString('hex');

  private constructor(outputs: OutputFolder, lock: FileLock, journal: Journal) {
    this.outputs = outputs;
    this.#path = outputs.workPath;
    this.#lock = lock;
    this.journal = journal;
  }

  /**
   * Creates the folders if needed, and removes temporary files of an earlier batch. Throws FileError, also if another
   * batch is running.
   */
  static async open(out: string): Promise<WorkFolder> {
    const outputs = await outputFolder(out);
    await makeFolder(outputs.workPath);
    const lock = await outputs.lock('another batch is running there,');
    try {
      const work = new WorkFolder(outputs, lock, await outputs.readJournal());
      await work.#removeTemporaries();
      return work;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  get journalPath(): string {
    return this.outputs.journalPath;
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
      throw unwritable(this.outputs.pathOf(output), (error as Error).cause ?? error);
    }
  }

  /**
   * Adds an output to the journal and then gives it its name. After a kill in between, the next batch finds another
   * file of that name, or none; in the other order it would find a file of unknown origin. `from` is the path of its
   * file, by default the temporary one. Throws FileError.
   */
  async finish(index: number, finished: FinishedOutput, from = this.temporary(index)): Promise<void> {
    await this.#lock.assertHeld();
    await this.outputs.addToJournal(finished);
    await this.outputs.put(from, finished, join(this.#path, `${index}.${this.#token}.replaced.part`));
  }

  /** Removes an output of an earlier batch, and the folders above it that are empty then. Throws FileError. */
  async prune(output: string): Promise<void> {
    await this.#lock.assertHeld();
    await this.outputs.remove(output);
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
    try {
      await this.#lock.assertHeld();
      await this.outputs.assertWritable(join(this.#path, `probe.${this.#token}.part`));
      return undefined;
    } catch (cause) {
      const system = isPlumecastError(cause) ? cause.cause : cause;
      const isOfSystem = typeof (system as NodeJS.ErrnoException | undefined)?.code === 'string';
      const isOfServer = !isOfSystem && isPlumecastError(cause, 'file');
      const why = isOfSystem ? reason(system as NodeJS.ErrnoException) : (cause as Error).message;
      return new FileError({
        subject: this.outputs.out,
        problem: `the folder of the results cannot be written to any more: ${isOfServer ? `${cause.subject} ${cause.problem}` : why}`,
        allowed: isOfServer
          ? cause.allowed
          : 'a folder that stays as it is until the batch ends, on a disk with free space',
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
    await this.outputs.removeJournal().catch(() => {});
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
