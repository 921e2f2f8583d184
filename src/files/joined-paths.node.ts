import { isPlumecastError } from '../errors.js';
import type { ArrayFile } from './array/array-file.js';
import type { FileSet } from './cf/join/file-set.js';
import { OpenPool } from './open-pool.js';
import { openArrayPath } from './open-source.node.js';

/** Opens files of arrays as one, by what is in them, or by a pattern of their names: see `joinArrays`. */
export async function openJoinedPaths(paths: readonly string[], pattern?: string): Promise<ArrayFile> {
  const { joinFileSet } = await import('./cf/join/join-arrays.js');
  return closedOnError(filesOf(paths), (files) => joinFileSet(files, paths, pattern));
}

/** Files of arrays that are one, open as one; or files that each count by themselves. */
interface FileGroup {
  readonly paths: readonly string[];
  readonly joined: ArrayFile | undefined;
}

/**
 * Opens files of arrays as one where they show by themselves that they are, the ones with the same arrays together. Where
 * coordinates are not understood, each file counts by itself. Throws FileError and FormatError for one that cannot be read:
 * the others would be an ensemble that lacks it.
 */
export async function openGroups(paths: readonly string[]): Promise<readonly FileGroup[]> {
  const { readContents, joinIfOne, sameArrays } = await import('./cf/join/join-arrays.js');
  const all = filesOf(paths);
  try {
    const contents = await readContents(all);
    const groups: FileGroup[] = [];
    for (const indices of sameArrays(contents)) {
      const own = indices.map((i) => paths[i]);
      const known = indices.map((i) => contents[i]);
      groups.push({
        paths: own,
        joined: own.length < 2 ? undefined : await joinIfOne(someOf(all, indices), own, known),
      });
    }
    if (groups.every(({ joined }) => joined === undefined)) await all.close();
    return groups;
  } catch (error) {
    await all.close();
    if (isPlumecastError(error, 'data')) return [{ paths, joined: undefined }];
    throw error;
  }
}

/** Some files of a set. Closing them closes all that are not in use, which are opened again where they are needed. */
function someOf(all: FileSet, indices: readonly number[]): FileSet {
  return {
    sources: indices.map((i) => all.sources[i]),
    use: (index, work) => all.use(indices[index], work),
    close: () => all.close(),
  };
}

/** Files that stay open: opening one takes as long as reading megabytes. Systems allow about a thousand. */
const MAX_OPEN = 256;

function filesOf(paths: readonly string[]): FileSet {
  const pool = new OpenPool((index) => openArrayPath(paths[index], {}), MAX_OPEN);
  return { sources: paths, use: (index, work) => pool.use(index, work), close: () => pool.close() };
}

async function closedOnError<T>(files: FileSet, open: (files: FileSet) => Promise<T>): Promise<T> {
  try {
    return await open(files);
  } catch (error) {
    await files.close();
    throw error;
  }
}
