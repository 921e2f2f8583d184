import { type Data, DataType, DateUnit, makeVector, Precision, TimeUnit, type Vector } from 'apache-arrow';
import { checkDay } from '../../period/day.js';
import { halfFloat } from '../../table/arrow/stored-values.js';
import { storedValues } from '../../table/arrow/value-array.js';
import { isTextType } from '../../table/columns/column-values.js';
import { shortestDecimal, shortestFloat32 } from '../csv/shortest-number.js';
import { unwritableColumn } from '../unwritable-column.js';
import { TextBytes } from './text-bytes.js';

const MINUS = 45;

/** How a text format writes values that are not finite numbers. */
export interface CellStyle {
  /** The text for a missing value. */
  readonly missing: string;
  /** The text before and after a text of only letters, digits and characters that no format escapes. */
  readonly quote: string;
  text(value: string): string;
  boolean(value: boolean): string;
  /** An infinity of the column `name`; throws if the format has none. */
  infinity(value: number, name: string): string;
}

/** Writes one cell, its row counted from 0. */
export type WriteCell = (row: number) => void;

/**
 * Writes cells to `out`, and keeps encoded dictionary entries from one chunk of a column to the next.
 *
 * Numbers are the shortest that read back to the same value of the column's type, but in tables of windows (those with
 * columns `period` and `n_days`) for float64 values that tie with a shorter decimal: see `windowText`. -0 is 0; dates are
 * `YYYY-MM-DD`, timestamps ISO 8601 in UTC; null and NaN are missing.
 */
export class TextCells {
  readonly #out: TextBytes;
  readonly #style: CellStyle;
  readonly #float64Text: (value: number) => string;
  readonly #dictionaries = new WeakMap<Vector, (entry: number) => Uint8Array>();

  /** `columns` are the names of all columns. */
  constructor(out: TextBytes, style: CellStyle, columns: readonly string[]) {
    this.#out = out;
    this.#style = style;
    this.#float64Text = ['period', 'n_days'].every((name) => columns.includes(name)) ? windowText : String;
  }

  /**
   * A function that writes the cells of one chunk of the column `name`. Throws an OptionError if they are not single
   * values.
   */
  writer(data: Data, name: string): WriteCell {
    const write = this.#valueWriter(data, name);
    if (data.nullCount === 0 || DataType.isNull(data.type)) return write;
    const { nullBitmap, offset } = data;
    return (row) => (nullBitmap[(offset + row) >> 3] & (1 << ((offset + row) & 7)) ? write(row) : this.#missing());
  }

  #valueWriter(data: Data, name: string): WriteCell {
    const { type, offset } = data;
    const values = storedValues(data);
    const out = this.#out;
    const style = this.#style;
    if (DataType.isNull(type)) return () => this.#missing();
    if (DataType.isFloat(type)) {
      if (type.precision === Precision.DOUBLE) return this.#float64Writer(values, name);
      if (type.precision === Precision.SINGLE) return (row) => this.#float32(values[row], name);
      return (row) => this.#float32(halfFloat(values[row]), name);
    }
    if (DataType.isInt(type)) {
      return type.bitWidth < 64 ? (row) => out.integer(values[row]) : (row) => out.text(String(values[row]));
    }
    if (DataType.isBool(type)) {
      return (row) => out.text(style.boolean((values[(offset + row) >> 3] & (1 << ((offset + row) & 7))) !== 0));
    }
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return this.#utf8Writer(data);
    if (isTextType(type) && !DataType.isDictionary(type)) {
      const texts = makeVector(data);
      return (row) => out.text(style.text(texts.get(row)));
    }
    if (DataType.isDate(type) && type.unit === DateUnit.DAY) return (row) => this.#date(values[row]);
    if (DataType.isTimestamp(type)) return (row) => out.text(style.text(timestampText(values[row], type.unit)));
    if (DataType.isDictionary(type) && data.dictionary !== undefined) {
      const entryOf = this.#entries(data.dictionary, name);
      return (row) => out.copy(entryOf(Number(values[row])));
    }
    throw unwritableColumn(name, type);
  }

