import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Work } from '../../check/work.js';
import { unwritable } from '../../disk/file-fault.js';
import { FileError } from '../../errors.js';

/** A new file that grows at its end; every failure to write it is thrown as FileError. */
export class GrowingFile {
  readonly #path: string;
  readonly #file: FileHandle;
  /** What writes it. */
  readonly work: Work;
  /** The place of the next bytes. */
  length = 0;

  private constructor(path: string, file: FileHandle, work: Work) {
    this.#path = path;
    this.#file = file;
    this.work = work;
  }

  /** Creates the file, or empties it. */
  static async create(path: string, work: Work): Promise<GrowingFile> {
    try {
      return new GrowingFile(path, await open(path, 'w'), work);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Writes at the end; returns where the bytes begin. */
  async append(bytes: Uint8Array): Promise<number> {
    const at = this.length;
    this.length += bytes.length;
    await this.#write(bytes, at);
    return at;
  }

  /** Zeros up to the next multiple of 8 bytes. */
  async align(): Promise<void> {
    const over = this.length % 8;
    if (over > 0) await this.append(new Uint8Array(8 - over));
  }

  /** Overwrites the bytes at the beginning. */
  async begin(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes, 0);
  }

  /** Throws if the file does not have all bytes: some file systems report only now that the disk is full. */
  async close(): Promise<void> {
    try {
      const { size } = await this.#file.stat().finally(() => this.#file.close());
      if (size === this.length) return;
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
    throw new FileError({ subject: this.#path, problem: 'was changed by another process while it was written' });
  }

  /** Closes the file as it is, after a failure; where its work was aborted, removes it, unless it is a device. */
  async abandon(): Promise<void> {
    const isRemoved = this.work.signal?.aborted === true && (await this.#file.stat()).isFile();
    await this.#file.close().catch(() => {});
    if (isRemoved) await rm(this.#path, { force: true });
  }

  async #write(bytes: Uint8Array, at: number): Promise<void> {
    await this.work.pause();
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done);
        done += bytesWritten;
      }
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
  }
}
