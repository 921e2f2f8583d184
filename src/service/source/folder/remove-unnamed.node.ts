import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { filesOf, isUpdateId, type Manifest, UPDATES_FOLDER } from './manifest.js';

/**
 * Removes what updates have written to a store but neither its manifest names nor the one before: what is of an older run, or of an
 * update that was cut off. What cannot be removed is left to the next time; what is not of an update is not touched.
 */
export async function removeUnnamed(dir: string, manifest: Manifest): Promise<void> {
  const named = new Set([...filesOf(manifest), ...manifest.previousFiles]);
  for (const { name } of await entriesOf(dir, UPDATES_FOLDER)) {
    if (isUpdateId(name)) await removeFrom(dir, `${UPDATES_FOLDER}/${name}`, named);
  }
}

/** Removes the folder of a store that came to nothing, and those above it up to `made`, the first that was made for it; none that is in use. */
export async function removeMade(dir: string, made: string | undefined): Promise<void> {
  if (made === undefined) return;
  const first = resolve(made);
  try {
    await rmdir(join(dir, UPDATES_FOLDER)).catch(() => undefined);
    // Only empty folders can be removed so.
    for (let path = resolve(dir); path.startsWith(first); path = dirname(path)) await rmdir(path);
  } catch {}
}

async function removeFrom(dir: string, folder: string, named: ReadonlySet<string>): Promise<void> {
  for (const entry of await entriesOf(dir, folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await removeFrom(dir, path, named);
    else if (!named.has(path)) await rm(join(dir, path), { force: true }).catch(() => undefined);
  }
  // Only empty folders can be removed so.
  await rmdir(join(dir, folder)).catch(() => undefined);
}

function entriesOf(dir: string, folder: string) {
  return readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
}
