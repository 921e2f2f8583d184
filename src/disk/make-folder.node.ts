import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from './file-fault.js';
import { assertLocalPath } from './local-path.js';

/**
 * Makes a folder and those that it is in, and returns the first that was made, as `mkdir` does. Throws FileError for
 * the first that cannot be made, and for addresses.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  assertLocalPath(path);
  try {
    return await mkdir(path, { recursive: true });
  } catch (cause) {
    throw unwritable(path, (await causeAbove(path, cause as NodeJS.ErrnoException)) ?? cause);
  }
}

/** On a read-only disk, Node says of several folders to make that there is no such folder; of the first it says why. */
async function causeAbove(path: string, { code }: NodeJS.ErrnoException): Promise<unknown> {
  if (code !== 'ENOENT') return undefined;
  for (let above = path; ; above = dirname(above)) {
    const cause = await mkdir(above).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    if (cause?.code !== 'ENOENT' || above === dirname(above)) return cause;
  }
}
