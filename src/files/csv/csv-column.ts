import { type Data, Field, Float64, makeData, RecordBatch, Schema, Struct, Table, Utf8 } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/table-schema.js';
import { isIdName } from '../../table/rows/read-places.js';
import { ValidityBitmap } from '../column-buffers.js';
import type { CsvRows } from './csv-rows.js';
import { isMissingCell } from './decimal-mark.js';

/** Columns of codes of places that are written in digits, such as postal codes. */
const CODE_NAME = /(^|[\s_-])(code|postcode|plz|zip|parcel)$/i;
/** Numbers would lose the zeros of 007, and digits of long ids. */
const TEXT_OF_DIGITS = /^\s*(0\d+|\d{16,})\s*$/;

/** Whether a column of this name may have ids or codes, which are written in digits, but are no numbers. */
export function isCodeName(name: string): boolean {
  return isIdName(name) || CODE_NAME.test(name);
}

/** Whether a cell is an id or a code of which a number would lose something. */
export function isTextOfDigits(cell: string): boolean {
  return TEXT_OF_DIGITS.test(cell);
}

/** The origin of the cells of a column. */
export interface ColumnPlace {
  readonly source: string;
  /** How numbers are written. */
  readonly numbers: CsvRows['numbers'];
  /** Rows before the first that is appended. */
  readonly rowsBefore: number;
}

/**
 * Builds one column of a CSV table: Float64 while every cell is a number or missing, Utf8 otherwise.
 *
 * Numbers are not kept as text, so a column that turns out to be text after some numbers is `late`: after `restart`,
 * append its rows again from the first.
 */
export class CsvColumn {
  late = false;
  #numbers: Float64Column | undefined;
  #texts: Utf8Column | undefined;
  #onlyEmpty = true;

  readonly name: string;
  readonly #place: ColumnPlace;
  readonly #isCode: boolean;

  /** `rows` is an estimate of the length; a wrong one only costs time. */
  constructor(name: string, rows: number, place: ColumnPlace) {
    this.name = name;
    this.#place = place;
    this.#isCode = isCodeName(name);
    this.#numbers = new Float64Column(rows);
  }

  /**
   * Appends the cells of this column, the `index`-th of each row. Throws a DataError for a number that is written
   * differently.
   */
  append(rows: string[][], index: number): void {
    if (this.late) return;
    let at = 0;
    if (this.#numbers !== undefined) {
      at = this.#appendNumbers(this.#numbers, rows, index);
      if (at < rows.length) this.#turnToText(this.#numbers.length);
    }
    if (this.#texts === undefined) return;
    for (; at < rows.length; at++) {
      const cell = rows[at][index];
      if (cell === '') this.#texts.pushNull();
      else this.#texts.push(cell);
    }
  }

  /** Whether all cells so far are numbers or missing. */
  get isNumeric(): boolean {
    return this.#numbers !== undefined;
  }

  /** Starts the column again, as text. */
  restart(): void {
    this.late = false;
    this.#numbers = undefined;
    this.#texts = new Utf8Column();
  }

  finish(): Data<Float64> | Data<Utf8> {
    return this.#numbers?.finish() ?? (this.#texts ?? new Utf8Column()).finish();
  }

  /** Appends numbers up to the first cell that is text, and returns its place. */
  #appendNumbers(numbers: Float64Column, rows: string[][], index: number): number {
    const { numbers: cells } = this.#place;
    for (let at = 0; at < rows.length; at++) {
      const cell = rows[at][index];
      if (this.#isCode && isTextOfDigits(cell)) return at;
      const value = cells.number(cell);
      if (!Number.isNaN(value)) numbers.push(value);
      else if (isMissingCell(cell)) numbers.pushNull();
      else {
        this.#assertNoNumber(cell, numbers.length);
        return at;
      }
      if (cell !== '') this.#onlyEmpty = false;
    }
    return rows.length;
  }

  #assertNoNumber(cell: string, row: number): void {
    const { source, numbers, rowsBefore } = this.#place;
    const wrong = numbers.wrong(cell);
    if (wrong !== undefined) {
      throw new DataError({ source, row: rowsBefore + row + 1, column: this.name, ...wrong, received: cell });
    }
  }

