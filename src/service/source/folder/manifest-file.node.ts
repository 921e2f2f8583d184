import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unreadable, unwritable } from '../../../disk/file-fault.js';
import { readFileStamp } from '../../../disk/file-stamp.node.js';
import { openRegularFile, readRegularFile } from '../../../disk/regular-file.node.js';
import { FileError } from '../../../errors.js';
import { MANIFEST_FILE, type Manifest } from './manifest.js';
import { formatManifest, parseManifest } from './manifest-text.js';

/**
 * Reads the manifest of the store in a folder. Rejects with FileError where there is none, FormatError where it is
 * wrong.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, MANIFEST_FILE);
  const bytes = await readRegularFile(path).catch((cause) => Promise.reject(noManifest(dir, path, cause)));
  return parseManifest(bytes.toString(), path);
}

/** Looks whether the manifest of a store is there and can be read. Rejects with FileError. */
export async function checkManifest(dir: string): Promise<void> {
  const path = join(dir, MANIFEST_FILE);
  const handle = await openRegularFile(path).catch((cause) => Promise.reject(noManifest(dir, path, cause)));
  await handle.close();
}

/** Reads a text that changes when the manifest of a store is replaced. Rejects with FileError. */
export async function readManifestStamp(dir: string): Promise<string> {
  const path = join(dir, MANIFEST_FILE);
  return readFileStamp(path).catch((cause) => Promise.reject(noManifest(dir, path, cause)));
}

/**
 * Replaces the manifest of a store at once: a reader always sees the old one or the new one. It is first written to
 * `temporary`, on the same disk. Rejects with FileError.
 */
export async function replaceManifest(dir: string, manifest: Manifest, temporary: string): Promise<void> {
  const path = join(dir, MANIFEST_FILE);
  try {
    await mkdir(dirname(temporary), { recursive: true });
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(formatManifest(manifest));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(dir);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** Makes the names in a folder survive a power failure, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  // Some systems cannot sync a folder, and fail; the files themselves are safe already.
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function noManifest(dir: string, path: string, cause: NodeJS.ErrnoException): Error {
  if (cause.code !== 'ENOENT') return unreadable(path, cause);
  return new FileError({ subject: dir, problem: 'holds no store', allowed: `a folder with a ${MANIFEST_FILE}`, cause });
}
