import type { RecordBatch, Schema } from 'apache-arrow';
import { DataError } from '../../errors.js';
import type { TableEncoder } from '../format.js';
import { TextBytes } from './text-bytes.js';
import { type CellStyle, TextCells } from './text-cells.js';

const PIECE_BYTES = 65_536;

/**
 * The text around the objects of rows: at the beginning of the file, before and after each object, and at the end of
 * the file.
 */
const FRAMES = {
  array: { head: '[', first: '\n{', next: ',\n{', close: '}', end: '\n]\n' },
  lines: { head: '', first: '{', next: '{', close: '}\n', end: '' },
} as const;

/**
 * Writes JSON in UTF-8, an object for each row, one row a line: as an array, or as lines that are JSON each (JSON
 * Lines).
 *
 * Numbers are the shortest that read back to the same value of the column's type, but for windows that tie with a
 * shorter decimal (see `TextCells`); dates are texts `YYYY-MM-DD`; missing values (null, NaN) are null. Throws an
 * OptionError for columns whose cells are not single values, and a DataError for an infinity, which JSON cannot represent.
 */
export class JsonEncoder implements TableEncoder {
  readonly #names: string[];
  readonly #keys: Uint8Array[];
  /** The row being written, of all rows. */
  #row = 0;
  readonly #out = new TextBytes(2 * PIECE_BYTES);
  readonly #cells: TextCells;
  readonly #frame: (typeof FRAMES)[keyof typeof FRAMES];

  constructor({ fields }: Schema, frame: keyof typeof FRAMES) {
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
        throw new DataError({ row: this.#row, column, problem, received: value, allowed: 'finite numbers' });
      },
    };
    this.#cells = new TextCells(this.#out, style, this.#names);
    this.#frame = FRAMES[frame];
    this.#out.text(this.#frame.head);
  }

  *encode({ data }: RecordBatch): Generator<Uint8Array> {
    const columns = data.children.map((child, index) => this.#cells.writer(child, this.#names[index]));
    const { first, next, close } = this.#frame;
    for (let row = 0; row < data.length; row++) {
      this.#out.text(this.#row++ === 0 ? first : next);
      for (let c = 0; c < columns.length; c++) {
        this.#out.copy(this.#keys[c]);
        columns[c](row);
      }
      this.#out.text(close);
      if (this.#out.length >= PIECE_BYTES) yield this.#out.take();
    }
  }

  *end(): Generator<Uint8Array> {
    this.#out.text(this.#frame.end);
    yield this.#out.take();
  }
}
