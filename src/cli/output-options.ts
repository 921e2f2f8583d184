import { Option } from 'commander';
import type { Compression, TableFormat } from '../formats/encode-options.js';

/** The forms of results: those of tables, and NetCDF, which keeps their grid. */
export type OutputFormat = TableFormat | 'netcdf';

/** How a file is compressed; `deflate` is that of NetCDF. */
export type OutputCompression = Compression | 'deflate';

const FORMATS: readonly OutputFormat[] = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet', 'netcdf'];
const COMPRESSIONS: readonly OutputCompression[] = ['none', 'lz4', 'zstd', 'snappy', 'deflate'];

/** `--format` for statistics, which can be laid out for reading, too. */
export function statisticsFormat(): Option {
  const form = new Option('--format <name>', 'form of the result (default: a table on a terminal, else csv)');
  return form.choices(['table', ...FORMATS]);
}

/** `--format` for values, which are for programs only. */
export function valuesFormat(): Option {
  return new Option('--format <name>', 'form of the result (default: csv)').choices(FORMATS);
}

/** `--out` */
export function outOption(): Option {
  return new Option('--out <path>', 'file to write to; its ending tells the format; - is standard output');
}

/** `--compression` */
export function compressionOption(): Option {
  const usual = 'compression of the file (default: snappy in parquet, deflate in netcdf, none in arrow)';
  return new Option('--compression <name>', usual).choices(COMPRESSIONS);
}
