import { FormatError, unusable } from '../../errors.js';

/** Flags of a scanning mode: flag table 3.4, and of GRIB1 table 8, which has the first three. */
const COLUMNS_FIRST = 0x20;
const ALTERNATING = 0x10;
/** Rows or columns that are shifted by half a step, and have other numbers of points. */
const SHIFTED = 0x0f;

/** The points of a grid: rows (along j) of columns (along i), or of a reduced grid the number of points of each row. */
export type GridShape =
  | { readonly columns: number; readonly rows: number }
  | { readonly rowLengths: ArrayLike<number> };

/** What says which points are stored at a stretch. */
interface StoredLines {
  /** The numbers of rows and columns. */
  readonly shape: readonly number[];
  readonly rowLengths?: readonly number[];
  readonly scanningMode: number;
}

/**
 * The values of a grid row by row, with i fastest: undoes columns that are stored one after the other (j consecutive)
 * and rows that alternate in direction. The directions of i and j stay those of the file, which the first two flags of
 * the scanning mode say. Returns `values` itself if there is nothing to do; rows that alternate are turned in place.
 *
 * Throws FormatError, which begins with `subject`, for scanning modes with shifted rows, and for reduced grids whose
 * columns are stored one after the other.
 */
export function orderByRows(
  values: Float64Array,
  shape: GridShape,
  scanningMode: number,
  subject: string,
): Float64Array {
  if (scanningMode & SHIFTED) throw unreadMode(subject, scanningMode, 'rows without shifts');
  const isByColumns = (scanningMode & COLUMNS_FIRST) !== 0;
  if ('rowLengths' in shape) {
    if (isByColumns) throw unreadMode(subject, scanningMode, 'a reduced grid row by row');
    assertLength(
      values,
      Array.from(shape.rowLengths).reduce((sum, length) => sum + length, 0),
    );
    if (scanningMode & ALTERNATING) turnEverySecond(values, shape.rowLengths);
    return values;
  }
  const { columns, rows } = shape;
  assertLength(values, columns * rows);
  if (scanningMode & ALTERNATING) turnEverySecond(values, linesOf({ shape: [rows, columns], scanningMode }));
  return isByColumns ? transposed(values, columns, rows) : values;
}

/** Whether points are stored in the order of rows, as `orderByRows` returns them. */
export function isOrderedByRows(scanningMode: number): boolean {
  return (scanningMode & (COLUMNS_FIRST | ALTERNATING | SHIFTED)) === 0;
}

/** The number of points of each line that is stored at a stretch: a row, or a column. */
export function linesOf({ shape, rowLengths, scanningMode }: StoredLines): ArrayLike<number> {
  if (rowLengths !== undefined) return rowLengths;
  const [rows, columns] = shape;
  const [lines, length] = scanningMode & COLUMNS_FIRST ? [columns, rows] : [rows, columns];
  return new Array<number>(lines).fill(length);
}

/** Turns the second line of points, the fourth, and so on. */
export function turnEverySecond(values: Float64Array, lengths: ArrayLike<number>): void {
  let at = 0;
  for (let line = 0; line < lengths.length; line++) {
    if (line % 2 === 1) values.subarray(at, at + lengths[line]).reverse();
    at += lengths[line];
  }
}

/** Values that are stored column by column, row by row. */
function transposed(values: Float64Array, columns: number, rows: number): Float64Array {
  const result = values.slice();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[row * columns + column] = values[column * rows + row];
  }
  return result;
}

function assertLength(values: Float64Array, points: number): void {
  if (values.length !== points) throw unusable('values of a grid', values.length, `${points} values`);
}

function unreadMode(subject: string, scanningMode: number, allowed: string): FormatError {
  return new FormatError({ subject, problem: 'has a scanning mode that is not read', received: scanningMode, allowed });
}
