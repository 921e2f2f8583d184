import { isOfTooManyFiles } from '../disk/file-fault.js';
import { isPlumecastError } from '../errors.js';
import type { ArrayFile } from './array/array-file.js';
import { type FileSet, someOf } from './cf/join/file-set.js';
import { OpenPool } from './open-pool.js';
import { openArrayPath } from './open-source.node.js';

/** Opens files of arrays as one, by what is in them, or by a pattern of their names: see `joinArrays`. */
export async function openJoinedPaths(
  paths: readonly string[],
  pattern?: string,
  open?: (path: string) => Promise<ArrayFile>,
): Promise<ArrayFile> {
  const { joinFileSet } = await import('./cf/join/join-arrays.js');
  return closedOnError(filesOf(paths, open), (files) => joinFileSet(files, paths, pattern));
}

/** Files of arrays that are one, open as one; or files that each count by themselves. */
interface FileGroup {
  readonly paths: readonly string[];
  readonly joined: ArrayFile | undefined;
}

/** The groups of some files, and why files with the same arrays are apart, where they are. */
interface FileGroups {
  readonly groups: readonly FileGroup[];
  readonly reasons: readonly { readonly paths: readonly string[]; readonly text: string }[];
}

/**
 * Opens files of arrays as one where they show by themselves that they are, the ones with the same arrays, and of the same
 * run, together. Where coordinates are not understood, each file counts by itself. Throws FileError and FormatError for
 * one that cannot be read: the others would be an ensemble that lacks it. `areForecasts` says that files are runs.
 */
export async function openGroups(paths: readonly string[], areForecasts = false): Promise<FileGroups> {
  const { readContents, joinIfOne, sameArrays } = await import('./cf/join/join-arrays.js');
  const all = filesOf(paths);
  const groups: FileGroup[] = [];
  const reasons: { paths: string[]; text: string }[] = [];
  try {
    const contents = await readContents(all);
    const add = async (indices: readonly number[]) => {
      const own = indices.map((i) => paths[i]);
      const alone = { paths: own, joined: undefined };
      if (indices.length < 2) return groups.push(alone);
      const known = indices.map((i) => contents[i]);
      const joining = await joinIfOne(someOf(all, indices), own, known, areForecasts);
      if (joining.kind === 'one') return groups.push({ paths: own, joined: joining.file });
      reasons.push({ paths: own, text: joining.why });
      if (joining.kind === 'apart') return groups.push(alone);
      for (const run of joining.runs) await add(run.map((i) => indices[i]));
    };
    for (const indices of sameArrays(contents)) await add(indices);
    if (groups.every(({ joined }) => joined === undefined)) await all.close();
    return { groups, reasons };
  } catch (error) {
    await all.close();
    if (!isPlumecastError(error, 'data')) throw error;
    const text = `each file is an input of its own: ${error.message}`;
    return { groups: [{ paths, joined: undefined }], reasons: [{ paths, text }] };
  }
}

/**
 * Opens groups of files as one file of all their arrays, where each has other ones and they share their coordinates; or
 * returns why they are not one, and closes them. Throws as `openArrayPath` does.
 */
export async function openUnited(groups: readonly FileGroup[], source: string): Promise<ArrayFile | string> {
  const { unitedFile } = await import('./cf/join/united-file.js');
  const files: ArrayFile[] = [];
  const close = async () => {
    for (const file of files) await file.close();
  };
  try {
    for (const { paths, joined } of groups) {
      if (joined !== undefined) files.push(joined);
      else for (const path of paths) files.push(await openArrayPath(path, {}));
    }
    const united = await unitedFile(files, source);
    if (typeof united === 'string') await close();
    return united;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Files that stay open: opening one takes as long as reading megabytes. Systems allow about a thousand. */
const MAX_OPEN = 256;

function filesOf(
  paths: readonly string[],
  open: (path: string) => Promise<ArrayFile> = (path) => openArrayPath(path, {}),
): FileSet {
  const pool = new OpenPool((index) => open(paths[index]), MAX_OPEN, isOfTooManyFiles);
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
