import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isUpdateId, listFiles, type Manifest, UPDATES_FOLDER } from './manifest.js';

/**
 * Removes files of updates that neither the store's manifest nor the one before names: those of older runs, and of
 * interrupted updates. Files that cannot be removed stay until the next time; files that are not from an update are not
 * touched.
 */
export async function removeUnnamed(dir: string, manifest: Manifest): Promise<void> {
  const named = new Set([...listFiles(manifest), ...manifest.previousFiles]);
  for (const { name } of await entriesOf(dir, UPDATES_FOLDER)) {
    if (isUpdateId(name)) await removeFrom(dir, `${UPDATES_FOLDER}/${name}`, named);
  }
}

/**
 * Removes the folder of an abandoned new store, and those above it up to `made`, the first that was created for it;
 * none that is in use.
 */
export async function removeMade(dir: string, made: string | undefined): Promise<void> {
  if (made === undefined) return;
  const first = resolve(made);
  try {
    await rmdir(join(dir, UPDATES_FOLDER)).catch(() => undefined);
    // This removes only empty folders.
    for (let path = resolve(dir); path.startsWith(first); path = dirname(path)) await rmdir(path);
  } catch {}
}

async function removeFrom(dir: string, folder: string, named: ReadonlySet<string>): Promise<void> {
  for (const entry of await entriesOf(dir, folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await removeFrom(dir, path, named);
    else if (!named.has(path)) await rm(join(dir, path), { force: true }).catch(() => undefined);
  }
  // This removes only empty folders.
  await rmdir(join(dir, folder)).catch(() => undefined);
}

function entriesOf(dir: string, folder: string) {
  return readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
}
