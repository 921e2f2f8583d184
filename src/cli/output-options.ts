import { Option } from 'commander';
import type { TableFormat } from '../formats/encode-tables.js';

const FORMATS: readonly TableFormat[] = ['csv', 'json', 'arrow', 'parquet'];

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
