import type { FileHandle } from 'node:fs/promises';

/** Bytes that may wait while others are being written. */
const MAX_WAITING = 4_194_304;

/** Writes blocks to a file one after the other, behind the back of the caller, who can make the next ones meanwhile. */
export class FileWriter {
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Takes a block, which must not be changed any more; waits where too many do. Throws what kept blocks before from being written. */
  async write(block: Uint8Array): Promise<void> {
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
    this.#writing ??= this.#writeWaiting();
    while (this.#waitingBytes > MAX_WAITING && this.#writing !== undefined) await this.#writing;
    this.#assertNotFailed();
  }

  /** Waits until all is written, or nothing more is. */
  async end(): Promise<void> {
    await this.#writing;
    this.#assertNotFailed();
  }

  #assertNotFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never rejects: a failure is told to whoever writes next. */
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

/** A single call may write less than it is given, where the disk becomes full or the blocks are many. */
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
