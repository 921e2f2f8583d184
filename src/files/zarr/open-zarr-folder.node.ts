import { assertKind } from '../../check/assert-shape.js';
import { FolderStore } from './folder-store.node.js';
import { type OpenZarrOptions, openZarr } from './open-zarr.js';
import type { ZarrFile } from './zarr-file.js';
import type { ZarrStore } from './zarr-store.js';

/** A folder as a store, for whatever takes one; errors name its files. */
export function zarrFolder(path: string): ZarrStore {
  assertKind('path', path, 'text');
  return new FolderStore(path);
}

/**
 * Opens a Zarr store in a folder, as `openZarr` does; without consolidated metadata its folders are looked through. Rejects with
 * FileError, which names the file, also where a file cannot be read.
 */
export async function openZarrFolder(path: string, options: OpenZarrOptions = {}): Promise<ZarrFile> {
  return openZarr(zarrFolder(path), options);
}
