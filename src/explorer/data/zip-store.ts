import { unzip, type ZipEntry } from 'unzipit';
import { FormatError } from '../../errors.js';
import { isStoreFile } from '../../files/zarr/zarr-format.js';
import type { GivenFile, GivenStore } from './file-origin.js';
import { folderStore, listedFolder } from './folder-store.js';

/** A longer value of a store is damage, or made to fill memory. */
const MAX_VALUE_BYTES = 2 ** 30;

/** The store in a zip archive, at its root or in a folder; undefined where there is none. Throws FormatError. */
export async function zippedStore({ path, url, content }: GivenFile): Promise<GivenStore | undefined> {
  const { entries } = await unzip(content).catch((cause) => {
    const problem = `is a damaged zip archive: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new FormatError({ subject: path, problem, allowed: 'a complete one', cause });
  });
  const files = Object.entries(entries).filter(([, { isDirectory }]) => !isDirectory);
  const roots = files.flatMap(([name]) => (isStoreFile(name) ? name.replace(/[^/]*$/, '') : []));
  if (roots.length === 0) return undefined;
  const root = roots.reduce((shortest, each) => (each.length < shortest.length ? each : shortest));
  const below = files
    .filter(([name]) => name.startsWith(root))
    .map(([name, entry]) => [name.slice(root.length), entry]);
  const folder = listedFolder(new Map(below as [string, ZipEntry][]), (entry) => contentOf(entry, path));
  return { path, ...(url !== undefined && { url }), store: folderStore(folder, path) };
}

async function contentOf(entry: ZipEntry, path: string): Promise<Blob> {
  if (entry.size > MAX_VALUE_BYTES) {
    const received = `${entry.size} bytes`;
    throw new FormatError({ subject: `${path}/${entry.name}`, problem: 'is too long', received, allowed: '1 GiB' });
  }
  return entry.blob();
}
