import { DataError } from '../../errors.js';
import { MISSING_TEXT } from '../../table/columns/missing-text.js';

/** The character before the decimals of numbers. */
export type DecimalMark = '.' | ',';

/** The fault in how a number is written. */
export interface WrongNumber {
  readonly problem: string;
  readonly allowed: string;
}

const WITH_POINT = /^[+-]?(\d+\.\d*|\.\d+)(e[+-]?\d+)?$/i;
const WITH_COMMA = /^[+-]?(\d+,\d*|,\d+)(e[+-]?\d+)?$/i;
/** A comma that may also be a mark between thousands. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/** Marks between thousands: several, or one next to a decimal mark. */
const GROUPED =
  /^[+-]?\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|(?:,\d{3}){2,}(?:\.\d+)?|(?:[' \u00a0\u202f\u2019]\d{3})+[.,]\d+|\.\d{3},\d+|,\d{3}\.\d+)$/;

/** How the numbers of a CSV text are written. */
export class NumberCells {
  readonly mark: DecimalMark;
  /** Whether the mark was given as an option. */
  readonly isGiven: boolean;

  constructor(mark: DecimalMark, isGiven: boolean) {
    this.mark = mark;
    this.isGiven = isGiven;
  }

  /** The number in a cell; NaN if there is none. */
  number(cell: string): number {
    if (this.mark === '.') return numberFromCell(cell);
    if (cell.includes('.')) return Number.NaN;
    return numberFromCell(cell.replace(',', '.'));
  }

  /** The fault of a cell among numbers that is a number, but written differently; undefined for other cells. */
  wrong(cell: string): WrongNumber | undefined {
    const text = cell.trim();
    if (GROUPED.test(text))
      return { problem: 'a number with marks between thousands', allowed: 'numbers without them' };
    const other = this.mark === '.' ? WITH_COMMA : WITH_POINT;
    if (!other.test(text) || (this.isGiven && this.mark === '.')) return undefined;
    const [own, theirs] = this.mark === '.' ? ['points', 'comma'] : ['commas', 'point'];
    return {
      problem: `a number with a ${theirs}, where those before have ${own} or no decimals`,
      allowed: `one decimal mark in all numbers, or the option decimal: '${this.mark === '.' ? ',' : '.'}'`,
    };
  }
}

/** A number that shows how numbers are written. */
interface FoundNumber {
  readonly column: number;
  readonly row: number;
  readonly cell: string;
}

/**
 * Decides by the first rows how numbers are written. Commas are decimal marks if they are not the delimiter, the comma
 * of at least one number cannot be a mark between thousands, and no number has a point: `report` receives a note then.
 * Otherwise a comma is an error that names the option.
 */
export function chooseNumberCells(
  rows: readonly string[][],
  names: readonly string[],
  delimiter: string,
  { decimal, source, report }: { decimal?: DecimalMark; source: string; report: (note: string) => void },
): NumberCells {
  if (decimal !== undefined) return new NumberCells(decimal, true);
  const found = names.map((_, column) => foundNumbers(rows, column)).filter((each) => each !== undefined);
  const comma = found.map(({ commas }) => commas[0]).find((each) => each !== undefined);
  if (comma === undefined) return new NumberCells('.', false);
  const points = found.flatMap((each) => each.points);
  const isPlain = found.some(({ commas }) => commas.some(({ cell }) => !MAY_BE_THOUSANDS.test(cell.trim())));
  const mixed = found.find((each) => each.commas.length > 0 && each.points.length > 0);
  const fail = ({ row, column, cell }: FoundNumber, problem: string, allowed: string) =>
    new DataError({ source, row: row + 1, column: names[column], problem, received: cell, allowed });
  if (mixed !== undefined) {
    const [a, b] = [mixed.commas[0], mixed.points[0]].sort((one, other) => one.row - other.row);
    throw fail(
      b,
      `numbers with commas and with points in one column (row ${a.row + 1}: ${a.cell})`,
      'one decimal mark',
    );
  }
  if (points.length === 0 && isPlain && delimiter !== ',') {
    report('numbers read with decimal commas');
    return new NumberCells(',', false);
  }
  const otherColumn = points.length > 0 ? `, and column ${names[points[0].column]} has points (${points[0].cell})` : '';
  const problem = `a number with a comma, which may part decimals or thousands${otherColumn}`;
  throw fail(comma, problem, "the option decimal: ',' where it parts decimals, '.' where such cells are texts");
}

/**
 * The first numbers of a column with a point and with a comma; undefined if it has cells that are not numbers, or only
 * integers.
 */
function foundNumbers(rows: readonly string[][], column: number) {
  const points: FoundNumber[] = [];
  const commas: FoundNumber[] = [];
  for (let row = 0; row < rows.length; row++) {
    const cell = rows[row][column];
    if (cell === undefined) return undefined;
    if (cell.includes(',') && WITH_COMMA.test(cell.trim())) {
      // Further ones add nothing, except one whose comma cannot stand between thousands.
      const isNew = commas.length === 0 || (commas.length === 1 && !MAY_BE_THOUSANDS.test(cell.trim()));
      if (isNew) commas.push({ column, row, cell });
    } else if (cell.includes('.') && WITH_POINT.test(cell.trim())) {
      if (points.length === 0) points.push({ column, row, cell });
    } else if (Number.isNaN(numberFromCell(cell)) && !isMissingCell(cell) && !GROUPED.test(cell.trim()))
      return undefined;
  }
  return commas.length + points.length > 0 ? { points, commas } : undefined;
}

const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const RADIX_LETTER = /[xob]/i;
/** From this time on, in 2001, nanoseconds since 1970 have 19 digits. */
const MIN_NANOSECONDS = 1e18;
const NANOSECONDS = /^[1-3]\d{18}$/;

/**
 * The number in a CSV cell, NaN if there is none.
 *
 * Decimal numbers with a point and an optional exponent, and `inf` or `Infinity` in any case, with spaces around
 * allowed; the value is exactly `Number(text)`. `0x10`, `1,5`, `12abc` and `1_000` are not numbers, nor are 19
 * digits that are a time in nanoseconds: whole seconds, or digits that float64 would round.
 */
export function numberFromCell(cell: string): number {
  const value = Number(cell);
  if (Number.isNaN(value)) {
    const infinity = INFINITY.exec(cell.trim());
    if (infinity === null) return value;
    return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  // Number() also reads blanks as 0, and hexadecimal, octal and binary literals.
  if (value === 0 && cell.trim() === '') return Number.NaN;
  if (cell.length > 2 && RADIX_LETTER.test(cell)) return Number.NaN;
  if (value > MIN_NANOSECONDS && isNanoseconds(cell.trim(), value)) return Number.NaN;
  return value;
}

/** Whether a CSV cell stands for a missing number: blank, NA, NaN, null, #N/A and others, in any case. */
export function isMissingCell(cell: string): boolean {
  return cell === '' || MISSING_TEXT.test(cell.trim());
}

/** Whether digits are a time in nanoseconds, and not how `value` is written. */
function isNanoseconds(digits: string, value: number): boolean {
  return NANOSECONDS.test(digits) && (digits.endsWith('000000000') || String(value) !== digits);
}
