import { type Data, Field, type Float64, makeData, RecordBatch, Schema, Struct, Table, type Utf8 } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/quick-schema.js';
import type { CsvRows } from './csv-rows.js';
import { Float64Column } from './float64-column.js';
import { isMissingCell } from './number-cell.js';
import { Utf8Column } from './utf8-column.js';

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

  /** `rows` is an estimate of the length; a wrong one only costs time. */
  constructor(name: string, rows: number, place: ColumnPlace) {
    this.name = name;
    this.#place = place;
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
