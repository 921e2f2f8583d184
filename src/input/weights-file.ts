import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import type { WeightsCache } from '../files/cf/weights/kept-weights.js';

/** A file that keeps weights: written under a temporary name first, so that it is complete or not there. */
export function weightsFile(path: string): WeightsCache {
  return {
    source: path,
    async read() {
      try {
        return await readFile(path);
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw unreadable(path, cause, 'a file of weights that can be read');
      }
    },
    async write(bytes) {
      const temporary = temporaryPath(dirname(path), basename(path));
      try {
        await writeFile(temporary, bytes);
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true });
        throw unwritable(path, cause);
      }
    },
  };
}
