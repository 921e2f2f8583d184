import { type FileState, type Fingerprint, fingerprintOf, refuseChanged, sameState, stateOf } from './fingerprint.js';
import type { NamedFingerprint } from './journal.js';

/** The files that a batch reads: what they are when it begins to read them, each looked at once. */
export class InputFiles {
  readonly #signal: AbortSignal | undefined;
  readonly #states = new Map<string, Promise<FileState>>();
  readonly #fingerprints = new Map<string, Promise<Fingerprint>>();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Without reading it. Rejects with FileError. */
  state(path: string): Promise<FileState> {
    return kept(this.#states, path, () => stateOf(path));
  }

  /** Reads a file for its checksum, now, once. Rejects with FileError. */
  fingerprint(path: string): Promise<Fingerprint> {
    return kept(this.#fingerprints, path, () => fingerprintOf(path, this.#signal));
  }

  /** The fingerprints of files that were read since they were asked for first. Throws FileError where one has changed meanwhile. */
  async unchanged(paths: readonly string[]): Promise<NamedFingerprint[]> {
    const all: NamedFingerprint[] = [];
    for (const path of paths) {
      const fingerprint = await this.fingerprint(path);
      await refuseChanged(path, fingerprint);
      all.push({ path, ...fingerprint });
    }
    return all;
  }

  /** Whether a file is what it was: of the same size and time, else of the same content. */
  async isSame({ path, ...before }: NamedFingerprint): Promise<boolean> {
    try {
      if (sameState(await this.state(path), before)) return true;
      return (await this.fingerprint(path)).sha256 === before.sha256;
    } catch {
      return false;
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
