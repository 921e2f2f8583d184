import type { RecordBatch, Schema } from 'apache-arrow';
import type { TableEncoder } from '../format.js';
import { TextBytes } from '../text/text-bytes.js';
import { type CellStyle, TextCells } from '../text/text-cells.js';

const PIECE_BYTES = 65_536;
const NEEDS_QUOTES = /[",\n\r]|^#/;
const COMMA = 44;
const LINE_FEED = 10;

const STYLE: CellStyle = {
  missing: '',
  quote: '',
  text: quoted,
  boolean: (value) => (value ? '1' : '0'),
  infinity: String,
};

/**
 * Writes CSV in UTF-8: a header, then a line for each row, line ends LF, quotes only where RFC 4180 needs them.
 *
 * Numbers are the shortest that read back to the same value of the column's type, but for windows that tie with a
 * shorter decimal (see `TextCells`), booleans 1 and 0, dates `YYYY-MM-DD`; missing values (null, NaN) are empty. Throws an OptionError for columns whose cells are not single values.
 */
export class CsvEncoder implements TableEncoder {
  readonly #names: string[];
  readonly #out = new TextBytes(2 * PIECE_BYTES);
  readonly #cells: TextCells;

  constructor({ fields }: Schema) {
    this.#names = fields.map(({ name }) => name);
    this.#cells = new TextCells(this.#out, STYLE, this.#names);
    this.#out.text(`${this.#names.map(quoted).join(',')}\n`);
  }

  *encode({ data }: RecordBatch): Generator<Uint8Array> {
    const columns = data.children.map((child, index) => this.#cells.writer(child, this.#names[index]));
    for (let row = 0; row < data.length; row++) {
      for (let c = 0; c < columns.length; c++) {
        if (c > 0) this.#out.byte(COMMA);
        columns[c](row);
      }
      this.#out.byte(LINE_FEED);
      if (this.#out.length >= PIECE_BYTES) yield this.#out.take();
    }
  }

  *end(): Generator<Uint8Array> {
    yield this.#out.take();
  }
}

/** A text that begins with `#` is quoted as well: at the top of a file readers would skip it as a comment. */
function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
