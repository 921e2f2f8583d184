import { DAY_SECONDS } from '../../period/day.js';

/** A cell as the package that reads sheets gives it. */
export type Cell = string | number | boolean | Date | null;

/** The table in a sheet, as text with tabs between cells. */
export interface SheetText {
  readonly text: string;
  /** The row of the sheet, from 1, that has the names of the columns. */
  readonly header: number;
}

/** A sheet without a table in it, or columns without names. */
export interface SheetFault {
  readonly problem: string;
  readonly allowed: string;
}

/** Rows in which the names of columns are looked for. */
const FIRST_ROWS = 50;

/**
 * The table in the rows of a sheet as text, a line for each row, so that lines have the numbers of rows. The names of the
 * columns are in the first row that begins with two texts, or with a text and numbers that count members, has no dates, and has at least half as many cells
 * as the fullest one of the first fifty; what stands above it is a comment. The first column may have no name: an index, as pandas writes it. Days are `YYYY-MM-DD`; where a column has times, all are `YYYY-MM-DDTHH:MM:SS`.
 */
export function sheetText(rows: readonly (readonly Cell[])[]): SheetText | SheetFault {
  const first = rows.slice(0, FIRST_ROWS);
  const most = Math.max(2, ...first.map((row) => filled(row).length)) / 2;
  const header = first.findIndex((row, r) => isHeader(row, rows[r + 1] ?? []) && filled(row).length >= most);
  if (header < 0)
    return { problem: 'has no row with the names of columns', allowed: 'names above at least two columns' };
  const names = rows[header];
  const values = rows.slice(header + 1);
  const columns: number[] = [];
  for (let c = 0; c < Math.max(...rows.map(({ length }) => length)); c++) {
    if ((names[c] ?? null) !== null || (c === 0 && hasIndex(names, values))) columns.push(c);
    else {
      const row = values.findIndex((cells) => (cells[c] ?? null) !== null);
      if (row >= 0) {
        const place = `column ${columnLetters(c)}, row ${header + 2 + row}`;
        const problem = `has a value without a name of its column in row ${header + 1}: ${place}`;
        return { problem, allowed: 'a name above each column; cells that are not merged' };
      }
    }
  }
  const hasTime = columns.map((c) =>
    values.some((row) => row[c] instanceof Date && seconds(row[c]) % DAY_SECONDS !== 0),
  );
  const lines = [
    ...rows.slice(0, header).map(() => '#'),
    columns.map((c) => quoted(String(names[c] ?? ''))).join('\t'),
    ...values.map((row) => columns.map((c, i) => cellText(row[c] ?? null, hasTime[i])).join('\t')),
  ];
  return { text: `${lines.join('\n')}\n`, header: header + 1 };
}

function filled(row: readonly Cell[]): readonly Cell[] {
  return row.filter((cell) => cell !== null);
}

function isHeader(row: readonly Cell[], next: readonly Cell[]): boolean {
  const cells = filled(row);
  if (cells.some((cell) => cell instanceof Date)) return false;
  return cells.slice(0, 2).filter((cell) => typeof cell === 'string').length === 2 || countsMembers(cells, next);
}

/** Whether a row is a text and the numbers of members, 0, 1, 2 and so on, above a row that begins with a date. */
function countsMembers([name, ...numbers]: readonly Cell[], next: readonly Cell[]): boolean {
  const [first] = numbers;
  if (typeof name !== 'string' || (first !== 0 && first !== 1)) return false;
  return numbers.every((number, i) => number === first + i) && next[0] instanceof Date;
}

/** Whether the first column is an index: names are above all others, and it has a value in each row of them. */
function hasIndex(names: readonly Cell[], values: readonly (readonly Cell[])[]): boolean {
  const rows = values.filter((row) => filled(row).length > 0);
  return (names[1] ?? null) !== null && rows.length > 0 && rows.every(([cell]) => (cell ?? null) !== null);
}

function cellText(cell: Cell, hasTime: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  if (typeof cell === 'string') return quoted(cell);
  if (typeof cell === 'number') return String(cell);
  const text = new Date(seconds(cell) * 1000).toISOString();
  return hasTime ? text.slice(0, 19) : text.slice(0, 10);
}

/** A time of Excel is a fraction of a day, which is hardly ever a whole number of seconds. */
function seconds(date: Date): number {
  return Math.round(date.getTime() / 1000);
}

function quoted(text: string): string {
  return `"${text.replace(/\s+/g, ' ').replaceAll('"', '""')}"`;
}

/** The letters of a column of a sheet, counted from 0: A to Z, AA, and so on. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
