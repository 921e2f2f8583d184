import {
  assertUnchanged,
  type FileState,
  type Fingerprint,
  hashFile,
  readFileState,
  sameState,
} from './fingerprint.js';
import type { NamedFingerprint } from './journal.js';

/** Files that are read for their checksums at a time: of thousands, all at once would be more than may be open. */
const MAX_READS = 4;

/** The files that a batch reads: what they are when it begins to read them, each looked at once. */
export class InputFiles {
  readonly #signal: AbortSignal;
  readonly #states = new Map<string, Promise<FileState>>();
  readonly #begun = new Map<string, Promise<FileState>>();
  readonly #fingerprints = new Map<string, Promise<Fingerprint>>();
  readonly #waiting: (() => void)[] = [];
  #read = 0;

  /** Once `signal` is given no more is read. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Without reading it. Rejects with FileError. */
  state(path: string): Promise<FileState> {
    return kept(this.#states, path, () => readFileState(path));
  }

  /** What files are from now on, before they are read; their checksums are computed meanwhile. Rejects with FileError. */
  async begin(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => kept(this.#begun, path, () => readFileState(path))));
    for (const path of paths) this.#fingerprint(path);
  }

  /** What a file is, or was when it was begun, and its checksum, for which it is read in its turn, once. Rejects with FileError. */
  #fingerprint(path: string): Promise<Fingerprint> {
    return kept(this.#fingerprints, path, async () => {
      const state = await kept(this.#begun, path, () => readFileState(path));
      return { ...state, sha256: await this.#inTurn(() => hashFile(path, this.#signal)) };
    });
  }

  /** The fingerprints of files that were begun. Throws FileError where one has changed meanwhile. */
  async unchanged(paths: readonly string[]): Promise<NamedFingerprint[]> {
    const all: NamedFingerprint[] = [];
    for (const path of paths) {
      const fingerprint = await this.#fingerprint(path);
      await assertUnchanged(path, fingerprint);
      all.push({ path, ...fingerprint });
    }
    return all;
  }

  /** What files are now that were something before; undefined where one is not of the same size and time, nor of the same content. */
  async stillSame(before: readonly NamedFingerprint[]): Promise<NamedFingerprint[] | undefined> {
    const all: NamedFingerprint[] = [];
    for (const { path, sha256, ...state } of before) {
      const now = await this.#now(path, state, sha256);
      if (now?.sha256 !== sha256) return undefined;
      all.push({ path, ...now });
    }
    return all;
  }

  async #now(path: string, before: FileState, sha256: string): Promise<Fingerprint | undefined> {
    try {
      const state = await this.state(path);
      if (sameState(state, before)) return { ...state, sha256 };
      return state.bytes === before.bytes ? await this.#fingerprint(path) : undefined;
    } catch {
      return undefined;
    }
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    while (this.#read === MAX_READS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#read++;
    try {
      return await read();
    } finally {
      this.#read--;
      this.#waiting.shift()?.();
    }
  }
}

function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  // Whoever needs it is told; that nobody does yet is no fault.
  made.catch(() => {});
  map.set(key, made);
  return made;
}
