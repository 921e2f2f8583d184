import { createHash } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';

/** What a file or store was at one moment, as told without reading it. */
export interface FileState {
  readonly bytes: number;
  /** When it was last written, ISO 8601 in UTC; of a store, its newest file. */
  readonly modified: string;
}

/** The same with what it holds. */
export interface Fingerprint extends FileState {
  /** SHA-256 in hexadecimal; of a store, of the list of its files with theirs. */
  readonly sha256: string;
}

const READABLE = 'a readable file';
const PIECE_BYTES = 1_048_576;

/** Throws FileError. */
export async function readFileState(path: string): Promise<FileState> {
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

/** The checksum of a file or store, which is read from beginning to end. Throws FileError. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  try {
    return (await stat(path)).isDirectory() ? await hashOfStore(path, signal) : await hashOfFile(path, signal);
  } catch (cause) {
    throw unreadable(path, cause, READABLE);
  }
}

/** Throws FileError where a file is not, or no longer, what it was. */
export async function assertUnchanged(path: string, before: FileState): Promise<void> {
  const now = await readFileState(path);
  if (sameState(now, before)) return;
  throw new FileError({
    subject: path,
    problem: 'was changed while it was being read',
    received: `${now.bytes} bytes of ${now.modified}, before ${before.bytes} of ${before.modified}`,
    allowed: 'a file that is whole when the work begins, and left alone until it ends',
  });
}

export function sameState(a: FileState, b: FileState): boolean {
  return a.bytes === b.bytes && a.modified === b.modified;
}

async function hashOfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

async function hashOfStore(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await filesIn(path)) hash.update(`${file} ${await hashOfFile(join(path, file), signal)}\n`);
  return hash.digest('hex');
}

/** The files of a store at any depth, by name, with `/` between folders. */
async function filesIn(store: string): Promise<string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(store, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).sort();
}
