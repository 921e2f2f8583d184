import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beginWork, type Work } from '../../check/work.js';
import { unreadable } from '../../disk/file-fault.js';
import { isAddress } from '../../disk/local-path.js';
import { readRegularFile } from '../../disk/regular-file.node.js';
import type { FileAccess } from '../file-access.js';
import { type OpenZarrOptions, openZarr } from '../zarr/open-zarr.js';
import { zarrFolder } from '../zarr/open-zarr-folder.node.js';
import { remoteStore } from '../zarr/remote-store.node.js';
import type { ZarrFile } from '../zarr/zarr-file.js';
import { DEFAULT_FORM, openReferences, type ReferenceForm } from './open-references.js';
import { folderOf } from './reference-folder.js';

/** Opens a file of references; paths in it begin in its folder, where all objects have to lie. Throws as `openReferences` does. */
export async function openReferenceFile(
  path: string,
  { source, bytes, random, work }: Pick<FileAccess, 'source' | 'bytes' | 'random' | 'work'>,
): Promise<ZarrFile> {
  const all = await bytes();
  // All of it is read.
  await random?.close();
  return openAt(path, source, all, DEFAULT_FORM, work);
}

/** Opens the references at a path with options of stores. */
export async function openReferencePath(path: string, options: OpenZarrOptions): Promise<ZarrFile> {
  const { work, others } = beginWork(options, 'bytes');
  const { source = path, concurrency, missingChunks, cache, virtualChunks } = others;
  const given = { concurrency, missingChunks, cache, virtualChunks };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return work.run(async () => {
    const bytes = await readRegularFile(path).catch((cause) => {
      throw unreadable(path, cause, 'a file of references');
    });
    return openAt(path, source, bytes, { ...DEFAULT_FORM, ...known }, work);
  });
}

/**
 * Opens a store in a folder or at an address of HTTP, or a file of references, which refer to chunks elsewhere. Throws as
 * `openZarr` and `openReferences` do.
 */
export async function openReferring(path: string, options: OpenZarrOptions): Promise<ZarrFile> {
  if (isAddress(path)) return openZarr(remoteStore(path, options.http ?? {}), options);
  const status = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a store, or references')));
  return status.isDirectory() ? openZarr(zarrFolder(path), options) : openReferencePath(path, options);
}

/** A copy of what lies at an address keeps the address as its source. */
function openAt(path: string, source: string, bytes: Uint8Array, form: ReferenceForm, work: Work): Promise<ZarrFile> {
  const isRemote = /^https?:\/\//i.test(source);
  return openReferences(bytes, { source, folder: isRemote ? folderOf(source) : zarrFolder(dirname(path)), work }, form);
}
