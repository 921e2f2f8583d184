import { Option } from 'commander';
import { OUTPUT_COMPRESSIONS, OUTPUT_FORMATS } from '../batch/output-format.js';
import { BANDS, COMPRESSION } from './option-rows.js';
import { threadCount } from './option-values.js';

/** `--store` */
export function storeOption(): Option {
  return new Option('--store <dir>', 'folder of the store, or s3://BUCKET/PREFIX').makeOptionMandatory();
}

/** Where keys and locations are: options of the commands that manage them. */
export interface AccessPlace {
  readonly store?: string;
  readonly database?: string;
  readonly databaseFile?: string;
}

/** `--database` and `--database-file` */
export function databaseOptions(): Option[] {
  return [
    new Option(
      '--database <url>',
      'PostgreSQL with the keys and locations: postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    ),
    new Option('--database-file <file>', 'file that holds this URL, so that no list of processes shows its password'),
  ];
}

/** `--store`, where keys and locations may be in a database, too. */
export function accessOptions(): Option[] {
  return [new Option('--store <dir>', 'folder of the store'), ...databaseOptions()];
}

/** `--config` and `--check-config`, of the commands that take options from the environment and a file, too. */
export function configOptions(): Option[] {
  return [
    new Option('--config <file>', 'JSON file with options of serve and ingest; flags and the environment come first'),
    new Option('--check-config', 'show each option and where it comes from, and do nothing else'),
  ];
}

/** `--format` for statistics, which can also be a table for reading. */
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
  return new Option(
    '--out <path>',
    'file, or Zarr store, to write; its ending selects the format; - is standard output; {variable}, {granularity} and {year} divide rows among files',
  );
}

/** `--bands` */
export function bandsOption(): Option {
  return new Option(`--bands ${BANDS.value}`, BANDS.text).argParser(BANDS.read);
}

/** `--quiet` */
export function quietOption(): Option {
  return new Option('--quiet', 'no notes and no progress on standard error, only warnings and errors');
}

/** `--join` */
export function joinOption(): Option {
  return new Option(
    '--join <pattern>',
    'what the names of files state that are one ensemble together: "mem{member}.nc", "{init}/*_{lead}.nc"; none: each file by itself (default: by what is in the files)',
  );
}

/** `--compression` */
export function compressionOption(): Option {
  return new Option(`--compression ${COMPRESSION.value}`, COMPRESSION.text).choices(OUTPUT_COMPRESSIONS);
}

/** `--escape-formulas` */
export function escapeOption(): Option {
  return new Option('--escape-formulas', 'CSV for spreadsheets: texts that begin like formulas get an apostrophe');
}

/** `--threads` */
export function threadsOption(): Option {
  const text =
    'threads that read a long CSV or Parquet file, the computing one included (default: one for each processor)';
  return new Option('--threads <number>', text).argParser(threadCount);
}
