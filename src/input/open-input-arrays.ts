import { isAddress } from '../disk/local-path.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { openArrayAccess, openArrayPath } from '../files/open-source.node.js';
import type { MissingChunks } from '../files/zarr/zarr-file.js';
import type { InputFile } from './input-of-files.js';

/** What of a file of arrays is wanted, and where it may be. */
export interface ArraysWanted {
  readonly selection?: ArraySelection | undefined;
  /** Where chunks may lie that a store refers to, besides in its own folder or at its origin. */
  readonly virtualChunks?: readonly string[] | undefined;
  /** What chunks are that are not in a store. */
  readonly missingChunks?: MissingChunks | undefined;
}

/** Opens the arrays of a file, or of a store in a folder or at an address. Throws FileError and FormatError. */
export async function openInputArrays(
  { path, source, remote, fetch }: InputFile,
  { selection, virtualChunks, missingChunks }: ArraysWanted = {},
): Promise<ArrayFile> {
  if (remote !== undefined) return openArrayAccess(remote.access(), selection);
  const ofStores = { ...(virtualChunks && { virtualChunks }), ...(missingChunks && { missingChunks }) };
  // The reader is loaded when a store is met: a command starts sooner without it.
  const repository = icechunkAddress(path);
  if (repository !== undefined) {
    const { openIcechunkAddress } = await import('../files/icechunk/open-icechunk.node.js');
    return openIcechunkAddress(repository, ofStores);
  }
  if (virtualChunks !== undefined || missingChunks !== undefined) {
    // It sees by the path whether it is a store, or a file of references.
    const { openReferring } = await import('../files/kerchunk/open-reference-file.node.js');
    return openReferring(path, { source, ...ofStores, ...(fetch && { http: { fetch } }) });
  }
  if (isAddress(path)) {
    const { openStore } = await import('../files/zarr/open-zarr.js');
    return openStore(path, fetch && { source, http: { fetch } }, undefined, selection);
  }
  return openArrayPath(path, { selection, source });
}