  #turnToText(rowsBefore: number): void {
    this.#numbers = undefined;
    if (!this.#onlyEmpty) {
      this.late = true;
      return;
    }
    this.#texts = new Utf8Column();
    for (let row = 0; row < rowsBefore; row++) this.#texts.pushNull();
  }
}

/** Creates a table, of one record batch, from columns with `length` cells each, which may be null. */
export function createCsvTable(names: readonly string[], children: readonly Data[], length: number): Table {
  const schema = quickSchema(new Schema(names.map((name, index) => new Field(name, children[index].type, true))));
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children: [...children] });
  return new Table([new RecordBatch(schema, data)]);
}

/** Builds a Float64 column of unknown length; null rows hold NaN, so that the values alone show which are missing. */
export class Float64Column {
  length = 0;
  #values: Float64Array<ArrayBuffer>;
  readonly #validity = new ValidityBitmap();

  /** `rows` is an estimate of the length; a wrong one only costs time. */
  constructor(rows: number) {
    this.#values = new Float64Array(Math.max(rows, 64));
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow();
    this.#values[this.length++] = value;
  }

  pushNull(): void {
    this.#validity.markNull(this.length);
    this.push(Number.NaN);
  }

  finish(): Data<Float64> {
    const { length } = this;
    // A copy frees unused memory; a small excess is cheaper to keep.
    const wasteful = this.#values.length > length * 1.125;
    const data = wasteful ? this.#values.slice(0, length) : this.#values.subarray(0, length);
    const nullBitmap = this.#validity.bytes(length);
    return makeData({ type: new Float64(), length, nullCount: this.#validity.nullCount, nullBitmap, data });
  }

  #grow(): void {
    const grown = new Float64Array(Math.ceil(this.#values.length * 1.5));
    grown.set(this.#values);
    this.#values = grown;
  }
}

const MAX_BYTES = 0x7fffffff;

/** Builds a Utf8 column of unknown length from texts or from their UTF-8 bytes. */
export class Utf8Column {
  length = 0;
  #bytes = new Uint8Array(1024);
  #offsets = new Int32Array(64);
  #lastText: string | undefined;
  readonly #validity = new ValidityBitmap();
  readonly #encoder = new TextEncoder();

  push(text: string): void {
    const start = this.#offsets[this.length];
    if (text === this.#lastText) {
      // Names of variables and dates come in long runs: copying the last one is several times faster than encoding.
      const lastStart = this.#offsets[this.length - 1];
      this.#reserve(start - lastStart);
      this.#bytes.copyWithin(start, lastStart, start);
      this.#endRow(start + (start - lastStart));
      return;
    }
    this.#reserve(text.length * 3);
    this.#endRow(start + this.#encoder.encodeInto(text, this.#bytes.subarray(start)).written);
    this.#lastText = text;
  }

  pushBytes(bytes: Uint8Array): void {
    const start = this.#offsets[this.length];
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
    this.#endRow(start + bytes.length);
    this.#lastText = undefined;
  }

  pushNull(): void {
    this.#validity.markNull(this.length);
    this.#endRow(this.#offsets[this.length]);
    this.#lastText = undefined;
  }

  finish(): Data<Utf8> {
    const { length } = this;
    return makeData({
      type: new Utf8(),
      length,
      nullCount: this.#validity.nullCount,
      nullBitmap: this.#validity.bytes(length),
      valueOffsets: this.#offsets.slice(0, length + 1),
      data: this.#bytes.slice(0, this.#offsets[length]),
    });
  }

  #endRow(end: number): void {
    this.length++;
    if (this.length === this.#offsets.length) {
      const grown = new Int32Array(Math.ceil(this.#offsets.length * 1.5));
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
    this.#offsets[this.length] = end;
  }

  #reserve(count: number): void {
    const needed = this.#offsets[this.length] + count;
    if (needed <= this.#bytes.length) return;
    if (needed > MAX_BYTES) throw new RangeError('a text column holds at most 2 GiB');
    const grown = new Uint8Array(Math.min(MAX_BYTES, Math.max(needed, Math.ceil(this.#bytes.length * 1.5))));
    grown.set(this.#bytes.subarray(0, this.#offsets[this.length]));
    this.#bytes = grown;
  }
}
