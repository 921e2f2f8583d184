import { FileError } from '../../errors.js';
import type { GivenFile } from './file-origin.js';

/** More cannot be read into one piece of memory by every browser. */
const MAX_BYTES = 2 ** 30;

/** Reads a file into memory. Throws FileError for what cannot be read, or is too long. */
export async function readBytes({ path, content }: GivenFile): Promise<Uint8Array> {
  if (content.size > MAX_BYTES) {
    throw new FileError({
      ...{ subject: path, problem: 'is too long for a page', received: `${content.size} bytes` },
      allowed: 'at most 1 GiB; the command reads files of any length',
    });
  }
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch (cause) {
    const problem = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new FileError({ subject: path, problem, allowed: 'a file, not a folder', cause });
  }
}
