import { removeWhenStopped } from '../disk/temporary-file.node.js';
import { beginUpdate, type StoreUpdate } from '../service/source/folder/index.node.js';

/**
 * Changes a store all at once: readers see what `change` writes when it is done, and nothing if it fails, or a signal
 * stops the process. The lock of a stopped process does not hold up the next one. Throws FileError, and what `change`
 * throws.
 */
export async function updateStore(dir: string, change: (update: StoreUpdate) => Promise<void>): Promise<void> {
  const update = await beginUpdate(dir);
  const keep = removeWhenStopped(update.folder);
  try {
    await change(update);
  } catch (error) {
    await update.abandon();
    throw error;
  } finally {
    // From here on the files may be the store's.
    keep();
  }
  await update.commit();
}
