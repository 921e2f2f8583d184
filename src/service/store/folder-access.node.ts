import { createHash, randomBytes } from 'node:crypto';
import { readSync } from 'node:fs';
import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Work } from '../../check/work.js';
import { unreadable, unwritable } from '../../disk/file-fault.js';
import { type FileLock, isLockHeld, lockFolder, takeLock } from '../../disk/file-lock.node.js';
import { readFileStamp } from '../../disk/file-stamp.node.js';
import { makeFolder } from '../../disk/make-folder.node.js';
import { openRegularFile, readRegularFile } from '../../disk/regular-file.node.js';
import { FileError } from '../../errors.js';
import { cutShort } from './cut-short.js';
import { type ListedObject, MANIFEST_FILE, type TaggedManifest } from './store-access.js';
import { type StoreKeeper, UPDATES_FOLDER, type WorkLines } from './store-keeper.js';

/**
 * How values are read: `direct` is fastest where they are in the system's file cache or on a fast disk, but nothing
 * else runs meanwhile; `threads` does not delay other requests where the disk is slow or far away.
 */
export type ReadMode = 'direct' | 'threads';

/** All read modes. */
export const READ_MODES: readonly ReadMode[] = /* @__PURE__ */ Object.freeze(['direct', 'threads'] as const);

/** The end of the names of files that are being written; they are not objects. */
const UNFINISHED = '.part';

/** The file that a process holds in the folder of an update while it writes there. */
const CLAIM_FILE = 'update.lock';

/** What an update has finished, a line for each file. */
const WORK_FILE = 'work.jsonl';

/** How long to wait for another process that replaces the manifest, in milliseconds. */
const SWAP_PATIENCE_MS = 30_000;

/** So often the folder of an update is made again where another process removed it as empty. */
const MAX_CLAIMS = 5;

/** A store in a folder. Files that were read stay open until they are released. */
export class FolderAccess implements StoreKeeper {
  readonly isRemote = false;
  readonly dir: string;
  readonly #mode: ReadMode;
  readonly #work: Work | undefined;
  readonly #open = new Map<string, FileHandle>();
  readonly #opening = new Map<string, Promise<FileHandle>>();
  readonly #retired = new Set<string>();
  /** Folders in which there are new names. */
  readonly #changed = new Set<string>();
  #closed = false;

  /** `work` ends reads, and counts their bytes. */
  constructor(dir: string, mode: ReadMode = 'direct', work?: Work) {
    this.dir = dir;
    this.#mode = mode;
    this.#work = work;
  }

  describe(name = ''): string {
    return name === '' ? this.dir : join(this.dir, name);
  }

