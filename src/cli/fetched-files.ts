import { type InputFile, isAddress, openInputFile } from '../input/input-file.js';

/** Files at web addresses for a command that opens them more than once: each is fetched once, and kept until `close`. */
export class FetchedFiles {
  readonly #files = new Map<string, Promise<InputFile>>();

  /** What `openInput` opens for a path or address; closing it keeps the copy. Throws FileError. */
  async open(path: string): Promise<string | InputFile> {
    if (!isAddress(path)) return path;
    const known = this.#files.get(path) ?? openInputFile(path);
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
