import { MANIFEST, readManifest } from './manifest.js';
import type { OutputFolder } from './output-folder.js';

/** The names of files that batches made in a folder, including the manifest. */
export async function namesOfResults(folder: OutputFolder): Promise<string[]> {
  // Another manifest.json, or one that cannot be read, says nothing about a batch.
  const manifest = await readManifest(folder).catch(() => undefined);
  const journal = await folder.readJournal().catch(() => undefined);
  return [
    ...(manifest?.keys() ?? []),
    ...(journal?.finished.keys() ?? []),
    ...(manifest === undefined ? [] : [MANIFEST]),
  ];
}
