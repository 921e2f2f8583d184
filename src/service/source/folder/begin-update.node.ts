import { rm } from 'node:fs/promises';
import { assertKind } from '../../../check/option-checks.js';
import type { FileLock } from '../../../disk/file-lock.node.js';
import { makeFolder } from '../../../disk/make-folder.node.js';
import { FolderAccess } from '../../store/folder-access.node.js';
import { findState, removeUnnamed } from './generations.node.js';
import { removeMade } from './made-folder.node.js';
import { emptyManifest, newUpdateId, UPDATES_FOLDER } from './manifest.js';
import { StoreUpdate } from './store-update.node.js';

/**
 * Begins an update of the store in a folder, or of a new store where there is none. Removes what an interrupted update
 * has left. Rejects with FileError where the folder cannot be written to; FormatError where the store's root is wrong.
 */
export async function beginUpdate(dir: string): Promise<StoreUpdate> {
  assertKind('dir', dir, 'text');
  const made = await makeFolder(dir);
  const access = new FolderAccess(dir);
  const id = newUpdateId();
  let claim: FileLock | undefined;
  try {
    await removeUnnamed(access).catch(() => undefined);
    const before = (await findState(access))?.manifest ?? emptyManifest();
    claim = await access.claim(`${UPDATES_FOLDER}/${id}`);
    return new StoreUpdate(access, id, before, { claim, made });
  } catch (error) {
    await claim?.release();
    await rm(access.describe(`${UPDATES_FOLDER}/${id}`), { recursive: true, force: true }).catch(() => undefined);
    await removeMade(dir, made);
    throw error;
  }
}
