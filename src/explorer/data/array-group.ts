import { FormatError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import { type FileSet, someOf } from '../../files/cf/join/file-set.js';
import { joinIfOne, readContents, sameArrays } from '../../files/cf/join/join-arrays.js';
import { OpenPool } from '../../files/open-pool.js';
import { findFormat } from '../../files/open-source.js';
import { openArrays } from './array-file.js';
import { accessTo } from './blob-access.js';
import type { GivenFile } from './file-origin.js';
import type { EnsembleFile } from './opened-file.js';

/** Files of arrays that are one. */
export interface ArrayGroup {
  readonly files: readonly GivenFile[];
  readonly file: EnsembleFile;
}

/**
 * The files of arrays that are one ensemble together, such as one for each member. Files with gaps between them are
 * horizons of a timeline. Throws FormatError, DataError and FileError.
 */
export async function openArrayGroups(given: readonly GivenFile[]): Promise<readonly ArrayGroup[]> {
  const files = filesOf(given);
  const contents = await readContents(files);
  const groups: ArrayGroup[] = [];
  for (const indices of sameArrays(contents)) {
    const own = someOf(files, indices);
    if (indices.length < 2) continue;
    const some = indices.map((i) => given[i]);
    const joining = await joinIfOne(
      own,
      some.map(({ path }) => path),
      indices.map((i) => contents[i]),
    );
    if (joining.kind === 'one' && joining.isComplete) {
      groups.push({ files: some, file: await openArrays(joining.file, 'arrays') });
    }
  }
  return groups;
}

function filesOf(given: readonly GivenFile[]): FileSet {
  const pool = new OpenPool((index) => openGiven(given[index]));
  return {
    sources: given.map(({ path }) => path),
    use: (index, work) => pool.use(index, work),
    close: () => pool.close(),
  };
}

async function openGiven(given: GivenFile): Promise<ArrayFile> {
  const file = await accessTo(given);
  const format = findFormat(file.head);
  if (format?.kind === 'arrays') return format.open(file, {});
  const allowed = 'a file that has not changed since it was opened';
  throw new FormatError({ subject: given.path, problem: 'is no longer a file of arrays', allowed });
}
