import { ProblemError } from '../problem-error.js';
import type { SentResponse, Work } from './work-queue.js';

/** How the sending of a body ended. */
export interface BodyEnd {
  /** The bytes that were sent. */
  readonly bytes: number;
  /** Why it was not sent completely; undefined also where the client has gone. */
  readonly error?: unknown;
}

/** A body that is written in pieces: each when the client takes it and it is the key's turn. */
export class LongBody implements SentResponse {
  /** Resolves when all is sent, or nothing more can be sent. */
  readonly ended: Promise<BodyEnd>;
  readonly #pieces: Iterator<Uint8Array>;
  readonly #work: Work;
  #resolve: (end: BodyEnd) => void = () => {};
  #encoder: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> = (pieces) => pieces;
  /** The pieces as they are sent; undefined until the first is taken. */
  #encoded: AsyncIterator<Uint8Array> | undefined;
  #bytes = 0;
  #stalledSince: number | undefined = performance.now();
  #isEnded = false;

  constructor(pieces: Iterator<Uint8Array>, work: Work) {
    this.#pieces = pieces;
    this.#work = work;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get stalledSince(): number | undefined {
    return this.#stalledSince;
  }

  /** Sends other pieces, made from those that are written; to be called before the first is taken. */
  encode(encoder: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): void {
    this.#encoder = encoder;
  }

  /**
   * The next piece, when it is the key's turn; undefined at the end, and where the body was dropped. Rejects where it
   * cannot be written, or the client has gone.
   */
  async next(): Promise<Uint8Array | undefined> {
    // Not before: the body of HEAD, and of 304, is dropped.
    this.#stalledSince = undefined;
    this.#encoded ??= this.#encoder(this.#write())[Symbol.asyncIterator]();
    try {
      const next = await this.#encoded.next();
      if (next.done || this.#isEnded) {
        this.#end();
        return undefined;
      }
      this.#bytes += next.value.length;
      this.#stalledSince = performance.now();
      return next.value;
    } catch (error) {
      this.#end(error);
      throw error;
    }
  }

  async *#write(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await this.#work.pause();
      if (this.#isEnded) return;
      const next = this.#pieces.next();
      if (next.done) return;
      if (next.value.length > 0) yield next.value;
    }
  }

  /** The bytes, to be read once. */
  stream(): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = await this.next();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    };
    // What is broken off while nobody pulls: else its reader would not learn of it.
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.ended.then(({ error }) => error !== undefined && controller.error(error));
    };
    return new ReadableStream({ start, pull, cancel: () => this.drop() }, { highWaterMark: 0 });
  }

  /** Gives the body up: the rest is not written. */
  drop(): void {
    this.#end();
  }

  /** Gives the body up because its client takes it too slowly. */
  breakOff(): void {
    this.#end(new ProblemError(408, 'client-slow', 'The client has taken nothing of its answer for too long.'));
  }

  #end(error?: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pieces.return?.();
    // Its own errors are those of the pieces, which nobody takes any more.
    this.#encoded?.return?.()?.catch(() => undefined);
    this.#work.end();
    this.#resolve({ bytes: this.#bytes, error });
  }
}
