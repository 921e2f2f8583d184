/** Bytes that arrive in pieces of any size and are taken in pieces of other sizes. */
export class ByteFeed {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** Bytes that have arrived and are not taken yet. */
  #ready: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
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
