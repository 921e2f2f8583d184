import { removeWhenStopped } from '../disk/temporary-file.node.js';
import { isPlumecastError } from '../errors.js';
import { beginUpdate, type StoreUpdate, type tryUpdate } from '../service/source/folder/index.node.js';

/** So often an update is made again where another one has changed the same meanwhile. */
const MAX_UPDATES = 5;

/**
 * Changes a store all at once: readers see what `change` writes when it is done, and nothing if it fails, returns false,
 * or a signal stops the process; with `keepsWork` values that were finished stay then for the next update. Other processes may change the store at the same time: where they changed the same,
 * `change` is called again, on what they have published. With `begin` `tryUpdate`, the store is only read. Throws
 * FileError, and what `change` throws.
 */
export async function updateStore(
  store: string,
  change: (update: StoreUpdate) => Promise<unknown>,
  {
    begin = beginUpdate,
    keepsWork = false,
  }: { readonly begin?: typeof beginUpdate | typeof tryUpdate; readonly keepsWork?: boolean } = {},
): Promise<void> {
  for (let updates = 1; ; updates++) {
    const update = await begin(store);
    const { folder } = update;
    const keep = keepsWork || folder === undefined ? () => {} : removeWhenStopped(folder);
    try {
      try {
        if ((await change(update)) === false) {
          await update.abandon();
          return;
        }
      } finally {
        // From here on the files may be the store's.
        keep();
      }
      await update.commit();
      return;
    } catch (error) {
      const isBehind = update.isOutdated || (isGone(error) && (await update.isBehind()));
      const isAgain = isBehind && updates < MAX_UPDATES;
      await update.abandon({ keepsWork: isAgain && keepsWork });
      if (!isAgain) throw error;
    }
  }
}

/** Whether a file was not there: one of the store's may be gone where there are newer generations. */
function isGone(error: unknown): boolean {
  return isPlumecastError(error, 'file') && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
