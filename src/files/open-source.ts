import { assertShape } from '../check/assert-shape.js';
import { unusable } from '../errors.js';
import { isGzip } from './codecs/gzip.js';
import { type Detection, findFormat, tableFormat, unpackedFormat } from './detect-format.js';
import { type FileAccess, unpackedFile } from './file-access.js';
import type { FileFormat, OpenedTable, TableOptions, TableSource } from './format.js';
import { FORMATS } from './formats.js';

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
export interface OpenTableOptions extends TableOptions, FormatsOption, Pick<Detection, 'readable'> {
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
    return tableSource(format.words, await format.open(file, options));
  }
  const content = await unpackFile(file);
  const format = unpackedFormat(content.head, file.source, detection);
  const opened = await format.open(content, options);
  // What is unpacked in one piece is read in one; what is unpacked as it comes may lie where the core's memory grows.
  const isWhole = given.unpackFile === undefined || format.isInCore;
  return tableSource(`${format.words}, gzipped`, isWhole ? { read: opened.read } : opened);
}

/** The source of an opened table; without tables of its own, it has one. */
export function tableSource(format: string, { read, tables }: OpenedTable): TableSource {
  const all = async function* () {
    yield await read();
  };
  return { format, read, tables: tables ?? all };
}
