import type { RecordBatch, Schema } from 'apache-arrow';
import { DataError } from '../errors.js';
import type { TableEncoder } from './table-encoder.js';
import { TextBytes } from './text-bytes.js';
import { type CellStyle, TextCells } from './text-cells.js';

const PIECE_BYTES = 65_536;
const CLOSING_BRACE = 125;

/**
 * Writes JSON in UTF-8: an array with an object for each row, one row a line.
 *
 * Numbers are the shortest that read back to the same value of the column's type, dates are texts `YYYY-MM-DD`; missing
 * values (null, NaN) are null. Throws an OptionError for columns that hold no single values, and a DataError for an
 * infinity, which JSON has no way to write.
 */
export class JsonEncoder implements TableEncoder {
  readonly #names: string[];
  readonly #keys: Uint8Array[];
  /** The row being written, of all rows. */
  #row = 0;
  readonly #out = new TextBytes(2 * PIECE_BYTES);
  readonly #cells: TextCells;

  constructor({ fields }: Schema) {
    const encoder = new TextEncoder();
    this.#names = fields.map(({ name }) => name);
    this.#keys = this.#names.map((name, index) => encoder.encode(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`));
    const style: CellStyle = {
      missing: 'null',
      quote: '"',
      text: JSON.stringify,
      boolean: String,
      infinity: (value, column) => {
        const problem = 'cannot be written as JSON';
        throw new DataError({ row: this.#row, column, problem, received: String(value), allowed: 'finite numbers' });
      },
    };
    this.#cells = new TextCells(this.#out, style);
    this.#out.text('[');
  }

  *encode({ data }: RecordBatch): Generator<Uint8Array> {
    const columns = data.children.map((child, index) => this.#cells.writer(child, this.#names[index]));
    for (let row = 0; row < data.length; row++) {
      this.#out.text(this.#row++ === 0 ? '\n{' : ',\n{');
      for (let c = 0; c < columns.length; c++) {
        this.#out.copy(this.#keys[c]);
        columns[c](row);
      }
      this.#out.byte(CLOSING_BRACE);
      if (this.#out.length >= PIECE_BYTES) yield this.#out.take();
    }
  }

  *end(): Generator<Uint8Array> {
    this.#out.text('\n]\n');
    yield this.#out.take();
  }
}
