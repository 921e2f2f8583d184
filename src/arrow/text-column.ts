import type { Vector } from 'apache-arrow';
import { DataError } from '../errors.js';

/** The distinct texts of a column, each with its first row; at most `most` of them. Nulls do not count. */
export function distinctTexts(vector: Vector, most = 20): Map<string, number> {
  const found = new Map<string, number>();
  let before: unknown;
  for (let row = 0; row < vector.length && found.size < most; row++) {
    const value = vector.get(row);
    if (value === before || value === null) continue;
    before = value;
    const text = String(value);
    if (!found.has(text)) found.set(text, row);
  }
  return found;
}

/**
 * The one text that a column holds in all the rows that count, or undefined where it is empty. Throws a DataError for the
 * first row that says something else.
 */
export function onlyText(
  vector: Vector,
  column: string,
  agree: (a: string, b: string) => boolean,
  source?: string,
  use?: (row: number) => boolean,
): string | undefined {
  let only: string | undefined;
  let before: unknown;
  for (let row = 0; row < vector.length; row++) {
    if (use !== undefined && !use(row)) continue;
    const value = vector.get(row);
    if (value === before || value === null) continue;
    before = value;
    const text = String(value);
    if (only !== undefined && !agree(only, text)) {
      throw new DataError({
        source,
        row: row + 1,
        column,
        problem: `mixed ${column}`,
        received: text,
        allowed: `${only}, as in the rows before`,
      });
    }
    only ??= text;
  }
  return only;
}
