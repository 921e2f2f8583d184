import { FileError } from '../errors.js';
import { isZip } from './foreign-format.js';
import { netcdf4 } from './netcdf4/netcdf4-format.js';
import { findFormat } from './open-source.js';

/** Longer files of those that pages read at once are not one piece of memory in every browser. */
export const MAX_PAGE_BYTES = 2 ** 30;

/** Whether pages read a file that begins so at once: tables and NetCDF4, not what is read range by range. */
export function isReadAtOnce(head: Uint8Array): boolean {
  const format = findFormat(head);
  if (format === undefined) return !isZip(head);
  return format.kind === 'table' || format.name === netcdf4.name;
}

/** The FileError for a file that is too long for a page, of a number of bytes where it is known. */
export function tooLongForPage(path: string, bytes: number | undefined): FileError {
  const gibibytes = bytes === undefined ? 'more than 1' : (bytes / MAX_PAGE_BYTES).toFixed(2);
  return new FileError({
    ...{ subject: path, problem: 'is too long for the page of the explorer', received: `${gibibytes} GiB` },
    allowed:
      'tables and NetCDF4 up to 1 GiB, and GRIB, NetCDF3 and Zarr of any length: "plumecast stats FILE" and "plumecast plot FILE" read longer ones, and "plumecast convert" with a bbox writes some of their places to a file for the page',
  });
}
