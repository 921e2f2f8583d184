import { FormatError } from '../errors.js';
import { type ArrayFormat, arrayFormat } from './array/detect-array-format.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { foreignFormat } from './foreign-format.js';
import { unpackRemedy } from './unpack-remedy.js';

const ARRAYS: Readonly<Record<ArrayFormat, string>> = { netcdf3: 'NetCDF3', netcdf4: 'NetCDF4 or HDF5', grib: 'GRIB' };

/**
 * The format of a table that was gzipped, by its unpacked bytes. Throws as `detectFormat` does; files of arrays and
 * archives are not read from within gzip.
 */
export function unpackedFormat(bytes: Uint8Array, source: string): FileFormat {
  const foreign = foreignFormat(bytes);
  const arrays = arrayFormat(bytes);
  // The file in a tar archive begins where HDF5 may begin, too.
  const name = foreign?.isPacked ? foreign.name : arrays && ARRAYS[arrays];
  if (name === undefined) return detectFormat(bytes, `${source}, unpacked`);
  const problem = `is ${name.replace(/^(an? )?/, '$1gzipped ')}, which is not read`;
  throw new FormatError({ subject: source, problem, allowed: unpackRemedy(source) });
}
