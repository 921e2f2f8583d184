import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertKind } from '../../check/assert-shape.js';
import { unreadable } from '../../disk/file-fault.js';
import { type OpenZarrOptions, openZarr } from './open-zarr.js';
import type { ZarrFile } from './zarr-file.js';
import type { ByteRange, StoreKey, StoreReadOptions, VersionedBytes, ZarrStore } from './zarr-store.js';

/** Creates a store that reads a folder; errors name its files. */
export function zarrFolder(path: string): ZarrStore {
  assertKind('path', path, 'text');
  return new FolderStore(path);
}

/**
 * Opens a Zarr store in a folder, as `openZarr` does; without consolidated metadata it searches the subfolders. Rejects
 * with FileError, which names the file, also if a file cannot be read.
 */
export async function openZarrFolder(path: string, options: OpenZarrOptions = {}): Promise<ZarrFile> {
  return openZarr(zarrFolder(path), options);
}

/** Error codes of the file system for a file that does not exist. */
const NOTHING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** A store of files in a folder. */
class FolderStore implements ZarrStore {
  /** The folder. */
  readonly source: string;

  constructor(folder: string) {
    this.source = folder;
  }

  get(key: StoreKey, { signal }: StoreReadOptions = {}): Promise<Uint8Array | undefined> {
    return this.#orNothing(key, (path) => readFile(path, { signal }));
  }

  getVersioned(key: StoreKey, options?: StoreReadOptions): Promise<VersionedBytes | undefined> {
    return this.#orNothing(key, async (path) => {
      const { mtimeMs, size, ino } = await stat(path);
      const bytes = await readFile(path, { signal: options?.signal });
      return { bytes, version: [mtimeMs, size, ino].join(' ') };
    });
  }

  getRange(key: StoreKey, range: ByteRange): Promise<Uint8Array | undefined> {
    return this.#orNothing(key, async (path) => {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        const from = 'offset' in range ? range.offset : Math.max(0, size - range.suffixLength);
        const length = Math.max(0, Math.min(size - from, 'offset' in range ? range.length : range.suffixLength));
        const bytes = new Uint8Array(length);
        const { bytesRead } = await file.read(bytes, 0, length, from);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }

  async folders(key: StoreKey): Promise<readonly string[]> {
    const entries = await this.#orNothing(key, (path) => readdir(path, { withFileTypes: true }));
    return (entries ?? []).filter((entry) => !entry.isFile()).map(({ name }) => name);
  }

  async #orNothing<T>(key: StoreKey, read: (path: string) => Promise<T>): Promise<T | undefined> {
    const path = join(this.source, key);
    try {
      return await read(path);
    } catch (cause) {
      if (NOTHING.has((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw unreadable(path, cause, 'a readable file of a Zarr store');
    }
  }
}
