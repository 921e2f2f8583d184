import type { Table } from 'apache-arrow';
import { cellTextOf } from './cell-text.js';
import { TextSink } from './text-sink.js';

const NEEDS_QUOTES = /[",\n\r]|^#/;

/**
 * A table as CSV in UTF-8: a header, then a line for each row, line ends LF, quotes only where RFC 4180 needs them.
 *
 * Numbers are the shortest that read back to the same value of the column's type, booleans 1 and 0, dates `YYYY-MM-DD`;
 * missing values (null, NaN) are empty. Throws an OptionError for columns that hold no single values.
 */
export function writeCsv(table: Table): Uint8Array {
  const sink = new TextSink();
  const names = table.schema.fields.map((field) => field.name);
  sink.write(`${names.map(quoted).join(',')}\n`);
  for (const { data } of table.batches) {
    const style = { text: quoted, boolean: (value: boolean) => (value ? '1' : '0') };
    const columns = data.children.map((child, index) => cellTextOf(child, names[index], style));
    for (let row = 0; row < data.length; row++) {
      let line = columns[0]?.(row) ?? '';
      for (let c = 1; c < columns.length; c++) line += `,${columns[c](row) ?? ''}`;
      sink.write(`${line}\n`);
    }
  }
  return sink.bytes();
}

/** A text that begins with `#` is quoted as well: at the top of a file it would be taken for a comment. */
function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
