import { isKeyLength, type KeyRecord, type KeyStore } from '../access/key-store.js';
import { nodeDigestText } from '../access/node-digest.node.js';
import { RememberedKeys } from '../access/remembered-keys.js';
import { isPromise } from '../point/pause.js';
import type { ChangeWatch } from './change-watch.node.js';
import { type KnownRows, MAX_ROWS } from './known-rows.node.js';

/** Finds keys by their hashes; keys that were used lately by a quicker hash. */
export class DatabaseKeys implements KeyStore {
  readonly #rows: KnownRows<KeyRecord>;
  readonly #watch: Pick<ChangeWatch, 'epoch' | 'ageSeconds'>;
  #remembered = new RememberedKeys(MAX_ROWS);
  #epoch = 0;

  constructor(rows: KnownRows<KeyRecord>, watch: Pick<ChangeWatch, 'epoch' | 'ageSeconds'>) {
    this.#rows = rows;
    this.#watch = watch;
  }

  readonly ageSeconds = () => this.#watch.ageSeconds;

  find(key: string): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    if (!isKeyLength(key)) return undefined;
    const { epoch } = this.#watch;
    if (epoch !== this.#epoch) {
      this.#remembered = new RememberedKeys(MAX_ROWS);
      this.#epoch = epoch;
    }
    const known = this.#rows.isUsable ? this.#remembered.find(key) : undefined;
    if (known !== undefined) return known;
    const found = this.#rows.find(nodeDigestText(key));
    if (found !== undefined && !isPromise(found)) this.#remembered.remember(key, found);
    return found;
  }

  forget(hash: string): void {
    this.#remembered = new RememberedKeys(MAX_ROWS);
    this.#rows.forget(hash);
  }

  forgetAbsent(): void {
    this.#rows.forgetAbsent();
  }
}
