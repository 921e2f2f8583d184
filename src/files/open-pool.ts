/** What a pool opens and closes. */
interface Closable {
  close(): Promise<void>;
}

interface Opened<T> {
  readonly opening: Promise<T>;
  uses: number;
}

/** Opens files when they are used, and keeps some of them open: systems allow about a thousand at the same time. */
export class OpenPool<T extends Closable> {
  readonly #open: (index: number) => Promise<T>;
  #most: number;
  readonly #isFull: (error: unknown) => boolean;
  /** Those used last come last. */
  readonly #opened = new Map<number, Opened<T>>();

  /** At most `most` files stay open besides the ones in use: fewer where `isFull` says that the system has no more. */
  constructor(open: (index: number) => Promise<T>, most = 32, isFull: (error: unknown) => boolean = () => false) {
    this.#open = open;
    this.#most = most;
    this.#isFull = isFull;
  }

  /** Does `work` with a file. Throws what opening it and `work` throw. */
  async use<R>(index: number, work: (file: T) => Promise<R>): Promise<R> {
    const found = this.#opened.get(index) ?? { opening: this.#openOrLess(index), uses: 0 };
    this.#opened.delete(index);
    this.#opened.set(index, found);
    found.uses++;
    try {
      return await work(await found.opening);
    } catch (error) {
      // A file that cannot be opened is tried again the next time.
      if (found.uses === 1) await found.opening.catch(() => this.#opened.delete(index));
      throw error;
    } finally {
      found.uses--;
      await this.#closeSome(this.#most);
    }
  }

  /** Closes all files: those in use when their work ends, which may be after an error of another. */
  async close(): Promise<void> {
    this.#most = 0;
    await this.#closeSome(0);
  }

  async #openOrLess(index: number): Promise<T> {
    try {
      return await this.#open(index);
    } catch (error) {
      if (!this.#isFull(error)) throw error;
      this.#most = Math.floor(this.#opened.size / 2);
      await this.#closeSome(this.#most);
      return this.#open(index);
    }
  }

  async #closeSome(most: number): Promise<void> {
    for (const [index, { opening, uses }] of this.#opened) {
      if (this.#opened.size <= most) return;
      if (uses > 0) continue;
      this.#opened.delete(index);
      await opening.then((file) => file.close()).catch(() => undefined);
    }
  }
}
