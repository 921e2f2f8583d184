import { isZip } from '../../files/foreign-format.js';
import { grib } from '../../files/grib/grib-format.js';
import { findFormat } from '../../files/open-source.js';
import { accessTo, assertPageLength, readHead } from './blob-access.js';
import type { Given } from './file-origin.js';
import type { OpenedFile } from './opened-file.js';

/**
 * Opens a file by its content, or a Zarr store. Throws FileError, FormatError, DataError, OptionError and PackageError,
 * which name it.
 */
export async function openFile(given: Given): Promise<OpenedFile> {
  // Readers are loaded when a file is met.
  const openStore = async () => (await import('./open-store.js')).openStore;
  if ('store' in given) return (await openStore())(given);
  const file = await accessTo(given);
  const format = findFormat(file.head);
  if (format?.kind === 'arrays') {
    const arrays = await format.open(file, {});
    return (await import('./array-file.js')).openArrays(arrays, 'arrays');
  }
  if (format === undefined && isZip(file.head)) {
    const store = await (await import('./zip-store.js')).zippedStore(given);
    if (store !== undefined) return (await openStore())(store);
  }
  assertPageLength(given);
  return (await import('./table-file.js')).openTableFile(file);
}

/** What several files may be together. */
export type Joinable = 'grib' | 'arrays';

/** Whether a file has messages of GRIB, or other arrays; undefined for tables. Throws FileError where it cannot be read. */
export async function joinableAs(given: Given): Promise<Joinable | undefined> {
  const format = 'store' in given ? undefined : findFormat(await readHead(given));
  if (format?.kind !== 'arrays') return undefined;
  return format.name === grib.name ? 'grib' : 'arrays';
}
