import { OptionError } from '../errors.js';
import type { Compression, TableFormat } from '../files/encode-options.js';

/** The formats of results: those of tables, and NetCDF, which keeps the grid. */
export type OutputFormat = TableFormat | 'netcdf';

/** How a file is compressed; `deflate` is for NetCDF only. */
export type OutputCompression = Compression | 'deflate';

/** The ending of each format's files. */
export const ENDINGS: Readonly<Record<OutputFormat, string>> = {
  csv: '.csv',
  json: '.json',
  jsonl: '.jsonl',
  arrow: '.arrow',
  'arrow-stream': '.arrows',
  parquet: '.parquet',
  netcdf: '.nc',
};

export const OUTPUT_FORMATS = Object.keys(ENDINGS) as readonly OutputFormat[];

export const OUTPUT_COMPRESSIONS: readonly OutputCompression[] = ['none', 'lz4', 'zstd', 'snappy', 'deflate'];

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
