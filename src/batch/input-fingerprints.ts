import {
  assertUnchanged,
  type FileState,
  type Fingerprint,
  hashFile,
  readFileState,
  sameState,
} from './fingerprint.js';
import type { NamedFingerprint } from './journal.js';

/** How many files are read for their checksums at a time: a process may not open thousands at once. */
const MAX_READS = 4;

/** The states and checksums of the files that a batch reads, each determined once. */
export class InputFingerprints {
  readonly #signal: AbortSignal;
  readonly #states = new Map<string, Promise<FileState>>();
  readonly #recorded = new Map<string, Promise<FileState>>();
  readonly #fingerprints = new Map<string, Promise<Fingerprint>>();
  readonly #waiting: (() => void)[] = [];
  readonly #believed = new Set<string>();
  #read = 0;

  /** Reading stops when `signal` aborts. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** How many files count as unchanged because their sizes and times are the same. */
  get believed(): number {
    return this.#believed.size;
  }

  /** The state of a file. Rejects with FileError. */
  state(path: string): Promise<FileState> {
    return getOrCreate(this.#states, path, () => readFileState(path));
  }

  /**
   * Records the states of files before they are read, and starts to compute their checksums. Rejects with FileError.
   */
  async record(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => getOrCreate(this.#recorded, path, () => readFileState(path))));
    for (const path of paths) this.#fingerprint(path);
  }

  /** The recorded state of a file and its checksum, for which the file is read once. Rejects with FileError. */
  #fingerprint(path: string): Promise<Fingerprint> {
    return getOrCreate(this.#fingerprints, path, async () => {
      const state = await getOrCreate(this.#recorded, path, () => readFileState(path));
      return { ...state, sha256: await this.#inTurn(() => hashFile(path, this.#signal)) };
    });
  }

  /** The fingerprints of recorded files. Throws FileError if one has changed meanwhile. */
  async unchanged(paths: readonly string[]): Promise<NamedFingerprint[]> {
    const all: NamedFingerprint[] = [];
    for (const path of paths) {
      const fingerprint = await this.#fingerprint(path);
      await assertUnchanged(path, fingerprint);
      all.push({ path, ...fingerprint });
    }
    return all;
  }

  /**
   * The current fingerprints of files; undefined if the content of one has changed. Files of the same size and time are
   * read for their checksums where `reads` says so; else they count as unchanged.
   */
  async unchangedSince(
    before: readonly NamedFingerprint[],
    reads: 'contents' | 'changed times' = 'changed times',
  ): Promise<NamedFingerprint[] | undefined> {
    const all: NamedFingerprint[] = [];
    for (const { path, sha256, ...state } of before) {
      const now = await this.#now(path, state, sha256, reads === 'contents');
      if (now?.sha256 !== sha256) return undefined;
      all.push({ path, ...now });
    }
    return all;
  }

  async #now(
    path: string,
    before: FileState,
    sha256: string,
    readsContents: boolean,
  ): Promise<Fingerprint | undefined> {
    try {
      const state = await this.state(path);
      if (!readsContents && sameState(state, before)) {
        this.#believed.add(path);
        return { ...state, sha256 };
      }
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

function getOrCreate<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = make();
  // Without a handler Node would end the process; whoever awaits the promise still gets the error.
  created.catch(() => {});
  map.set(key, created);
  return created;
}
