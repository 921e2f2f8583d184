import { DataType, Type, type Vector } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn } from '../arrow/coded-column.js';

/** Whether values of this type are texts, with or without a dictionary. */
export function isTextType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isTextType(type.dictionary);
  // Older versions of Arrow have no views, and no test for them.
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || type.typeId === Type.Utf8View;
}

/**
 * The one text that a column holds in all rows that are used, or undefined if it is empty. Throws a DataError for the
 * first row with another text.
 */
export function onlyText(
  vector: Vector,
  column: string,
  agree: (a: string, b: string) => boolean,
  source?: string,
  use?: (row: number) => boolean,
): string | undefined {
  const { codes, values } = codedColumn(vector);
  const agreeing = new Set<number>([-1]);
  let only: string | undefined;
  for (let row = 0; row < codes.length; row++) {
    if (agreeing.has(codes[row]) || (use !== undefined && !use(row))) continue;
    const text = String(values[codes[row]]);
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
    agreeing.add(codes[row]);
  }
  return only;
}
