import { beginUpdate, type StoreUpdate } from '../service/source/folder/index.node.js';

/**
 * Changes a store all at once: readers see what `change` writes when it is done, and nothing if it fails, or a signal
 * stops the process. Throws FileError, and what `change` throws.
 */
export async function updateStore(dir: string, change: (update: StoreUpdate) => Promise<void>): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const giveUp = async (signal: NodeJS.Signals) => {
    await begun.then((update) => update.abandon()).catch(() => undefined);
    process.kill(process.pid, signal);
  };
  // Once, because a second signal should not have to wait; and before the update begins, so that it is always removed.
  for (const signal of signals) process.once(signal, giveUp);
  const begun = beginUpdate(dir);
  try {
    const update = await begun;
    await change(update).catch(async (error) => {
      await update.abandon();
      throw error;
    });
    await update.commit();
  } finally {
    for (const signal of signals) process.off(signal, giveUp);
  }
}
