import type { Parser } from 'papaparse';
import { DataError, FormatError } from '../errors.js';
import { type CsvDialect, csvDialect } from './csv-dialect.js';

const BLOCK_BYTES = 1 << 20;

/** A run of CSV rows, and the line that its first row begins on, from 1. */
export interface CsvBlock {
  rows: string[][];
  line: number;
  dialect: CsvDialect;
  /** The part of the file read so far, from 0 to 1. */
  share: number;
}

/** papaparse's parser of one piece of text; its types leave the result open. */
type ParserConstructor = new (config: { delimiter: string; newline: '\n' }) => Parser;
interface ParserResult {
  data: string[][];
  errors: { code: string; row: number }[];
  meta: { cursor: number };
}

/**
 * Parses CSV bytes block by block, so that only a block's cells are alive at once. The first row of the first block is
 * the header. Line ends LF, CRLF and CR may be mixed.
 *
 * Throws a FormatError where the bytes are not UTF-8, and a DataError where quotes are not closed as they should be.
 */
export function* csvBlocks(bytes: Uint8Array, Parser: ParserConstructor, source: string): Generator<CsvBlock> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  let row = 0;
  let dialect: CsvDialect | undefined;
  let parser: Parser | undefined;
  let size = BLOCK_BYTES;
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = Math.min(start + size, bytes.length);
    const last = end === bytes.length;
    let text = rest + decode(decoder, bytes.subarray(start, end), last, source);
    // A CR at the end of a block may be the first half of a CRLF.
    const held = !last && text.endsWith('\r') ? '\r' : '';
    if (held) text = text.slice(0, -1);
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
    if (parser === undefined || dialect === undefined) {
      dialect = csvDialect(text);
      if (dialect === undefined) return;
      parser = new Parser({ delimiter: dialect.delimiter, newline: '\n' });
      line = dialect.headerLine;
      text = text.slice(dialect.headerStart);
    }
    const { data: rows, errors, meta } = parser.parse(text, 0, !last) as ParserResult;
    // Errors of the last row are no errors yet while more of it may follow.
    const error = errors.find((candidate) => candidate.row < rows.length);
    if (error !== undefined) throw quoteError(error, rows, row, line, source);
    if (rows.length > 0) yield { rows, line, dialect, share: end / bytes.length };
    row += rows.length;
    line += countNewlines(text, meta.cursor);
    rest = text.slice(meta.cursor) + held;
    // Doubling keeps the work linear where a single row, or a quote that is never closed, is longer than a block.
    size = rows.length > 0 ? BLOCK_BYTES : size * 2;
  }
}

function decode(decoder: TextDecoder, block: Uint8Array, last: boolean, source: string): string {
  try {
    return decoder.decode(block, { stream: !last });
  } catch (cause) {
    throw new FormatError({ subject: source, problem: 'is not UTF-8 text', allowed: 'CSV saved as UTF-8', cause });
  }
}

function quoteError(
  error: ParserResult['errors'][number],
  rows: string[][],
  rowsBefore: number,
  line: number,
  source: string,
): DataError {
  const rowLine = line + rows.slice(0, error.row).reduce((count, cells) => count + linesOfRow(cells), 0);
  return new DataError({
    source,
    ...(rowsBefore + error.row > 0 && { row: rowsBefore + error.row }),
    problem:
      error.code === 'MissingQuotes'
        ? `a quote is opened and never closed (line ${rowLine})`
        : `text follows a closing quote (line ${rowLine})`,
    received: rows[error.row].join(' '),
    allowed: 'quotes around whole cells, doubled inside',
  });
}

/** The number of lines that a parsed row takes: a quoted cell may hold line ends. */
export function linesOfRow(cells: string[]): number {
  let lines = 1;
  for (const cell of cells) lines += countNewlines(cell, cell.length);
  return lines;
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
