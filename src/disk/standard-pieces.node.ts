import { fstatSync, readSync } from 'node:fs';

/** Bytes of a piece: what a pipe holds, unless its writer has made it larger. */
const READ_BYTES = 65_536;
/** Memory for several pieces, which saves getting and clearing it for each. */
const BUFFER_BYTES = 1_048_576;
/** After so many reads other events have their turn, such as signals. */
const READS_AT_ONCE = 64;

/**
 * The bytes of standard input as they arrive. What a pipe or a socket holds is read without a turn of the event loop for
 * each piece, which takes as long as to read it. Throws what reading throws.
 */
export function standardPieces(): PipePieces | NodeJS.ReadStream {
  return isPipe() ? new PipePieces() : process.stdin;
}

/** Whether standard input can be read so: not on Windows, where a read waits until something comes. */
function isPipe(): boolean {
  if (process.platform === 'win32') return false;
  const state = fstatSync(0);
  return state.isFIFO() || state.isSocket();
}

/** The bytes of a pipe: in pieces, or written into memory that is there, which spares one copy and the memory of the pieces. */
class PipePieces implements AsyncIterator<Uint8Array> {
  readonly #stdin = process.stdin;
  #reads = 0;
  #buffer = Buffer.alloc(0);
  #failure: unknown;

  constructor() {
    this.#stdin.on('error', this.#onError);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#buffer.length < READ_BYTES) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const count = await this.readInto(this.#buffer.subarray(0, READ_BYTES));
    if (count === 0) return this.return();
    const value = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return { done: false, value };
  }

  /** Waits for the next bytes, and resolves with their number: 0 at the end. */
  async readInto(target: Uint8Array): Promise<number> {
    try {
      return await this.#read(target);
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async #read(target: Uint8Array): Promise<number> {
    for (;;) {
      if (++this.#reads % READS_AT_ONCE === 0) await new Promise(setImmediate);
      // What the stream has read by itself comes before what is in the pipe.
      const count = this.#takeRead(target) ?? readNow(target);
      if (count !== undefined) return count;
      await arrival(this.#stdin);
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#stdin.readableEnded || this.#stdin.destroyed) return 0;
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    // It would keep the process alive.
    this.#stdin.destroy();
    this.#stdin.off('error', this.#onError);
    return { done: true, value: undefined };
  }

  #takeRead(target: Uint8Array): number | undefined {
    const piece: Buffer | null = this.#stdin.read();
    if (piece === null) return undefined;
    const count = Math.min(piece.length, target.length);
    target.set(piece.subarray(0, count));
    if (count < piece.length) this.#stdin.unshift(piece.subarray(count));
    return count;
  }

  readonly #onError = (error: unknown) => {
    this.#failure = error;
  };
}

/** Reads what is in the pipe: undefined if there is nothing yet, and 0 at the end. */
function readNow(target: Uint8Array): number | undefined {
  try {
    return readSync(0, target, 0, target.length, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Resolves when there is more, or nothing more comes. */
function arrival(stdin: NodeJS.ReadStream): Promise<void> {
  return new Promise((done) => {
    const events = ['readable', 'end', 'close', 'error'] as const;
    const settle = () => {
      for (const event of events) stdin.off(event, settle);
      done();
    };
    for (const event of events) stdin.once(event, settle);
  });
}
