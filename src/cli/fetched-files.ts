import { isGlob } from '../batch/find-inputs.js';
import { openGivenFile } from '../batch/open-given-file.js';
import { type InputFile, isAddress } from '../input/input-file.js';
import { joinFiles } from '../input/join-files.js';

/**
 * Files at web addresses, and globs of files that are one, for a command that opens them more than once: each is fetched,
 * or looked at, once, and kept until `close`.
 */
export class FetchedFiles {
  readonly #files = new Map<string, Promise<InputFile>>();

  /** The names to open inputs by, where files that are one input together count once. */
  async join(paths: readonly string[]): Promise<string[]> {
    const inputs = await joinFiles(paths);
    return inputs.map((input) => {
      if (typeof input === 'string') return input;
      this.#files.set(input.source, Promise.resolve(input));
      return input.source;
    });
  }

  /** What `openInput` opens for a path or address; closing it keeps the copy. Throws FileError. */
  async open(path: string): Promise<string | InputFile> {
    if (!this.#files.has(path) && !isAddress(path) && !isGlob(path)) return path;
    const known = this.#files.get(path) ?? openGivenFile(path);
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
