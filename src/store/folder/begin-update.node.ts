import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlumecastError } from '../../errors.js';
import { unwritable } from './file-fault.js';
import { emptyManifest, MANIFEST_FILE, type Manifest, UPDATES_FOLDER } from './manifest.js';
import { readManifest, replaceManifest } from './manifest-file.node.js';
import { removeUnnamed } from './remove-unnamed.node.js';
import { StoreUpdate } from './store-update.node.js';
import { newUpdateId } from './update-id.js';
import { lockStore } from './update-lock.node.js';

/**
 * Begins to change the store in a folder, which is made, with an empty store, where there is none. What an update that was cut off has
 * left is removed. Rejects with FileError where the folder cannot be written to, or another update is under way; FormatError where the
 * store's manifest is wrong.
 */
export async function beginUpdate(dir: string): Promise<StoreUpdate> {
  await mkdir(dir, { recursive: true }).catch((cause) => Promise.reject(unwritable(dir, cause)));
  const lock = await lockStore(dir);
  try {
    const id = newUpdateId();
    const before = await manifestOrNew(dir, id);
    await removeUnnamed(dir, before);
    return new StoreUpdate(dir, id, before, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function manifestOrNew(dir: string, id: string): Promise<Manifest> {
  try {
    return await readManifest(dir);
  } catch (error) {
    const isAbsent = isPlumecastError(error, 'file') && (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isAbsent) throw error;
    const empty = emptyManifest();
    await replaceManifest(dir, empty, join(dir, UPDATES_FOLDER, id, MANIFEST_FILE));
    return empty;
  }
}
