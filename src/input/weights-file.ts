import { readFile, writeFile } from 'node:fs/promises';
import { unreadable } from '../disk/file-fault.js';
import { replaceFile } from '../disk/replace-file.node.js';
import type { WeightsCache } from '../files/cf/weights/kept-weights.js';

/** A file that keeps weights: it is complete, or not there. */
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
    write: (bytes) => replaceFile(path, (temporary) => writeFile(temporary, bytes)),
  };
}
