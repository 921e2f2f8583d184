import { open, stat } from 'node:fs/promises';
import type { ArrayFile } from '../../files/array/array-file.js';
import { arrayFormat } from '../../files/array/detect-array-format.js';
import { openArrayFile } from '../../files/array/open-array-file.node.js';

/** Bytes that are read to recognise a file of arrays: HDF5 may begin after other bytes. */
const HEAD_BYTES = 65_536;
const URL_FORM = /^https?:\/\//i;

/** Whether a path is that of a file of arrays; folders and web addresses count as stores of arrays. */
export async function isGridPath(path: string): Promise<boolean> {
  if (URL_FORM.test(path)) return true;
  const status = await stat(path).catch(() => undefined);
  if (status === undefined || status.isDirectory()) return status !== undefined;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return arrayFormat(buffer.subarray(0, bytesRead)) !== undefined;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** Opens a file or store of arrays. Throws FileError, FormatError and PackageError. */
export async function openGridFile(path: string): Promise<ArrayFile> {
  if (!URL_FORM.test(path)) return openArrayFile(path);
  const { openZarr } = await import('../../files/zarr/index.js');
  return openZarr(path);
}
