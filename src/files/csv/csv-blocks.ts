import { DataError } from '../../errors.js';
import { loadPackage } from '../load-package.js';
import { type CsvDialect, csvDialect, type TextDecoding } from './text-decoding.js';

const BLOCK_LENGTH = 1 << 20;
/** The beginning of a block is a sixteenth of it. */
const HEAD_SHIFT = 4;
/** The header and some rows. */
const MIN_HEAD_ROWS = 3;

/** The most characters of a row: an unclosed quote, or a line without an end, must not fill the memory. */
const MAX_ROW_LENGTH = 1 << 27;

/** A run of CSV rows, and the line of its first row, from 1. */
export interface CsvBlock {
  rows: string[][];
  line: number;
  dialect: CsvDialect;
  /** Whether a cell may contain a comma, the names of columns aside. */
  mayHaveCommas: boolean;
  /**
   * Whether it is the beginning of the first text, of which the rest has no more to say about how cells are written.
   */
  isHead: boolean;
}

/** papaparse's parser of one piece of text; its own types do not describe the result. */
interface Parser {
  parse(text: string, baseIndex: number, ignoreLastRow: boolean): unknown;
}

export type ParserConstructor = new (config: { delimiter: string; newline: '\n' }) => Parser;

/** Loads papaparse's parser. Throws PackageError if it is not installed. */
export async function loadParser(source: string): Promise<ParserConstructor> {
  const { default: Papa } = await loadPackage('papaparse', source, () => import('papaparse'));
  return Papa.Parser;
}

interface ParserResult {
  data: string[][];
  errors: { code: string; row: number }[];
  meta: { cursor: number };
}

const NOTHING: ParserResult = { data: [], errors: [], meta: { cursor: 0 } };

/**
 * Parses CSV bytes as they arrive, so that only the cells of one block are in memory. The first row of the first block
 * is the header. Line ends LF, CRLF and CR may be mixed.
 *
 * `add` and `end` throw a FormatError if the bytes are not text that `TextDecoding` reads, and a DataError if quotes
 * are not closed properly, or a row is too long.
 */
export class CsvBlocks {
  readonly #Parser: ParserConstructor;
  readonly #source: string;
  readonly #decoding: TextDecoding;
  #dialect?: CsvDialect;
  #parser?: Parser;
  #rest = '';
  /** A CR at the end of the text so far may be the first half of a CRLF. */
  #held = '';
  readonly #length: number;
  #wanted: number;
  #line = 1;
  #row = 0;

  /** `length` is the number of characters that are parsed at a time, unless a row is longer. */
  constructor(Parser: ParserConstructor, source: string, decoding: TextDecoding, length = BLOCK_LENGTH) {
    this.#length = length;
    this.#wanted = length;
    this.#Parser = Parser;
    this.#source = source;
    this.#decoding = decoding;
  }

  /** The rows that are complete now; undefined if more bytes are needed first. */
  add(bytes: Uint8Array): CsvBlock | undefined {
    this.#take(this.#decoding.decode(bytes, false), false);
    return this.#rest.length < this.#wanted ? undefined : this.#parse(false);
  }

  /** The last rows; undefined if there are none. */
  end(): CsvBlock | undefined {
    this.#take(this.#decoding.decode(new Uint8Array(0), true), true);
    return this.#rest === '' ? undefined : this.#parse(true);
  }

  /** Takes the text that is not parsed, for another reader of its rows. The header must have been parsed. */
  takeRest(): string {
    const text = this.#rest + this.#held;
    this.#rest = '';
    this.#held = '';
    return text;
  }

  /** Continues behind `rows` rows on `lines` lines that another reader has read, with text that it has not. */
  continueWith(text: string, rows: number, lines: number): void {
    this.#row += rows;
    this.#line += lines;
    this.#take(text, false);
  }

  /** The text's dialect; undefined before its header. */
  get dialect(): CsvDialect | undefined {
    return this.#dialect;
  }

  #take(decoded: string, isLast: boolean): void {
    let text = this.#held + decoded;
    this.#held = !isLast && text.endsWith('\r') ? '\r' : '';
    if (this.#held) text = text.slice(0, -1);
    this.#rest += text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  #parse(isLast: boolean): CsvBlock | undefined {
    const parser = this.#begin();
    const parse = (text: string) => (parser?.parse(text, 0, !isLast) as ParserResult | undefined) ?? NOTHING;
    // The names of columns do not count.
    const from = this.#row === 0 ? this.#rest.indexOf('\n') + 1 : 0;
    const mayHaveCommas = this.#rest.includes(this.#dialect?.delimiter === ',' ? '"' : ',', from);
    // Where nothing behind it says more about how cells are written, the beginning is enough to begin with.
    const head = this.#rest.slice(0, this.#length >> HEAD_SHIFT);
    const begun = this.#row > 0 || isLast || mayHaveCommas ? NOTHING : parse(head);
    const isHead = begun.data.length > MIN_HEAD_ROWS;
    const text = isHead ? head : this.#rest;
    const { data: rows, errors, meta } = isHead ? begun : parse(text);
    // An error in the last row does not count while more of the row may follow.
    const error = errors.find((candidate) => candidate.row < rows.length);
    if (error !== undefined) throw quoteError(error, rows, this.#row, this.#line, this.#source);
    const line = this.#line;
    this.#row += rows.length;
    this.#line += countNewlines(text, meta.cursor);
    this.#rest = this.#rest.slice(meta.cursor);
    // Doubling keeps the work linear if a single row, or an unclosed quote, is longer than a block.
    this.#wanted = rows.length > 0 ? this.#length : 2 * text.length;
    if (rows.length === 0 || this.#dialect === undefined) {
      if (text.length > MAX_ROW_LENGTH) throw tooLong(this.#row, line, this.#source);
      return undefined;
    }
    return { rows, line, dialect: this.#dialect, mayHaveCommas, isHead };
  }

  /** The parser; undefined while there are only blank lines and comments, and no header. */
  #begin(): Parser | undefined {
    if (this.#parser !== undefined) return this.#parser;
    const dialect = csvDialect(this.#rest);
    if (dialect === undefined) return undefined;
    this.#dialect = dialect;
    this.#line = dialect.headerLine;
    this.#rest = this.#rest.slice(dialect.headerStart);
    this.#parser = new this.#Parser({ delimiter: dialect.delimiter, newline: '\n' });
    return this.#parser;
  }
}

function tooLong(row: number, line: number, source: string): DataError {
  return new DataError({
    source,
    ...(row > 0 && { row }),
    problem: `a row goes on without end (from line ${line} on)`,
    allowed: `rows of ${MAX_ROW_LENGTH} characters at most, and quotes that are closed`,
  });
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
