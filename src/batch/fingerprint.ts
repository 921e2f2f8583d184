import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { forEachLimited } from '../check/work.js';
import { unreadable } from '../disk/file-fault.js';
import { isAddress } from '../disk/local-path.js';
import { openWithStatus } from '../disk/regular-file.node.js';
import { FileError } from '../errors.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { isArchiveAddress } from '../input/archive-address.js';
import { isElsewhere, isStoreAddress } from './batch-input.js';
import { hashRemote, readRemoteState } from './remote-state.js';

/** The state of a file or store at one moment, known without reading it. */
export interface FileState {
  readonly bytes: number;
  /**
   * When it was last written, ISO 8601 in UTC; for a store, when its newest file was; of a file at an address,
   * its version (ETag) follows, where the server states them; of a store there, and of a run of an archive, a text that
   * later data do not have.
   */
  readonly modified: string;
}

/** The state of a file or store, and a checksum of its content. */
export interface Fingerprint extends FileState {
  /**
   * SHA-256 in hexadecimal; for a store, of the list of its files with their checksums; for a file at an address, of the
   * version that its server states, if it does.
   */
  readonly sha256: string;
}

const READABLE = 'a readable file';
const PIECE_BYTES = 1_048_576;
const MIN_PIECE_BYTES = 4096;
/** The number of files of a store that are read at a time. */
const MAX_OPEN = 4;

/** Reads the size and time of a file or store, or of a file at an address. Throws FileError. */
export async function readFileState(path: string): Promise<FileState> {
  if (isElsewhere(path)) return readStateElsewhere(path);
  try {
    const status = await stat(path);
    if (!status.isDirectory()) return { bytes: status.size, modified: status.mtime.toISOString() };
    const states = await Promise.all((await filesIn(path)).map((file) => stat(join(path, file))));
    const newest = states.reduce((latest, { mtimeMs }) => Math.max(latest, mtimeMs), status.mtimeMs);
    const bytes = states.reduce((sum, { size }) => sum + size, 0);
    return { bytes, modified: new Date(newest).toISOString() };
  } catch (cause) {
    throw unreadable(path, cause, READABLE);
  }
}

async function readStateElsewhere(path: string): Promise<FileState> {
  // What is found here later has another address.
  if (isPinned(path)) return { bytes: 0, modified: textHash(path) };
  if (isStoreAddress(path)) {
    const { versionOfStore } = await import('../input/version-of-store.js');
    const { bytes, version } = await versionOfStore(path);
    return { bytes, modified: version };
  }
  const { bytes, modified } = await readRemoteState(path);
  return { bytes, modified };
}

/** Whether a path names a run of an archive or a snapshot of a repository as they were found. */
function isPinned(path: string): boolean {
  return isArchiveAddress(path) || icechunkAddress(path) !== undefined;
}

function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Computes the checksum of a file or store by reading all of it; see `hashRemote` for a file at an address. Throws FileError. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  if (isPinned(path)) return textHash(path);
  if (isAddress(path) && isStoreAddress(path)) return (await readStateElsewhere(path)).modified;
  if (isAddress(path)) return hashRemote(path, signal);
  try {
    return (await stat(path)).isDirectory() ? await hashStore(path, signal) : await hashSingleFile(path, signal);
  } catch (cause) {
    throw unreadable(path, cause, READABLE);
  }
}

/** Throws FileError if the state of a file has changed, or cannot be read. */
export async function assertUnchanged(path: string, before: FileState): Promise<void> {
  const now = await readFileState(path);
  if (sameState(now, before)) return;
  throw new FileError({
    subject: path,
    problem: 'was changed while it was being read',
    received: `${now.bytes} bytes of ${now.modified}, before ${before.bytes} of ${before.modified}`,
    allowed: 'a file that is complete when the work begins, and does not change until it ends',
  });
}

export function sameState(a: FileState, b: FileState): boolean {
  return a.bytes === b.bytes && a.modified === b.modified;
}

/** While one piece is hashed, the next is read. */
async function hashSingleFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const { handle: file, status } = await openWithStatus(path);
  let reading: Promise<{ bytesRead: number; buffer: Buffer }> | undefined;
  try {
    const bytes = Math.min(PIECE_BYTES, Math.max(MIN_PIECE_BYTES, status.size + 1));
    let [next, other] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)];
    reading = file.read(next, 0, bytes);
    for (let done = 0; ; ) {
      const { bytesRead, buffer } = await reading;
      signal?.throwIfAborted();
      if (bytesRead === 0) return hash.digest('hex');
      done += bytesRead;
      // It ended before the buffer did, where its size says: no other read needs to find its end.
      if (done === status.size && bytesRead < bytes) return hash.update(buffer.subarray(0, bytesRead)).digest('hex');
      [next, other] = [other, next];
      reading = file.read(next, 0, bytes);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await reading?.catch(() => {});
    await file.close();
  }
}

async function hashStore(path: string, signal?: AbortSignal): Promise<string> {
  const files = await filesIn(path);
  const hashes: string[] = [];
  await forEachLimited([...files.keys()], MAX_OPEN, async (index) => {
    hashes[index] = await hashSingleFile(join(path, files[index]), signal);
  });
  const hash = createHash('sha256');
  for (const [index, file] of files.entries()) hash.update(`${file} ${hashes[index]}\n`);
  return hash.digest('hex');
}

/** The files of a store at any depth, by name, with `/` between folders. */
async function filesIn(store: string): Promise<string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(store, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).sort();
}
