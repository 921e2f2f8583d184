import { FormatError } from '../errors.js';
import { ByteFeed, type Pieces } from '../files/byte-source.js';

/*
 * The frames of `plumecast worker`, as docs/worker.md specifies them: a byte for the kind, the length of the payload as
 * an unsigned number of four bytes, least significant byte first, and the payload.
 */

/** The version of the framing and of the texts in it. */
export const PROTOCOL_VERSION = 1;

/** The kinds of frames: letters of ASCII. */
export const KINDS = {
  hello: 'H',
  request: 'Q',
  data: 'D',
  end: 'E',
  notice: 'N',
  result: 'R',
  error: 'X',
} as const;

type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Bytes of the kind and the length. */
const HEAD_BYTES = 5;
/** Bytes of the payload of an end frame: a number of rows. */
const COUNT_BYTES = 8;

/** The least and the most bytes of the payloads that a client sends. */
const LENGTHS: Readonly<Record<string, readonly [number, number]>> = {
  [KINDS.request]: [2, 1_048_576],
  [KINDS.data]: [1, 16_777_216],
  [KINDS.end]: [COUNT_BYTES, COUNT_BYTES],
};

/** The kind and the length of a frame, before its payload. */
export function frameHead(kind: Kind, length: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES);
  head[0] = kind.charCodeAt(0);
  new DataView(head.buffer).setUint32(1, length, true);
  return head;
}

/** A frame whose payload is an object as JSON in UTF-8. */
export function jsonFrame(kind: Kind, content: object): Uint8Array {
  const payload = new TextEncoder().encode(JSON.stringify(content));
  const frame = new Uint8Array(HEAD_BYTES + payload.length);
  frame.set(frameHead(kind, payload.length));
  frame.set(payload, HEAD_BYTES);
  return frame;
}

/** The end of an answer, with the number of its rows. */
export function endFrame(rows: number): Uint8Array {
  const frame = new Uint8Array(HEAD_BYTES + COUNT_BYTES);
  frame.set(frameHead(KINDS.end, COUNT_BYTES));
  new DataView(frame.buffer).setBigUint64(HEAD_BYTES, BigInt(rows), true);
  return frame;
}

/**
 * Reads the frames of a client: for each request its text, its data, and the number of rows at its end. Frames in
 * another order, of another kind or length, and streams that are cut off are FormatErrors, and `fault` is then the
 * first of them: no later frame can be found.
 */
export class FrameReader {
  readonly #feed: ByteFeed;
  /** Bytes of the current data frame that are still to come. */
  #left = 0;
  #rows: number | undefined;
  #fault: FormatError | undefined;
  #isBetween = true;

  constructor(bytes: Pieces) {
    this.#feed = new ByteFeed(bytes);
  }

  /** Whether it waits for the first byte of a request. */
  get isBetween(): boolean {
    return this.#isBetween;
  }

  get fault(): FormatError | undefined {
    return this.#fault;
  }

  /** The text of the next request; undefined if the client is done. */
  async request(): Promise<Uint8Array | undefined> {
    this.#isBetween = true;
    if (!(await this.#feed.has(1))) return undefined;
    this.#isBetween = false;
    const { length } = await this.#head([KINDS.request]);
    this.#rows = undefined;
    this.#left = 0;
    return this.#payload(length);
  }

  /**
   * The data of the request in pieces, as they arrive, up to its end; those that were read before do not come again.
   */
  data(): Pieces {
    return { [Symbol.asyncIterator]: () => this.#pieces(), readInto: (target) => this.#readInto(target) };
  }

  /** Reads the rest of the request, and returns the number of rows at its end. */
  async end(): Promise<number> {
    for await (const _ of this.data());
    return this.#rows as number;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#feed.close();
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    while (await this.#hasData()) {
      if (!(await this.#feed.has(1))) throw this.#cutOff();
      const piece = this.#feed.takeUpTo(this.#left);
      this.#left -= piece.length;
      yield piece;
    }
  }

  async #readInto(target: Uint8Array): Promise<number> {
    if (!(await this.#hasData())) return 0;
    const count = await this.#feed.readInto(target.subarray(0, this.#left));
    if (count === 0) throw this.#cutOff();
    this.#left -= count;
    return count;
  }

  /** Whether the request has more data; those of the current frame are still to come then. */
  async #hasData(): Promise<boolean> {
    while (this.#left === 0 && this.#rows === undefined) {
      const { kind, length } = await this.#head([KINDS.data, KINDS.end]);
      if (kind === KINDS.end) this.#rows = this.#readCount(await this.#payload(length));
      else this.#left = length;
    }
    return this.#rows === undefined;
  }

  async #head(expected: readonly Kind[]): Promise<{ kind: string; length: number }> {
    if (!(await this.#feed.has(HEAD_BYTES))) throw this.#cutOff();
    const head = this.#feed.take(HEAD_BYTES);
    const kind = String.fromCharCode(head[0]);
    if (!(expected as readonly string[]).includes(kind)) {
      throw this.#reject({ problem: 'is not of an expected kind', received: kind, allowed: expected.join(' or ') });
    }
    const length = new DataView(head.buffer, head.byteOffset).getUint32(1, true);
    const [least, most] = LENGTHS[kind];
    if (length >= least && length <= most) return { kind, length };
    const allowed = least === most ? `${most} bytes` : `${least} to ${most} bytes`;
    throw this.#reject({ problem: `of kind ${kind} has a wrong length`, received: length, allowed });
  }

  async #payload(length: number): Promise<Uint8Array> {
    if (!(await this.#feed.has(length))) throw this.#cutOff();
    return this.#feed.take(length);
  }

  #readCount(payload: Uint8Array): number {
    const count = new DataView(payload.buffer, payload.byteOffset).getBigUint64(0, true);
    if (count <= Number.MAX_SAFE_INTEGER) return Number(count);
    throw this.#reject({
      problem: 'of kind E has an impossible number of rows',
      received: count,
      allowed: 'below 2^53',
    });
  }

  #cutOff(): FormatError {
    const problem = 'is cut off before its end frame';
    return this.#setFault(
      new FormatError({ subject: 'request', problem, allowed: 'frames Q, D and E, each complete' }),
    );
  }

  #reject(parts: { problem: string; received: unknown; allowed: string }): FormatError {
    return this.#setFault(new FormatError({ subject: 'frame', ...parts }));
  }

  #setFault(fault: FormatError): FormatError {
    this.#fault ??= fault;
    return fault;
  }
}
