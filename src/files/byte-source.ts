import { isIterable } from '../check/option-checks.js';
import { Work } from '../check/work.js';
import { unusable } from '../errors.js';
import type { PlatformResponse } from '../platform.js';

/**
 * The bytes of a file by which its format is detected: one more than are looked at as text, so that a longer text is
 * known to be cut. HDF5 may begin after other bytes.
 */
export const HEAD_BYTES = 65_537;

/** A source of bytes: all at once, a file in a browser, a response or its body, or piece by piece. */
export type ByteSource =
  | Uint8Array
  | DataView
  | ArrayBuffer
  | SharedArrayBuffer
  | PlatformResponse
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/**
 * The bytes in pieces, between which `work` pauses, and which it counts. The source is closed if the caller stops early,
 * or the work is aborted: also while it waits for a piece.
 */
export async function* readPieces(given: ByteSource, work = new Work({}, 'bytes')): AsyncGenerator<Uint8Array> {
  assertBytes(given);
  const source = plainSource(given);
  if (source instanceof Uint8Array) {
    work.advance(source.length);
    yield source;
  } else if (isBlob(source)) yield* readStream(source.stream(), work);
  // Its iterator would not end before its next piece comes.
  else if ('getReader' in source) yield* readStream(source, work);
  else {
    for await (const piece of work.taken(source)) {
      if (!(piece instanceof Uint8Array)) throw unusable('piece of the bytes', piece, 'a Uint8Array');
      work.advance(piece.length);
      yield piece;
    }
  }
}

/** Throws OptionError unless `source` is a source of bytes. */
export function assertBytes(source: unknown, allowed = BYTES): asserts source is ByteSource {
  if (!isIterable(source) && !hasBytes(source)) throw unusable('bytes', source, allowed);
  if (isResponse(source) && !source.ok)
    throw unusable('bytes', `a response of status ${source.status}`, 'a response with what was asked for');
}

/** What messages say may be given for bytes. */
export const BYTES =
  'a Uint8Array, an ArrayBuffer, a Blob, a Response of fetch, a ReadableStream, or an iterable of Uint8Arrays';

/** Whether this is known to be bytes, which an iterable is only by its items. */
export function hasBytes(source: unknown): source is Exclude<ByteSource, AsyncIterable<unknown>> {
  if (typeof source !== 'object' || source === null) return false;
  return isBlob(source) || isResponse(source) || bytesInMemory(source) !== undefined || 'getReader' in source;
}

type PlainSource = Exclude<ByteSource, DataView | ArrayBuffer | SharedArrayBuffer | Response>;

/** The bytes of a buffer as a Uint8Array, and the body of a response; other sources as they are. */
function plainSource(source: ByteSource): PlainSource {
  if (isResponse(source)) return source.body ?? new Uint8Array(0);
  return bytesInMemory(source) ?? (source as PlainSource);
}

/** Bytes that are all there; those of shared memory are copied, as no decoder takes them. */
export function bytesInMemory(source: unknown): Uint8Array | undefined {
  if (source instanceof Uint8Array) return source;
  if (source instanceof DataView) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof SharedArrayBuffer === 'undefined' || !(source instanceof SharedArrayBuffer)) return undefined;
  return new Uint8Array(source).slice();
}

/** Not by instanceof: in Node, merely naming Response loads its whole HTTP client. */
export function isResponse(source: unknown): source is Response {
  return Object.prototype.toString.call(source) === '[object Response]';
}

/** How many bytes a source has, where it says. */
export function knownBytes(source: ByteSource): number | undefined {
  if (isBlob(source)) return source.size;
  return isResponse(source) ? undefined : (source as Partial<ArrayBufferView>).byteLength;
}

export function isBlob(source: unknown): source is Blob {
  return typeof Blob !== 'undefined' && source instanceof Blob;
}

/** Not every browser can iterate over a stream. */
async function* readStream(stream: ReadableStream<Uint8Array>, work: Work): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await work.orAborted(reader.read());
      if (done) break;
      work.advance(value.length);
      yield value;
      await work.pause();
    }
    isDone = true;
  } finally {
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}

/** Bytes that arrive in pieces of any size; some sources can also write them into memory that is there. */
export interface Pieces extends AsyncIterable<Uint8Array> {
  /**
   * Waits for the next bytes, writes them to the beginning of `target`, and resolves with their number: 0 at the end.
   * They do not come as a piece again.
   */
  readInto?(target: Uint8Array): Promise<number>;
}

/** Bytes that arrive in pieces of any size and are taken in pieces of other sizes. */
export class ByteFeed implements Pieces {
  readonly #source: Pieces;
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** Bytes that have arrived and are not taken yet. */
  #ready: Uint8Array = new Uint8Array(0);

  constructor(source: Pieces) {
    this.#source = source;
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Waits until `bytes` bytes have arrived; false if the source ends before. */
  async has(bytes: number): Promise<boolean> {
    if (this.#ready.length >= bytes) return true;
    const pieces = [this.#ready];
    let length = this.#ready.length;
    while (length < bytes) {
      const { done, value } = await this.#pieces.next();
      if (done) break;
      pieces.push(value);
      length += value.length;
    }
    this.#ready = joined(pieces, length);
    return length >= bytes;
  }

  /** The next bytes, without taking them; `has` must have been true for as many. */
  peek(bytes: number): Uint8Array {
    return this.#ready.subarray(0, bytes);
  }

  /** Takes the next bytes; `has` must have been true for as many. */
  take(bytes: number): Uint8Array {
    const taken = this.#ready.subarray(0, bytes);
    this.#ready = this.#ready.subarray(bytes);
    return taken;
  }

  /** Takes the bytes that have arrived, at most `bytes`. */
  takeUpTo(bytes: number): Uint8Array {
    return this.take(Math.min(bytes, this.#ready.length));
  }

  /** Whether the source can write into memory that is there. */
  get isDirect(): boolean {
    return this.#source.readInto !== undefined;
  }

  async readInto(target: Uint8Array): Promise<number> {
    if (this.#ready.length === 0 && this.#source.readInto !== undefined) return this.#source.readInto(target);
    if (!(await this.has(1))) return 0;
    const piece = this.takeUpTo(target.length);
    target.set(piece);
    return piece.length;
  }

  /** The bytes that are not taken yet, as they arrive. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (await this.has(1)) yield this.takeUpTo(Number.POSITIVE_INFINITY);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first, second] = pieces.filter((piece) => piece.length > 0);
  if (first === undefined || second === undefined) return first ?? new Uint8Array(0);
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
