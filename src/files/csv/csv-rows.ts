import { DataError } from '../../errors.js';
import { beginsLocations, CsvLocations } from '../open-meteo/csv-locations.js';
import { type CsvBlock, linesOfRow } from './csv-blocks.js';
import { chooseNumberCells, type DecimalMark, NumberCells, numberFromCell } from './decimal-mark.js';

/** How CSV is read. */
export interface CsvOptions {
  /** The decimal mark of numbers in CSV, if it is ambiguous: `,` as in `0,5`. */
  readonly decimal?: DecimalMark;
  /**
   * Receives notes for people about what was assumed because the file does not state it: its encoding, its decimal
   * mark.
   */
  readonly report?: (note: string) => void;
}

/**
 * Takes the header and the blank lines at the end from blocks of CSV rows, and checks that each row is as long as the
 * header.
 */
export class CsvRows {
  /** The names of the columns; empty before the first block. */
  names: readonly string[] = [];
  /** How numbers are written, decided by the first block that has rows. */
  numbers = new NumberCells('.', false);
  /** The locations at the beginning of a CSV of Open-Meteo. */
  locations?: CsvLocations;
  readonly #source: string;
  readonly #options: CsvOptions;
  #rowsBefore = 0;
  #blank?: RowPlace;

  constructor(source: string, options: CsvOptions = {}) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * The data rows of the next block. Throws a DataError that names the row and its line if a row has too few or too
   * many cells, or a blank line stands between rows, and as `readHeader` and `chooseNumberCells` do.
   */
  take(block: CsvBlock): string[][] {
    const isFirst = this.#rowsBefore === 0;
    const rows = this.#dataRows(block);
    if (isFirst && (block.mayHaveCommas || this.#options.decimal !== undefined)) {
      const { decimal, report = () => {} } = this.#options;
      const context = { decimal, report, source: this.#source };
      this.numbers = chooseNumberCells(rows, this.names, block.dialect.delimiter, context);
    }
    return rows;
  }

  /** Counts data rows that another reader has read. */
  skip(rows: number): void {
    this.#rowsBefore += rows;
  }

  /** Whether a blank line was found, after which no row may follow. */
  get isEnded(): boolean {
    return this.#blank !== undefined;
  }

  #dataRows({ rows, line: firstLine, dialect }: CsvBlock): string[][] {
    let line = firstLine;
    let start = 0;
    if (this.names.length === 0) {
      if (this.locations === undefined && beginsLocations(rows[0])) {
        this.locations = new CsvLocations(rows[start++], this.#source);
        line++;
      }
      while (start < rows.length && this.locations?.take(rows[start], line)) line += linesOfRow(rows[start++]);
      if (start === rows.length) return [];
      this.names = readHeader(rows[start], line, this.#source);
      line += linesOfRow(rows[start++]);
    }
    const columns = this.names.length;
    const lineOf = (at: number) => line + rows.slice(start, at).reduce((count, row) => count + linesOfRow(row), 0);
    let end = this.#blank === undefined ? rows.length : start;
    for (let at = start; at < rows.length; at++) {
      const cells = rows[at];
      if (cells.length === columns && this.#blank === undefined) continue;
      const isBlank = cells.length === 1 && cells[0].trim() === '';
      if (this.#blank !== undefined) {
        if (isBlank) continue;
        throw this.locations?.secondTable(this.names, cells, lineOf(at)) ?? blankLine(this.#blank);
      }
      const place = { source: this.#source, row: this.#rowsBefore + at - start + 1, line: lineOf(at) };
      if (!isBlank) throw raggedRow(cells, columns, dialect.delimiter, place);
      // Blank lines are an error only if a row follows.
      this.#blank = place;
      end = at;
    }
    this.#rowsBefore += end - start;
    return start === 0 && end === rows.length ? rows : rows.slice(start, end);
  }
}

/** The error for CSV without data rows. */
export function noRows(source: string): DataError {
  return new DataError({ source, problem: 'has no data rows', allowed: 'a header and at least one row' });
}

interface RowPlace {
  source: string;
  row: number;
  line: number;
}

function raggedRow(cells: string[], columns: number, delimiter: string, { source, row, line }: RowPlace): DataError {
  return new DataError({
    source,
    row,
    problem: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header ${columns} (line ${line})`,
    received: cells.join(delimiter),
    allowed: `${columns} cells in every row`,
  });
}

function blankLine({ source, row, line }: RowPlace): DataError {
  return new DataError({
    source,
    row,
    problem: `is a blank line between rows (line ${line})`,
    allowed: 'blank lines at the end only',
  });
}

const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * The column names of a CSV header, spaces around them removed.
 *
 * Throws a DataError if the line contains values instead of names, a name other than the first is empty, or a name
 * occurs twice.
 */
function readHeader(cells: string[], line: number, source: string): string[] {
  const names = cells.map((cell) => cell.trim());
  const fail = (problem: string, received: unknown, allowed: string): never => {
    throw new DataError({ source, subject: `header (line ${line})`, problem, received, allowed });
  };
  if (DATE.test(names[0]) || names.every((name) => !Number.isNaN(numberFromCell(name)))) {
    fail('holds values instead of column names', names.join(' '), 'a first line that names the columns');
  }
  const places = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const before = places.get(name);
    // pandas and R write their index, or the numbers of rows, as a first column without a name.
    if (name === '' && (index > 0 || names.length === 1))
      fail(`column ${index + 1} has no name`, names.join(' '), 'a name for every column');
    if (before !== undefined) {
      fail(`columns ${before + 1} and ${index + 1} have the same name`, name, 'each name once');
    }
    places.set(name, index);
  }
  return names;
}
