import { beginUpdate, type StoreUpdate } from '../service/source/folder/index.node.js';

/**
 * Changes a store all at once: what `change` writes is seen when it is done, and nothing of it where it fails or the process is told to
 * stop. Throws FileError, and whatever `change` throws.
 */
export async function updateStore(dir: string, change: (update: StoreUpdate) => Promise<void>): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const giveUp = async (signal: NodeJS.Signals) => {
    await begun.then((update) => update.abandon()).catch(() => undefined);
    process.kill(process.pid, signal);
  };
  // Once: who asks again does not want to wait. And from the beginning: what has begun is to be cleared away.
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
