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
  readonly #most: number;
  /** Those used last come last. */
  readonly #opened = new Map<number, Opened<T>>();

  /** At most `most` files stay open besides the ones in use. */
  constructor(open: (index: number) => Promise<T>, most = 32) {
    this.#open = open;
    this.#most = most;
  }

  /** Does `work` with a file. Throws what opening it and `work` throw. */
  async use<R>(index: number, work: (file: T) => Promise<R>): Promise<R> {
    const found = this.#opened.get(index) ?? { opening: this.#open(index), uses: 0 };
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

  async close(): Promise<void> {
    await this.#closeSome(0);
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
