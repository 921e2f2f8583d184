import { Option } from 'commander';
import { OUTPUT_COMPRESSIONS, OUTPUT_FORMATS } from '../batch/output-format.js';

/** `--format` for statistics, which can be laid out for reading, too. */
export function statisticsFormat(): Option {
  const form = new Option('--format <name>', 'form of the result (default: a table on a terminal, else csv)');
  return form.choices(['table', ...OUTPUT_FORMATS]);
}

/** `--format` for values, which are for programs only. */
export function valuesFormat(): Option {
  return new Option('--format <name>', 'form of the result (default: csv)').choices(OUTPUT_FORMATS);
}

/** `--out` */
export function outOption(): Option {
  return new Option('--out <path>', 'file to write to; its ending tells the format; - is standard output');
}

/** `--quiet` */
export function quietOption(): Option {
  return new Option('--quiet', 'neither notes nor progress on standard error; warnings and errors stay');
}

/** `--compression` */
export function compressionOption(): Option {
  const usual = 'compression of the file (default: snappy in parquet, deflate in netcdf, none in arrow)';
  return new Option('--compression <name>', usual).choices(OUTPUT_COMPRESSIONS);
}
