import { isGlob } from '../batch/batch-input.js';
import { openGivenFile } from '../batch/open-given-file.js';
import { isAddress } from '../disk/local-path.js';
import { OptionError } from '../errors.js';
import type { InputFile } from '../input/input-file.js';
import { joinFiles } from '../input/join-files.js';

/**
 * Files at web addresses, and globs of files that are one, for a command that opens them more than once: each is fetched,
 * or looked at, once, and kept until `close`.
 */
export class FetchedFiles {
  readonly #files = new Map<string, Promise<InputFile>>();
  readonly pattern: string | undefined;
  #isPatternUsed = false;

  /** `pattern` is what the names of files state that are one input together, or `none`. */
  constructor(pattern?: string) {
    this.pattern = pattern;
  }

  /** The names to open inputs by, where files that are one input together count once. */
  async join(paths: readonly string[]): Promise<string[]> {
    const pattern = paths.length > 1 ? this.pattern : undefined;
    if (pattern !== undefined) this.#isPatternUsed = true;
    const inputs = await joinFiles(paths, pattern);
    return inputs.map((input) => {
      if (typeof input === 'string') return input;
      this.#files.set(input.source, Promise.resolve(input));
      return input.source;
    });
  }

  /** The same with a pattern; without one each file counts by itself. */
  joinedByPattern(paths: readonly string[]): Promise<readonly string[]> {
    return this.pattern === undefined ? Promise.resolve(paths) : this.join(paths);
  }

  /** Throws OptionError for a pattern that no list of files and no glob was joined by. */
  assertJoined(): void {
    if (this.pattern === undefined || this.#isPatternUsed) return;
    throw new OptionError({
      ...{ subject: '--join', problem: 'has no effect: there is one file of each kind', received: this.pattern },
      allowed: 'several files, or a glob in quotes, such as "mem*.nc"',
    });
  }

  /** What `openInput` opens for a path or address; closing it keeps the copy. Throws FileError. */
  async open(path: string): Promise<string | InputFile> {
    if (!this.#files.has(path) && !isAddress(path) && !isGlob(path)) return path;
    const pattern = isGlob(path) ? this.pattern : undefined;
    if (pattern !== undefined) this.#isPatternUsed = true;
    const known = this.#files.get(path) ?? openGivenFile(path, pattern);
    this.#files.set(path, known);
    return { ...(await known), close: async () => {} };
  }

  /** Removes the copies. */
  async close(): Promise<void> {
    const files = await Promise.allSettled(this.#files.values());
    this.#files.clear();
    for (const file of files) if (file.status === 'fulfilled') await file.value.close();
  }
}
