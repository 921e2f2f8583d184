import { arrayFormat } from '../../files/array/detect-array-format.js';
import type { GivenFile } from './file-origin.js';
import type { OpenedFile } from './opened-file.js';
import { readBytes } from './read-bytes.js';

/** Bytes by which a file of arrays is recognized: HDF5 may begin after other bytes. */
const HEAD_BYTES = 65_536;

/** Opens a file by its content. Throws FormatError, DataError, OptionError and PackageError, which name it. */
export async function openFile(file: GivenFile): Promise<OpenedFile> {
  const head = new Uint8Array(await file.content.slice(0, HEAD_BYTES).arrayBuffer());
  const format = arrayFormat(head);
  const bytes = await readBytes(file);
  // Readers are loaded when a file is met.
  if (format === undefined) return (await import('./table-file.js')).openTableFile(bytes, file.path);
  return (await import('./array-file.js')).openArrayFile(format, bytes, file.path);
}