  getNow(name: string, at: number, into: Uint8Array<ArrayBuffer>): boolean {
    this.#work?.check();
    const handle = this.#open.get(name);
    if (handle === undefined || this.#mode === 'threads') return false;
    let bytesRead: number;
    try {
      bytesRead = readSync(handle.fd, into, 0, into.byteLength, at);
    } catch (cause) {
      throw this.#fault(name, handle, unreadable(this.describe(name), cause));
    }
    if (bytesRead !== into.byteLength) throw this.#fault(name, handle, cutShort(this.describe(name)));
    return true;
  }

  async get(name: string, at: number, into: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#work?.check();
    const handle = await this.#opened(name);
    for (let done = 0; done < into.byteLength; ) {
      let bytesRead: number;
      try {
        ({ bytesRead } = await handle.read(into, done, into.byteLength - done, at + done));
      } catch (cause) {
        throw this.#fault(name, handle, unreadable(this.describe(name), cause));
      }
      if (bytesRead === 0) throw this.#fault(name, handle, cutShort(this.describe(name)));
      done += bytesRead;
    }
    this.#work?.check();
    this.#work?.advance(into.byteLength);
  }

  giveUp(name: string): void {
    const handle = this.#open.get(name);
    if (handle !== undefined) this.#fault(name, handle, undefined);
  }

  doubt(name: string): void {
    this.giveUp(name);
  }

  async put(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.describe(name);
    const unfinished = `${path}.${randomBytes(4).toString('hex')}${UNFINISHED}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(unfinished, 'wx');
      try {
        for await (const piece of pieces) await file.appendFile(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      if (await stat(path).then(() => true, isAbsent)) {
        throw new FileError({ subject: path, problem: 'exists already', allowed: 'objects are written once' });
      }
      await rename(unfinished, path);
      this.#addChanged(name);
    } catch (cause) {
      // What cannot be removed now is removed with the folder of its update.
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw unwritable(path, cause);
    }
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    const path = this.describe(prefix);
    if (!prefix.endsWith('/')) {
      const found = await stat(path).catch((cause) => (isAbsent(cause) ? Promise.reject(cause) : undefined));
      return found?.isFile() ? [{ name: prefix, bytes: found.size }] : [];
    }
    const listed: ListedObject[] = [];
    for (const name of await filesBelow(this.dir, prefix.slice(0, -1))) {
      if (name.endsWith(UNFINISHED) || name.endsWith(`/${CLAIM_FILE}`)) continue;
      const found = await stat(this.describe(name)).catch(() => undefined);
      if (found !== undefined) listed.push({ name, bytes: found.size });
    }
    return listed;
  }

  async delete(name: string): Promise<void> {
    await rm(this.describe(name), { force: true }).catch((cause) =>
      Promise.reject(unwritable(this.describe(name), cause)),
    );
    await removeEmpty(this.dir, dirname(name));
  }

  async readManifest(): Promise<TaggedManifest | undefined> {
    const path = this.describe(MANIFEST_FILE);
    try {
      const bytes = await readRegularFile(path);
      return { bytes, tag: createHash('sha256').update(bytes).digest('hex') };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(path, cause);
    }
  }

  async replaceManifest(bytes: Uint8Array, tag: string | undefined): Promise<boolean> {
    const path = this.describe(MANIFEST_FILE);
    const lock = await lockFolder(this.dir, 'is being updated by', { patienceMs: SWAP_PATIENCE_MS });
    const temporary = `${path}.${randomBytes(4).toString('hex')}${UNFINISHED}`;
    try {
      for (const folder of this.#changed) await syncFolder(this.describe(folder));
      this.#changed.clear();
      if ((await this.readManifest())?.tag !== tag) return false;
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await lock.assertHeld();
      await rename(temporary, path);
      await syncFolder(this.dir);
      return true;
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw unwritable(path, cause);
    } finally {
      await lock.release();
    }
  }

  /** Remembers the folders whose names have to survive a power failure. */
  #addChanged(name: string): void {
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) this.#changed.add(folder);
  }

  async prepare(): Promise<() => Promise<void>> {
    const made = await makeFolder(this.dir);
    return () => removeMade(this.dir, made);
  }

  async claim(folder: string): Promise<FileLock> {
    const path = this.describe(folder);
    for (let attempt = 1; ; attempt++) {
      try {
        await mkdir(path, { recursive: true });
        return await takeLock(join(path, CLAIM_FILE), { problem: 'is being written by' });
      } catch (cause) {
        // Another process may have removed it while it was empty.
        const error = cause as Error & { cause?: NodeJS.ErrnoException };
        if (attempt === MAX_CLAIMS || error.cause?.code !== 'ENOENT') throw unwritable(path, cause);
      }
    }
  }

  isClaimed(folder: string): Promise<boolean> {
    return isLockHeld(join(this.describe(folder), CLAIM_FILE));
  }

  async addWork(folder: string, line: string): Promise<void> {
    // The line break comes first: a line that was cut off does not damage the next one.
    await appendFile(this.describe(`${folder}/${WORK_FILE}`), `\n${line}`);
  }

  async readWork(folder: string): Promise<WorkLines> {
    const path = this.describe(`${folder}/${WORK_FILE}`);
    const status = await stat(path).catch(() => undefined);
    if (status === undefined) return { objects: [], lines: [], ageSeconds: 0 };
    const text = await readFile(path, 'utf8').catch(() => '');
    const ageSeconds = (Date.now() - status.mtimeMs) / 1000;
    return { objects: [`${folder}/${WORK_FILE}`], lines: text.split('\n').filter((line) => line !== ''), ageSeconds };
  }

  async move(name: string, to: string): Promise<void> {
    await mkdir(dirname(this.describe(to)), { recursive: true });
    await rename(this.describe(name), this.describe(to));
    this.#addChanged(to);
  }

  /** Files that are open go on. */
  async isOutOfUse(): Promise<boolean> {
    return true;
  }

  async removeFolder(folder: string, keep: ReadonlySet<string>): Promise<void> {
    for (const name of await filesBelow(this.dir, folder)) {
      if (!keep.has(name)) await rm(this.describe(name), { force: true }).catch(() => undefined);
    }
    await removeEmptyBelow(this.dir, folder);
  }

  async folders(folder: string): Promise<readonly string[]> {
    const entries = await readdir(this.describe(folder), { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  async retire(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      this.#retired.add(name);
      await this.#close(name);
    }
  }

  admit(name: string): void {
    this.#retired.delete(name);
  }

  /** Closes all files for good. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const name of [...this.#open.keys(), ...this.#opening.keys()]) await this.#close(name);
  }

  async manifestStamp(): Promise<string> {
    const path = this.describe(MANIFEST_FILE);
    return readFileStamp(path).catch((cause) => Promise.reject(this.#noManifest(cause)));
  }

  async checkManifest(): Promise<void> {
    const handle = await openRegularFile(this.describe(MANIFEST_FILE)).catch((cause) => {
      throw this.#noManifest(cause);
    });
    await handle.close();
  }

  async checkPlace(): Promise<void> {
    const { dir } = this;
    const allowed = 'the folder of a store';
    const status = await stat(dir).catch((cause) => Promise.reject(unreadable(dir, cause, allowed)));
    if (!status.isDirectory()) throw new FileError({ subject: dir, problem: 'is not a folder', allowed });
  }

  pathOf(name: string): string {
    return this.describe(name);
  }

  #noManifest(cause: NodeJS.ErrnoException): Error {
    if (cause.code !== 'ENOENT') return unreadable(this.describe(MANIFEST_FILE), cause);
    const allowed = `a folder with a ${MANIFEST_FILE}`;
    return new FileError({ subject: this.dir, problem: 'holds no store', allowed, cause });
  }

  async #close(name: string): Promise<void> {
    const handle = this.#open.get(name) ?? (await this.#opening.get(name)?.catch(() => undefined));
    this.#open.delete(name);
    // The files are only read: an error adds nothing.
    await handle?.close().catch(() => undefined);
  }

  #opened(name: string): Promise<FileHandle> {
    const known = this.#open.get(name);
    if (known !== undefined) return Promise.resolve(known);
    const opening = this.#opening.get(name) ?? this.#reopen(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #reopen(name: string): Promise<FileHandle> {
    const path = this.describe(name);
    if (this.#closed || this.#retired.has(name)) {
      const allowed = 'a snapshot that is not older than the newest by more than a minute';
      throw new FileError({ subject: path, problem: 'is closed: its store is, or has a newer run', allowed });
    }
    try {
      const handle = await openRegularFile(path);
      this.#open.set(name, handle);
      return handle;
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }

  #fault<E>(name: string, handle: FileHandle, error: E): E {
    if (this.#open.get(name) === handle) {
      this.#open.delete(name);
      // The fault is reported already: an error on closing adds nothing.
      handle.close().catch(() => undefined);
    }
    return error;
  }
}

/** False for the error of a file that is not there; throws others. */
function isAbsent(cause: NodeJS.ErrnoException): false {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return false;
  throw cause;
}

/** The names of all files below a folder. */
async function filesBelow(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) names.push(...(await filesBelow(dir, name)));
    else names.push(name);
  }
  return names;
}

/** Removes a folder and those that it is in, up to the store's, while they are empty. */
async function removeEmpty(dir: string, folder: string): Promise<void> {
  for (let name = folder; name !== '.' && name !== ''; name = dirname(name)) {
    if (
      !(await rmdir(join(dir, name)).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

async function removeEmptyBelow(dir: string, folder: string): Promise<void> {
  const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyBelow(dir, `${folder}/${entry.name}`);
  await removeEmpty(dir, folder);
}

/** Makes the names in a folder survive a power failure, where the system can do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  // Some systems cannot sync a folder, and fail; the files themselves are safe already.
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Removes the folder of an abandoned new store, and those above it up to `made`, the first that was created for it; none in use. */
async function removeMade(dir: string, made: string | undefined): Promise<void> {
  if (made === undefined) return;
  const first = resolve(made);
  try {
    await rmdir(join(dir, UPDATES_FOLDER)).catch(() => undefined);
    // This removes only empty folders.
    for (let path = resolve(dir); path.startsWith(first); path = dirname(path)) await rmdir(path);
  } catch {}
}
