import { open, stat } from 'node:fs/promises';
import { unreadable } from '../disk/file-fault.js';

/** How the JSON of Open-Meteo begins: with what it says of a place, or with an error. */
const OF_OPEN_METEO = /^\uFEFF?\s*\[?\s*\{[^{]*"(utc_offset_seconds|error)"/;
const HEAD_BYTES = 2_048;

/** Whether a file ends as JSON does and is none of Open-Meteo: a folder of data may have notes and settings in it, which are no inputs. */
export async function isOtherJson(path: string): Promise<boolean> {
  if (!/\.json$/i.test(path)) return false;
  if (!(await stat(path)).isFile()) return true;
  const file = await open(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a file that may be read')));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return !OF_OPEN_METEO.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
