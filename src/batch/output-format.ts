import { OptionError } from '../errors.js';
import type { Compression } from '../files/format.js';
import { type TableFormat, WRITERS } from '../files/formats.js';

/** The formats of results: those of tables, and NetCDF, which keeps the grid. */
export type OutputFormat = TableFormat | 'netcdf';

/** How a file is compressed; `deflate` is for NetCDF only. */
export type OutputCompression = Compression | 'deflate';

export const OUTPUT_FORMATS = [...Object.keys(WRITERS), 'netcdf'] as readonly OutputFormat[];

/** The ending of a format's files, with the dot. */
export function endingOf(format: OutputFormat): string {
  return format === 'netcdf' ? '.nc' : WRITERS[format].ending;
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

function unavailable(format: OutputFormat, received: string, allowed: string): OptionError {
  return new OptionError({ subject: 'compression', problem: `${format} is not written with it`, received, allowed });
}
