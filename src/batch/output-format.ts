import { OptionError } from '../errors.js';
import type { Compression } from '../files/format.js';
import { type TableFormat, WRITERS } from '../files/formats.js';

/** The formats that keep the grid of results: a NetCDF file, and a Zarr store. */
export type ArrayFormat = 'netcdf' | 'zarr';

/** The formats of results: of tables, and of arrays. */
export type OutputFormat = TableFormat | ArrayFormat;

/** How a file is compressed; `deflate` is for NetCDF only. */
export type OutputCompression = Compression | 'deflate';

export const OUTPUT_FORMATS = [...Object.keys(WRITERS), 'netcdf', 'zarr'] as readonly OutputFormat[];

/** The ending of a format's files, with the dot. */
export function endingOf(format: OutputFormat): string {
  if (isArrayFormat(format)) return format === 'netcdf' ? '.nc' : '.zarr';
  return WRITERS[format].ending;
}

/** Whether results keep their grid in a format. */
export function isArrayFormat(format: string): format is ArrayFormat {
  return format === 'netcdf' || format === 'zarr';
}

export const OUTPUT_COMPRESSIONS: readonly OutputCompression[] = [
  ...new Set<OutputCompression>(Object.values(WRITERS).flatMap(({ compressions }) => compressions)),
  'deflate',
];

/**
 * The compression of a table's file. Throws OptionError for `deflate`; the writers check whether they have the others.
 */
export function tableCompression(format: TableFormat, compression?: OutputCompression): Compression | undefined {
  if (compression === 'deflate') throw unavailable(format, compression, 'another one, or none');
  return compression;
}

/**
 * The level of compression of a NetCDF file; undefined for the default. Throws OptionError for compressions of tables.
 */
export function netcdfDeflate(compression?: OutputCompression): number | undefined {
  if (compression === undefined || compression === 'deflate') return undefined;
  if (compression === 'none') return 0;
  throw unavailable('netcdf', compression, 'deflate or none');
}

/** The compression of a Zarr store. Throws OptionError for others. */
export function zarrCompression(compression: OutputCompression = 'zstd'): 'zstd' | 'none' {
  if (compression === 'zstd' || compression === 'none') return compression;
  throw unavailable('zarr', compression, 'zstd or none');
}

function unavailable(format: OutputFormat, received: string, allowed: string): OptionError {
  return new OptionError({ subject: 'compression', problem: `${format} is not written with it`, received, allowed });
}
