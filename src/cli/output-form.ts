import { extname } from 'node:path';
import { OUTPUT_FORMATS, type OutputFormat } from '../batch/output-format.js';
import { nameOfPath } from '../disk/local-path.js';
import { OptionError } from '../errors.js';
import { STANDARD } from '../input/input-file.js';
import type { Report } from '../input/notice.js';

/** The form of a result: a format, or a table for reading. */
export type OutputForm = OutputFormat | 'table';

/** Forms that are not text: not for a terminal, and each column has one type and one dictionary. */
export const BINARY_FORMS: readonly OutputForm[] = [
  'arrow',
  'arrow-stream',
  'parquet',
  'geoparquet',
  'xlsx',
  'netcdf',
  'zarr',
];

const BY_ENDING: Readonly<Record<string, OutputForm>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.ipc': 'arrow',
  '.arrows': 'arrow-stream',
  '.parquet': 'parquet',
  '.geoparquet': 'geoparquet',
  '.xlsx': 'xlsx',
  '.nc': 'netcdf',
  '.nc4': 'netcdf',
  '.zarr': 'zarr',
  '.txt': 'table',
};

/** Endings of compressed files, which are not written. */
const COMPRESSED = ['.gz', '.tgz', '.bz2', '.xz', '.zst', '.lz4', '.br', '.zip', '.7z'];

export interface FormRequest<Form extends OutputForm> {
  /** The value of `option`. */
  readonly format: Form | undefined;
  /** Path of the file, or - for standard output. */
  readonly out: string;
  /** The forms that the command writes. */
  readonly forms: readonly Form[];
  /** The form for standard output; undefined if `option` is required. */
  readonly usual: Form | undefined;
  readonly option: '--format' | '--to';
  /** Receives a note if the option and the ending differ. */
  readonly report: Report;
}

/**
 * The form of a result: that of the option, or else of the ending of the file's name. If they differ, the option wins,
 * and a note says so. Throws OptionError if neither selects a form, for endings of compressed files, and for binary
 * forms on a terminal.
 */
export function outputForm<Form extends OutputForm>(request: FormRequest<Form>): Form {
  const { format, out, forms, usual, option, report } = request;
  if (out === STANDARD) return standardForm(request, format ?? usual);
  const ending = extname(nameOfPath(out)).toLowerCase();
  if (COMPRESSED.includes(ending)) throw formError(request, `${ending} files are not written`);
  const byEnding = forms.find((form) => form === BY_ENDING[ending]);
  if (format === undefined) {
    if (byEnding !== undefined) return byEnding;
    throw formError(
      request,
      ending === '' ? 'has no ending that selects the format' : `has the unknown ending ${ending}`,
    );
  }
  const areParquet = byEnding === 'parquet' && format === 'geoparquet';
  if (byEnding !== undefined && byEnding !== 'table' && byEnding !== format && !areParquet) {
    report({ kind: 'note', source: nameOfPath(out), text: `written as ${format}, because of ${option}` });
  }
  return format;
}

function standardForm<Form extends OutputForm>(request: FormRequest<Form>, form: Form | undefined): Form {
  if (form === undefined) throw formError(request, 'has no ending that selects the format');
  if (!process.stdout.isTTY || !BINARY_FORMS.includes(form)) return form;
  const allowed = '--out PATH, or a pipe';
  throw new OptionError({ subject: 'output', problem: `${form} is not for a terminal`, allowed });
}

function formError({ out, forms, option }: FormRequest<OutputForm>, problem: string): OptionError {
  const endings = Object.keys(BY_ENDING).filter((ending) => forms.includes(BY_ENDING[ending]));
  const subject = out === STANDARD ? 'standard output' : nameOfPath(out);
  return new OptionError({ subject, problem, allowed: `${endings.join(', ')}; or ${option} ${forms.join(', ')}` });
}

/** The form of values, which are for programs only. */
export function valuesForm(format: OutputFormat | undefined, out: string, report: Report): OutputFormat {
  return outputForm({ format, out, forms: OUTPUT_FORMATS, usual: 'csv', option: '--format', report });
}

/** The form of statistics; by default a table on a terminal, else CSV. */
export function statisticsForm(format: OutputForm | undefined, out: string, report: Report): OutputForm {
  const usual = process.stdout.isTTY ? 'table' : 'csv';
  return outputForm({ format, out, forms: [...OUTPUT_FORMATS, 'table'], usual, option: '--format', report });
}
