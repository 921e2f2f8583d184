import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, posix, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { assertKind } from '../../check/option-checks.js';
import type { Work } from '../../check/work.js';
import { unreadable } from '../../disk/file-fault.js';
import { openWithStatus, type RegularFile, readWhole } from '../../disk/regular-file.node.js';
import { FileError } from '../../errors.js';
import { openStore } from './open-zarr.js';
import { remoteObjects } from './remote-store.node.js';
import type { ZarrFile } from './zarr-file.js';
import type { ByteRange, EndBytes, StoreKey, StoreReadOptions, VersionedBytes, ZarrStore } from './zarr-store.js';

/** Creates a store that reads a folder; errors name its files. */
export function zarrFolder(path: string): ZarrStore {
  assertKind('path', path, 'text');
  return new FolderStore(path);
}

/** Opens a Zarr store in a folder; without consolidated metadata it searches the subfolders. Throws FileError, too. */
export async function openFolderStore(path: string, work?: Work): Promise<ZarrFile> {
  return openStore(zarrFolder(path), {}, work);
}

const ROOT = '/';
const READABLE = 'a readable file of a Zarr store';
/** The most folders that are known to lie in the store. */
const MAX_FOLDERS = 10_000;

/**
 * A store of files in a folder. Only what is not there counts as never written. Links may lead to files and folders of
 * the same store.
 */
class FolderStore implements ZarrStore {
  /** The folder. */
  readonly source: string;
  readonly location: URL;
  /** The real paths of folders, by their keys. */
  readonly #folders = new LRUCache<string, string>({ max: MAX_FOLDERS });

  constructor(folder: string) {
    this.source = folder;
    this.location = pathToFileURL(join(resolve(folder), sep));
  }

  below(prefix: URL): ZarrStore {
    return prefix.protocol === 'file:' ? new FolderStore(fileURLToPath(prefix)) : remoteObjects(prefix);
  }

  get(key: StoreKey, options: StoreReadOptions = {}): Promise<Uint8Array | undefined> {
    return this.#read(key, (file) => this.#whole(file, key, options));
  }

  getVersioned(key: StoreKey, options: StoreReadOptions = {}): Promise<VersionedBytes | undefined> {
    return this.#read(key, async (file) => {
      const { mtimeMs, size, ino } = file.status;
      return { bytes: await this.#whole(file, key, options), version: [mtimeMs, size, ino].join(' ') };
    });
  }

  getRange(key: StoreKey, range: ByteRange, { expected }: StoreReadOptions = {}): Promise<Uint8Array | undefined> {
    return this.#read(key, (file) => {
      this.#assertUnchanged(file, key, expected?.lastModified);
      return readRange(file, range);
    });
  }

  getEnd(key: StoreKey, suffixLength: number): Promise<EndBytes | undefined> {
    return this.#read(key, async (file) => {
      return { bytes: await readRange(file, { suffixLength }), size: file.status.size };
    });
  }

  async folders(key: StoreKey): Promise<readonly string[]> {
    const path = this.#path(key);
    try {
      const above = await this.#folder(key);
      if (above === undefined) return [];
      const names: string[] = [];
      for (const entry of await readdir(path, { withFileTypes: true })) {
        const isFolder = entry.isSymbolicLink() ? await this.#leadsDown(above, key, entry.name) : entry.isDirectory();
        if (isFolder) names.push(entry.name);
      }
      return names;
    } catch (cause) {
      throw unreadable(path, cause, READABLE);
    }
  }

  #assertUnchanged({ status }: RegularFile, key: StoreKey, lastModified = Number.POSITIVE_INFINITY): void {
    if (Math.floor(status.mtimeMs / 1000) <= lastModified) return;
    const allowed = `at most ${new Date(1000 * lastModified).toISOString()}`;
    const problem = 'was changed since it was referred to';
    throw new FileError({ subject: this.#path(key), problem, received: status.mtime.toISOString(), allowed });
  }

  /** Whether a link leads to a folder. Throws FileError if the link is in that folder itself. */
  async #leadsDown(above: string, key: StoreKey, name: string): Promise<boolean> {
    const link = posix.join(key, name) as StoreKey;
    if (!(await stat(this.#path(link))).isDirectory()) return false;
    const target = await this.#folder(link);
    if (target === undefined || !isWithin(above, target)) return true;
    const problem = 'is a link to a folder above it';
    throw new FileError({ subject: this.#path(link), problem, allowed: 'folders without circles' });
  }

  #whole({ handle, status }: RegularFile, key: StoreKey, { signal, maxBytes }: StoreReadOptions): Promise<Uint8Array> {
    return readWhole(handle, status.size, { source: this.#path(key), signal, maxBytes });
  }

  #path(key: StoreKey): string {
    return join(this.source, key);
  }

  /** Reads a file; undefined where there is none. */
  async #read<T>(key: StoreKey, use: (file: RegularFile) => Promise<T>): Promise<T | undefined> {
    const path = this.#path(key);
    try {
      const file = await this.#open(key, path);
      if (file === undefined) return undefined;
      try {
        return await use(file);
      } finally {
        await file.handle.close();
      }
    } catch (cause) {
      throw unreadable(path, cause, READABLE);
    }
  }

  async #open(key: StoreKey, path: string): Promise<RegularFile | undefined> {
    if ((await this.#folder(posix.dirname(key))) === undefined) return undefined;
    try {
      return await openWithStatus(path, { followsLink: false });
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP') return openWithStatus(await this.#target(path), { source: path });
      throw cause;
    }
  }

  /** The real path of a folder of the store; undefined where there is none. */
  async #folder(key: string): Promise<string | undefined> {
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const real = await (key === ROOT ? this.#root() : this.#below(key));
    if (real !== undefined) this.#folders.set(key, real);
    return real;
  }

  async #root(): Promise<string | undefined> {
    const real = await realpath(this.source).catch(nothing);
    if (real === undefined || (await stat(real)).isDirectory()) return real;
    throw new FileError({ subject: this.source, problem: 'is not a folder', allowed: 'the folder of a Zarr store' });
  }

  async #below(key: string): Promise<string | undefined> {
    const above = await this.#folder(posix.dirname(key));
    const path = join(this.source, key);
    const status = above === undefined ? undefined : await lstat(path).catch(nothing);
    if (above === undefined || status === undefined) return undefined;
    return status.isSymbolicLink() ? this.#target(path) : join(above, posix.basename(key));
  }

  /** What a link leads to, which has to be in the store. */
  async #target(link: string): Promise<string> {
    const [target, root] = [await realpath(link), await this.#folder(ROOT)];
    if (root !== undefined && isWithin(target, root)) return target;
    throw new FileError({
      subject: link,
      problem: 'is a link that leads out of the store',
      received: target,
      allowed: 'links to files and folders of the same store: copy what it leads to in its place',
    });
  }
}

async function readRange({ handle, status: { size } }: RegularFile, range: ByteRange): Promise<Uint8Array> {
  const from = 'offset' in range ? range.offset : Math.max(0, size - range.suffixLength);
  const length = Math.max(0, Math.min(size - from, 'offset' in range ? range.length : range.suffixLength));
  const bytes = new Uint8Array(length);
  const { bytesRead } = await handle.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
}

/** Whether a real path names a folder, or something in it. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Nothing where nothing is there. */
function nothing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT') throw cause;
}
