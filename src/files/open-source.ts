import { assertShape } from '../check/option-checks.js';
import { FormatError, mentionOption, OptionError, unusable } from '../errors.js';
import type { ArrayFile } from './array/array-file.js';
import { csv, sampleText } from './csv/csv-format.js';
import type { DecimalMark } from './csv/decimal-mark.js';
import { type FileAccess, unpackedFile } from './file-access.js';
import { foreignFormat, isGzip, unpackRemedy } from './foreign-format.js';
import type { ArrayFileFormat, FileFormat, OpenedTable, TableFileFormat, TableOptions, TableSource } from './format.js';
import { ARRAY_FORMATS, FORMATS, TABLE_FORMATS } from './formats.js';
import { xlsx } from './xlsx/xlsx-format.js';

/** The names of the formats of tables that are read. */
export type TableFormatName = Extract<(typeof FORMATS)[number], { kind: 'table' }>['name'];

/** The format of a file by its first bytes; undefined where it is none of these. */
export function findFormat(head: Uint8Array, formats: readonly FileFormat[] = FORMATS): FileFormat | undefined {
  return formats.find((format) => format.matches(head));
}

/**
 * The format of a table's `bytes`, detected from the content alone.
 *
 * Only the beginning is read, so a truncated file is still recognized. Throws a FormatError that begins with `source`
 * if the bytes are empty or of a format that is not read; the message names well-known formats.
 */
export function detectFormat(bytes: Uint8Array, source = 'input'): TableFormatName {
  if (!(bytes instanceof Uint8Array)) throw unusable('bytes', bytes, 'a Uint8Array');
  if (typeof source !== 'string') throw unusable('source', source, 'a text');
  return tableFormat(bytes, source).name as TableFormatName;
}

/** What is detected, and what messages list. */
export interface Detection {
  /** The formats that are read; by default the package's. */
  readonly formats?: readonly FileFormat[];
  /** The formats that the caller reads, as messages list them; by default all for tables. */
  readonly readable?: string | undefined;
}

/** The format of a table by its first bytes. Throws a FormatError where it is none that is read. */
export function tableFormat(head: Uint8Array, source: string, detection: Detection = {}): TableFileFormat {
  const format = findFormat(head, detection.formats);
  if (format?.kind === 'table') return format;
  throw noTable(head, format, source, detection);
}

/**
 * The format of a table that was gzipped, by its first unpacked bytes. Throws as `tableFormat` does; files of arrays and
 * archives are not read from within gzip.
 */
function unpackedFormat(head: Uint8Array, source: string, detection: Detection): TableFileFormat {
  const format = findFormat(head, detection.formats);
  if (format?.kind === 'table') return format;
  // The file in a tar archive begins where HDF5 may begin, too.
  const foreign = foreignFormat(head);
  const name = foreign?.isPacked ? foreign.name : format?.words;
  if (name === undefined) throw noTable(head, format, `${source}, unpacked`, detection);
  const problem = `is ${name.replace(/^(an? )?/, '$1gzipped ')}, which is not read`;
  throw new FormatError({ subject: source, problem, allowed: unpackRemedy(source) });
}

/** The format of a file of arrays by its first bytes. Throws a FormatError where it is none that is read. */
export function arrayFormat(head: Uint8Array, source: string, formats: readonly FileFormat[]): ArrayFileFormat {
  const format = findFormat(head, formats);
  if (format?.kind === 'arrays') return format;
  const foreign = foreignFormat(head);
  if (foreign?.isPacked) {
    const problem = `is ${foreign.name}, from which no arrays are read`;
    throw new FormatError({ subject: source, problem, allowed: unpackRemedy(source) });
  }
  const name = foreign?.name ?? (format && `a table (${format.words})`);
  const problem = head.length === 0 ? 'is empty' : name === undefined ? 'is of no known format' : `is ${name}`;
  throw new FormatError({ subject: source, problem, allowed: ARRAY_FORMATS });
}

/** Arrays as other files have them, where they are of WRF, whose output follows no convention. */
export async function withWrfArrays(file: ArrayFile): Promise<ArrayFile> {
  const isWrf = file.arrays.get('Times')?.type === 'text' && file.arrays.has('XLAT') && file.arrays.has('XLONG');
  return isWrf ? (await import('./cf/wrf-arrays.js')).wrfArrays(file) : file;
}

