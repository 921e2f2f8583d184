import type { Work } from './work-queue.js';

/** How the sending of a body ended. */
export interface BodyEnd {
  /** The bytes that were sent. */
  readonly bytes: number;
  /** Why it was not sent completely; undefined also where the client has gone. */
  readonly error?: unknown;
}

/** A body that is written in pieces: each when the client takes it and it is the key's turn. */
export class LongBody {
  /** Resolves when all is sent, or nothing more can be sent. */
  readonly ended: Promise<BodyEnd>;
  readonly #pieces: Iterator<Uint8Array>;
  readonly #work: Work;
  #resolve: (end: BodyEnd) => void = () => {};
  #bytes = 0;
  #isEnded = false;

  constructor(pieces: Iterator<Uint8Array>, work: Work) {
    this.#pieces = pieces;
    this.#work = work;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /**
   * The next piece, when it is the key's turn; undefined at the end, and where the body was dropped. Rejects where it
   * cannot be written, or the client has gone.
   */
  async next(): Promise<Uint8Array | undefined> {
    try {
      await this.#work.pause();
      if (this.#isEnded) return undefined;
      let next = this.#pieces.next();
      while (!next.done && next.value.length === 0) next = this.#pieces.next();
      if (next.done) {
        this.#end();
        return undefined;
      }
      this.#bytes += next.value.length;
      return next.value;
    } catch (error) {
      this.#end(error);
      throw error;
    }
  }

  /** The bytes, to be read once. */
  stream(): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = await this.next();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    };
    return new ReadableStream({ pull, cancel: () => this.drop() }, { highWaterMark: 0 });
  }

  /** Gives the body up: the rest is not written. */
  drop(): void {
    this.#end();
  }

  #end(error?: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pieces.return?.();
    this.#work.end();
    this.#resolve({ bytes: this.#bytes, error });
  }
}
