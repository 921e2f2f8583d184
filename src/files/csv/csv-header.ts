import { DataError } from '../../errors.js';
import { numberFromCell } from './number-cell.js';

const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * The column names of a CSV header, spaces around them removed.
 *
 * Throws a DataError where the line holds values instead of names, or where a name other than the first is empty, or one is
 * given twice.
 */
export function csvHeader(cells: string[], line: number, source: string): string[] {
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