  #missing(): void {
    this.#out.text(this.#style.missing);
  }

  #float32(value: number, name: string): void {
    const size = Math.abs(value);
    if ((value | 0) === value && size < 1e6) {
      this.#out.integer(value | 0);
      return;
    }
    const packed = shortestDecimal(size);
    if (packed >= 0) {
      if (value < 0) this.#out.byte(MINUS);
      this.#out.decimal(Math.floor(packed / 16), packed & 15);
    } else if (Number.isNaN(value)) this.#missing();
    else
      this.#out.text(
        size === Number.POSITIVE_INFINITY ? this.#style.infinity(value, name) : String(shortestFloat32(value)),
      );
  }

  #float64Writer(values: Float64Array, name: string): WriteCell {
    let last = Number.NaN;
    let text = '';
    return (row) => {
      const value = values[row];
      if (Number.isNaN(value)) return this.#missing();
      // Coordinates come in long runs, and converting a double to text takes a tenth of a microsecond.
      if (value !== last) {
        last = value;
        text =
          Math.abs(value) === Number.POSITIVE_INFINITY ? this.#style.infinity(value, name) : this.#float64Text(value);
      }
      this.#out.text(text);
    };
  }

  #utf8Writer({ values, valueOffsets }: Data): WriteCell {
    const decoder = new TextDecoder();
    const { quote } = this.#style;
    return (row) => {
      const start = Number(valueOffsets[row]);
      const end = Number(valueOffsets[row + 1]);
      if (!isPlain(values, start, end)) {
        this.#out.text(this.#style.text(decoder.decode(values.subarray(start, end))));
        return;
      }
      this.#out.text(quote);
      this.#out.copy(values, start, end);
      this.#out.text(quote);
    };
  }

  #date(day: number): void {
    checkDay('day', day);
    const out = this.#out;
    out.text(this.#style.quote);
    out.day(day);
    out.text(this.#style.quote);
  }

  /** The cells of a dictionary's entries, each encoded at its first use. */
  #entries(dictionary: Vector, name: string): (entry: number) => Uint8Array {
    const known = this.#dictionaries.get(dictionary);
    if (known !== undefined) return known;
    const out = new TextBytes(64);
    const cells = new TextCells(out, this.#style, []);
    const chunks = dictionary.data.map((chunk) => ({ length: chunk.length, write: cells.writer(chunk, name) }));
    const entries: Uint8Array[] = [];
    const entryOf = (entry: number) => {
      if (entries[entry] === undefined) {
        let row = entry;
        let chunk = 0;
        while (chunk < chunks.length && row >= chunks[chunk].length) row -= chunks[chunk++].length;
        if (chunk < chunks.length) chunks[chunk].write(row);
        else out.text(this.#style.missing);
        entries[entry] = out.take().slice();
      }
      return entries[entry];
    };
    this.#dictionaries.set(dictionary, entryOf);
    return entryOf;
  }
}

/** Whether bytes of UTF-8 are ASCII without a special meaning in CSV or JSON. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    // Controls, quotation mark, number sign, comma, backslash, and all beyond ASCII.
    if (byte < 32 || byte > 126 || byte === 34 || byte === 35 || byte === 44 || byte === 92) return false;
  }
  return true;
}

/**
 * A float64 of windows as text: the shortest that reads back to the same value, except where its eleventh to thirteenth
 * digits are all 0 or all 9 and it is no integer. Then it differs by less than 1e-12 of its size from the decimal of ten
 * digits, as sums of decimals do that are equal on paper, and this decimal is the text: 1.1, not 1.0999999999999999.
 * Larger numbers never have smaller texts.
 */
function windowText(value: number): string {
  const text = String(value);
  // Most texts are ruled out cheaply; from 1e10 on a point may stand between these digits.
  if (text.length < 15 || Number.isInteger(value) || (Math.abs(value) < 1e10 && !/000|999/.test(text))) return text;
  return /^.{11}(000|999)/.test(Math.abs(value).toExponential()) ? String(Number(value.toPrecision(10))) : text;
}

const PER_SECOND = {
  [TimeUnit.SECOND]: 1n,
  [TimeUnit.MILLISECOND]: 1_000n,
  [TimeUnit.MICROSECOND]: 1_000_000n,
  [TimeUnit.NANOSECOND]: 1_000_000_000n,
};

/** An Arrow timestamp as ISO 8601 in UTC, `2024-02-29T06:00:00Z`, with as many decimals of a second as it needs. */
function timestampText(value: bigint, unit: TimeUnit): string {
  const perSecond = PER_SECOND[unit];
  const fraction = ((value % perSecond) + perSecond) % perSecond;
  const seconds = (value - fraction) / perSecond;
  const decimals =
    perSecond === 1n
      ? ''
      : String(fraction + perSecond)
          .slice(1)
          .replace(/0+$/, '');
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, -5)}${decimals && `.${decimals}`}Z`;
}
