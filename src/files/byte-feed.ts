/** Bytes that come in pieces of any size, to be taken in others. */
export class ByteFeed {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** What has come and is not taken yet. */
  #ready: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Waits until `bytes` bytes are there; false where there are no more. */
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

  /** The next bytes, which are there, without taking them. */
  peek(bytes: number): Uint8Array {
    return this.#ready.subarray(0, bytes);
  }

  /** Takes the next bytes, which are there. */
  take(bytes: number): Uint8Array {
    const taken = this.#ready.subarray(0, bytes);
    this.#ready = this.#ready.subarray(bytes);
    return taken;
  }

  /** Takes what is there, at most `bytes` bytes. */
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
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
