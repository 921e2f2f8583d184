import type { Dirent } from 'node:fs';
import { MANIFEST, readManifest } from './manifest.js';
import { readFolderJournal, WORK } from './work-folder.js';

/** Whether the entries of a folder look as if a batch had made some of them. */
export function holdsResults(entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => name === MANIFEST || name === WORK);
}

/** What batches are known to have made in a folder, as paths below it: whole or not, the manifest too. */
export async function resultsIn(folder: string): Promise<string[]> {
  // What is no manifest of a batch, or cannot be read, tells nothing of one.
  const manifest = await readManifest(folder).catch(() => undefined);
  const journal = await readFolderJournal(folder).catch(() => undefined);
  return [
    ...(manifest?.keys() ?? []),
    ...(journal?.finished.keys() ?? []),
    ...(manifest === undefined ? [] : [MANIFEST]),
  ];
}
