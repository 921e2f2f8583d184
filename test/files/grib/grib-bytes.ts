import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { singleFile } from '../../../src/files/grib/cube/grib-files.js';
import { openGribFiles } from '../../../src/files/grib/open-grib.js';

/** Opens bytes by the reader of GRIB, whatever they begin with. */
export function openGribBytes(bytes: Uint8Array, { source }: { readonly source: string }): Promise<ArrayFile> {
  return openGribFiles(singleFile(bytesAccess(bytes, source)));
}
