import type { Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import { cellTextOf } from './cell-text.js';
import { TextSink } from './text-sink.js';

/**
 * A table as JSON in UTF-8: an array with an object for each row, one row a line.
 *
 * Numbers are the shortest that read back to the same value of the column's type, dates are texts `YYYY-MM-DD`; missing
 * values (null, NaN) are null. Throws an OptionError for columns that hold no single values, and a DataError for an
 * infinity, which JSON has no way to write.
 */
export function writeJson(table: Table): Uint8Array {
  const sink = new TextSink();
  const names = table.schema.fields.map((field) => field.name);
  const keys = names.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  let rowsBefore = 0;
  sink.write('[');
  for (const { data } of table.batches) {
    const columns = data.children.map((child, index) => cellTextOf(child, names[index], STYLE));
    for (let row = 0; row < data.length; row++) {
      let line = rowsBefore + row === 0 ? '\n' : ',\n';
      for (let c = 0; c < columns.length; c++) {
        const text = columns[c](row) ?? 'null';
        if (text.endsWith('Infinity')) throw infinite(rowsBefore + row + 1, names[c], text);
        line += keys[c] + text;
      }
      sink.write(`${line}}`);
    }
    rowsBefore += data.length;
  }
  sink.write('\n]\n');
  return sink.bytes();
}

// Texts end with a quote, so they are never mistaken for an infinity.
const STYLE = { text: (value: string) => JSON.stringify(value), boolean: String };

function infinite(row: number, column: string, received: string): DataError {
  return new DataError({ row, column, problem: 'cannot be written as JSON', received, allowed: 'finite numbers' });
}
