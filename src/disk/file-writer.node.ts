import type { FileHandle } from 'node:fs/promises';

/** The most bytes that may wait while others are being written. */
const MAX_WAITING = 4_194_304;

/** Writes blocks to a file one after the other, in the background: meanwhile the caller can make the next ones. */
export class FileWriter {
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Takes a block, which must not change any more; waits if too many blocks wait. Throws the error of an earlier block.
   */
  async write(block: Uint8Array): Promise<void> {
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
    this.#writing ??= this.#writeWaiting();
    while (this.#waitingBytes > MAX_WAITING && this.#writing !== undefined) await this.#writing;
    this.#assertNotFailed();
  }

  /** Waits until all blocks are written. Throws the error of a block that was not. */
  async end(): Promise<void> {
    await this.#writing;
    this.#assertNotFailed();
  }

  #assertNotFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never rejects: the next call of `write` or `end` throws the failure. */
  async #writeWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const blocks = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        await writeAll(this.#file, blocks);
      }
    } catch (failure) {
      this.#failure = failure;
    }
    this.#writing = undefined;
  }
}

/** A single call may write only a part, when the disk becomes full or there are many blocks. */
async function writeAll(file: FileHandle, blocks: readonly Uint8Array[]): Promise<void> {
  let left = blocks;
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left);
    left = left.flatMap((block) => {
      const done = Math.min(bytesWritten, block.length);
      bytesWritten -= done;
      return done === block.length ? [] : [block.subarray(done)];
    });
  }
}
