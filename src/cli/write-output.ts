import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../errors.js';
import { reason, STANDARD } from './read-input.js';

/**
 * Writes `content` to a file, or to standard output. A file is written under another name and then renamed: it is whole, or
 * it is what it was before. Throws FileError.
 */
export async function writeOutput(path: string, content: Uint8Array | string): Promise<void> {
  if (path === STANDARD) {
    await new Promise<void>((done, failed) => {
      process.stdout.write(content, (error) => (error ? failed(error) : done()));
    });
    return;
  }
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new FileError({
      subject: path,
      problem: `cannot be written: ${reason(cause as NodeJS.ErrnoException)}`,
      allowed: 'a path in a folder that exists and can be written to',
      cause,
    });
  }
}
