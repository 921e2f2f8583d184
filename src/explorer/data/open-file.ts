import { type ArrayFormat, arrayFormat } from '../../files/array/detect-array-format.js';
import { beginsWith } from '../../files/foreign-format.js';
import { blobAccess, readBytes } from './blob-access.js';
import type { Given, GivenFile } from './file-origin.js';
import type { OpenedFile } from './opened-file.js';

/** Bytes by which a file of arrays is recognized: HDF5 may begin after other bytes. */
const HEAD_BYTES = 65_536;

/**
 * Opens a file by its content, or a Zarr store. Throws FileError, FormatError, DataError, OptionError and PackageError,
 * which name it.
 */
export async function openFile(given: Given): Promise<OpenedFile> {
  // Readers are loaded when a file is met.
  const openStore = async () => (await import('./open-store.js')).openStore;
  if ('store' in given) return (await openStore())(given);
  const head = await headOf(given);
  const format: ArrayFormat | undefined = arrayFormat(head);
  if (format !== undefined) {
    const content = { access: blobAccess(given), bytes: () => readBytes(given) };
    return (await import('./array-file.js')).openArrayFile(format, content);
  }
  if (beginsWith(head, 'PK\x03\x04')) {
    const store = await (await import('./zip-store.js')).zippedStore(given);
    if (store !== undefined) return (await openStore())(store);
  }
  return (await import('./table-file.js')).openTableFile(await readBytes(given), given.path);
}

function headOf(given: GivenFile): Promise<Uint8Array> {
  return readBytes({ ...given, content: given.content.slice(0, HEAD_BYTES) });
}
