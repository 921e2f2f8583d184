import { assertKind } from '../../../check/assert-shape.js';
import { lockFolder } from '../../../disk/file-lock.node.js';
import { makeFolder } from '../../../disk/make-folder.node.js';
import { isPlumecastError } from '../../../errors.js';
import { emptyManifest, type Manifest, newUpdateId } from './manifest.js';
import { readManifest } from './manifest-file.node.js';
import { removeMade, removeUnnamed } from './remove-unnamed.node.js';
import { StoreUpdate } from './store-update.node.js';

/**
 * Begins an update of the store in a folder, or of a new store where there is none. Removes what an interrupted update
 * has left. Rejects with FileError where the folder cannot be written to, or another update is under way; FormatError
 * where the store's manifest is wrong.
 */
export async function beginUpdate(dir: string): Promise<StoreUpdate> {
  assertKind('dir', dir, 'text');
  const made = await makeFolder(dir);
  const lock = await lockFolder(dir, 'is being updated by');
  try {
    const before = await manifestOrNew(dir);
    await removeUnnamed(dir, before);
    return new StoreUpdate(dir, newUpdateId(), before, { lock, made });
  } catch (error) {
    await lock.release();
    await removeMade(dir, made);
    throw error;
  }
}

async function manifestOrNew(dir: string): Promise<Manifest> {
  try {
    return await readManifest(dir);
  } catch (error) {
    const isAbsent = isPlumecastError(error, 'file') && (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isAbsent) throw error;
    return emptyManifest();
  }
}
