import { arrayFormat } from '../../files/array/detect-array-format.js';
import { beginsWith } from '../../files/foreign-format.js';
import { HEAD_BYTES } from '../../files/page-length.js';
import { readBytes } from './blob-access.js';
import type { Given, GivenFile } from './file-origin.js';
import type { OpenedFile } from './opened-file.js';

/**
 * Opens a file by its content, or a Zarr store. Throws FileError, FormatError, DataError, OptionError and PackageError,
 * which name it.
 */
export async function openFile(given: Given): Promise<OpenedFile> {
  // Readers are loaded when a file is met.
  const openStore = async () => (await import('./open-store.js')).openStore;
  if ('store' in given) return (await openStore())(given);
  const head = await headOf(given);
  const format = arrayFormat(head);
  if (format !== undefined) return (await import('./array-file.js')).openArrayFiles(format, [given]);
  if (beginsWith(head, 'PK\x03\x04')) {
    const store = await (await import('./zip-store.js')).zippedStore(given);
    if (store !== undefined) return (await openStore())(store);
  }
  return (await import('./table-file.js')).openTableFile(await readBytes(given), given.path);
}

/** Whether a file has messages of GRIB. Throws FileError where it cannot be read. */
export async function isGrib(given: Given): Promise<boolean> {
  return !('store' in given) && arrayFormat(await headOf(given)) === 'grib';
}

function headOf(given: GivenFile): Promise<Uint8Array> {
  return readBytes({ ...given, content: given.content.slice(0, HEAD_BYTES) });
}