function noTable(
  head: Uint8Array,
  format: FileFormat | undefined,
  source: string,
  { readable = TABLE_FORMATS }: Detection,
): FormatError {
  const fault = (problem: string, allowed = readable) => new FormatError({ subject: source, problem, allowed });
  if (head.length === 0) return fault('is empty');
  if (format !== undefined) return fault(`is ${format.words}, which contains arrays, not a table`, TABLE_FORMATS);
  const foreign = foreignFormat(head);
  if (foreign !== undefined) {
    return fault(`is ${foreign.name}, which is not read`, foreign.isPacked ? unpackRemedy(source) : foreign.remedy);
  }
  const text = sampleText(head);
  if (text === undefined) return fault('is of no known format');
  return new FormatError({
    subject: source,
    problem: text.trim() === '' ? 'is blank' : 'is text, but not a table: its first line has no delimiter',
    ...(text.trim() !== '' && { received: text.trimStart().split('\n', 1)[0] }),
    allowed: 'a first line with the names of columns, with , ; | or a tab between them',
  });
}

/** An option of the functions that read files. */
export interface FormatsOption {
  /** Formats of your own, which are asked before the package's own whether a file is theirs. */
  readonly formats?: readonly FileFormat[];
}

/** Throws OptionError unless `formats` are formats or undefined. */
export function assertFormats(formats: unknown): void {
  if (formats === undefined) return;
  if (!Array.isArray(formats)) throw unusable('formats', formats, 'a list of formats');
  for (const [i, format] of formats.entries()) {
    assertShape(`formats[${i}]`, format, {
      name: 'text',
      kind: 'text',
      words: 'text',
      endings: 'texts',
      matches: 'function',
      open: 'function',
    });
    if (!['table', 'arrays'].includes(format.kind))
      throw unusable(`formats[${i}].kind`, format.kind, 'table or arrays');
  }
}

/** How the table of a file is opened. */
interface OpenTableOptions extends TableOptions, FormatsOption, Pick<Detection, 'readable'> {
  /** Unpacks gzip; by default in one piece, to 1 GiB at most. */
  readonly unpackFile?: (file: FileAccess) => Promise<FileAccess>;
}

/**
 * Opens the table of a file by its first bytes, also of one that is gzipped. Throws FormatError where they are of no
 * format of tables, or damaged.
 */
export async function openTable(file: FileAccess, given: OpenTableOptions = {}): Promise<TableSource> {
  const { formats = [], readable, unpackFile = unpackedFile, ...options } = given;
  const detection = { formats: [...formats, ...FORMATS], readable };
  if (!isGzip(file.head) || findFormat(file.head, formats) !== undefined) {
    const format = tableFormat(file.head, file.source, detection);
    assertOptionsUsed(format, options, file.source);
    return tableSource(format.words, await format.open(file, options));
  }
  const content = await unpackFile(file);
  const format = unpackedFormat(content.head, file.source, detection);
  assertOptionsUsed(format, options, file.source);
  const opened = await format.open(content, options);
  // What is unpacked in one piece is read in one; what is unpacked as it comes may lie where the core's memory grows.
  const isWhole = given.unpackFile === undefined || format.isInCore;
  return tableSource(`${format.words}, gzipped`, isWhole ? { read: opened.read } : opened);
}

/** Options that one of the package's formats alone has a use for. */
const OF_FORMAT = { decimal: csv, sheet: xlsx } as const;

/** Throws OptionError for an option that the format of a table has no use for, such as a decimal mark of Parquet. */
function assertOptionsUsed(format: TableFileFormat, options: TableOptions, source: string): void {
  if (!FORMATS.some((known) => known === format)) return;
  for (const name of ['decimal', 'sheet'] as const) {
    const received = options[name];
    if (received === undefined || format.name === OF_FORMAT[name].name) continue;
    const problem = `is for ${OF_FORMAT[name].words}, and the format is ${format.words}`;
    throw new OptionError({ subject: `${source}, ${name}`, problem, received, allowed: `no ${mentionOption(name)}` });
  }
}

/** The source of an opened table; without tables of its own, it has one. */
export function tableSource(format: string, { read, tables }: OpenedTable): TableSource {
  const all = async function* () {
    yield await read();
  };
  return { format, read, tables: tables ?? all };
}

/** Throws OptionError unless `decimal` is a decimal mark or undefined. */
export function assertDecimal(decimal: unknown): asserts decimal is DecimalMark | undefined {
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') throw unusable('decimal', decimal, '"." or ","');
}
