import { rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UPDATES_FOLDER } from './manifest.js';

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
