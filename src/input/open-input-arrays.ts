import { isAddress } from '../disk/local-path.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { openArrayAccess, openArrayPath } from '../files/open-source.node.js';
import type { InputFile } from './input-of-files.js';

/** Opens the arrays of a file, or of a store in a folder or at an address. Throws FileError and FormatError. */
export async function openInputArrays(
  { path, source, remote, fetch }: InputFile,
  selection: ArraySelection | undefined,
): Promise<ArrayFile> {
  if (remote !== undefined) return openArrayAccess(remote.access(), selection);
  // The reader is loaded when a store is met: a command starts sooner without it.
  const repository = icechunkAddress(path);
  if (repository !== undefined)
    return (await import('../files/icechunk/open-icechunk.node.js')).openIcechunkAddress(repository);
  if (isAddress(path)) {
    const { openStore } = await import('../files/zarr/open-zarr.js');
    return openStore(path, fetch && { source, http: { fetch } }, undefined, selection);
  }
  return openArrayPath(path, { selection, source });
}

/** Opens the arrays of what is at an address; closing them closes it. Throws as `openRemoteInput` does, and FormatError. */
export async function openArraysAt(
  address: string,
  source?: string,
  selection?: ArraySelection | undefined,
): Promise<ArrayFile> {
  const { openRemoteInput } = await import('./remote-input.js');
  const isRepository = icechunkAddress(address) !== undefined;
  const found = isRepository
    ? { path: address, source: address, close: async () => {} }
    : await openRemoteInput(address);
  const input: InputFile = source === undefined ? found : { ...found, source };
  try {
    const file = await openInputArrays(input, selection);
    const { format, attributes, arrays, notices, notes, isArchive } = file;
    const about = { ...(notices && { notices }), ...(notes && { notes }), ...(isArchive && { isArchive }) };
    const close = () => file.close().finally(() => input.close());
    return { format, source: file.source, attributes, arrays, ...about, close };
  } catch (error) {
    await input.close();
    throw error;
  }
}
