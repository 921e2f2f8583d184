import type { RandomAccess } from '../../files/array/random-access.js';
import type { GribFiles } from '../../files/grib/cube/grib-files.js';
import { openGribFiles } from '../../files/grib/open-grib.js';
import { openArrays } from './array-file.js';
import { blobAccess } from './blob-access.js';
import type { GivenFile } from './file-origin.js';
import type { EnsembleFile } from './opened-file.js';

/** The last pieces that were read are kept of so many files. */
const MAX_OPEN = 32;

/** Opens GRIB files together. Throws FormatError, DataError and FileError. */
export async function openGribGroup(files: readonly GivenFile[]): Promise<EnsembleFile> {
  return openArrays(await openGribFiles(gribGroup(files)), 'arrays');
}

/** GRIB files that belong together, such as one for each member and step of a run. */
function gribGroup(given: readonly GivenFile[]): GribFiles {
  const open = new Map<number, RandomAccess>();
  const accessTo = (file: number) => {
    const access = open.get(file) ?? blobAccess(given[file]);
    open.delete(file);
    open.set(file, access);
    if (open.size > MAX_OPEN) open.delete([...open.keys()][0]);
    return access;
  };
  const others = given.length === 1 ? '' : ` and ${given.length - 1} more`;
  return {
    source: `${given[0].path}${others}`,
    count: given.length,
    use: (file, work) => work(accessTo(file)),
    close: async () => open.clear(),
  };
}
