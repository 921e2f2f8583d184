import { type Data, Dictionary, Float64, Int32, makeData, type Table, Utf8 } from 'apache-arrow';
import { textDictionary } from '../../table/build/create-table.js';
import { BufferPool, ValidityBitmap } from '../column-buffers.js';
import type { CellBlock } from './cell-block.js';
import { createCsvTable, isCodeName, isTextOfDigits, Utf8Column } from './csv-column.js';
import { isMissingCell, type NumberCells } from './decimal-mark.js';

/** What a column holds; texts may be codes of a dictionary that each table has its own of. */
export type ColumnKind = 'numbers' | 'texts' | 'coded texts';

/** Columns whose types are known. */
export interface TypedColumns {
  readonly names: readonly string[];
  readonly kinds: readonly ColumnKind[];
  readonly numbers: NumberCells;
  /** The rows of a table. */
  readonly rowsAtOnce: number;
  /** Memory for tables. */
  readonly pool?: BufferPool;
}

/** Gathers rows of known columns until they make up a table. */
export class TypedTables {
  /** The rows of the table that is being built. */
  count = 0;
  readonly columns: readonly TypedColumn[];
  readonly #names: readonly string[];
  readonly #rowsAtOnce: number;

  /** `wrong` makes the error for a cell that is no number in the column of an index. */
  constructor(
    { names, kinds, numbers, rowsAtOnce, pool = new BufferPool() }: TypedColumns,
    wrong: (index: number) => WrongCell,
  ) {
    this.#names = names;
    this.#rowsAtOnce = rowsAtOnce;
    const memory = { capacity: rowsAtOnce, pool };
    this.columns = kinds.map((kind, index) => {
      if (kind === 'numbers')
        return new NumberColumn({ index, isCode: isCodeName(names[index]) }, memory, numbers, wrong(index));
      return kind === 'coded texts' ? new CodedTextColumn(index, memory) : new TextColumn(index);
    });
  }

  *addRows(rows: readonly string[][]): Iterable<Table> {
    yield* this.#add(rows.length, (column, from, to) => column.appendRows(rows, from, to));
  }

  /** Adds the rows of a block. */
  *addCells(block: CellBlock): Iterable<Table> {
    yield* this.#add(block.rows, (column, from, to) => column.appendBlock(block, from, to));
  }

  /** The table of the remaining rows; undefined if there are none. */
  end(): Table | undefined {
    return this.count > 0 ? this.#table() : undefined;
  }

  *#add(rows: number, append: (column: TypedColumn, from: number, to: number) => void): Iterable<Table> {
    for (let from = 0; from < rows; ) {
      const to = Math.min(rows, from + this.#rowsAtOnce - this.count);
      for (const column of this.columns) append(column, from, to);
      this.count += to - from;
      from = to;
      if (this.count === this.#rowsAtOnce) yield this.#table();
    }
  }

  #table(): Table {
    const children = this.columns.map((column) => column.finish());
    const { count } = this;
    this.count = 0;
    return createCsvTable(this.#names, children, count);
  }
}

/** A column of a table whose type is known, built from rows of cells or from blocks. */
export interface TypedColumn {
  /** Appends a cell of each row, from row `from` to `to`. */
  appendRows(rows: readonly string[][], from: number, to: number): void;
  /** Appends the cells of rows `from` to `to` of a block. */
  appendBlock(block: CellBlock, from: number, to: number): void;
  /** The cells so far; the column is empty then. */
  finish(): Data;
}

/** The error for a cell that is no number, in a row of the column counted from 0. */
export type WrongCell = (cell: string, row: number) => Error;

/** The memory of a column: for the most rows of a table. */
interface ColumnMemory {
  readonly capacity: number;
  readonly pool: BufferPool;
}

/** Numbers; those that are missing are null, and NaN. */
class NumberColumn implements TypedColumn {
  readonly #index: number;
  readonly #isCode: boolean;
  readonly #cells: NumberCells;
  readonly #wrong: WrongCell;
  readonly #memory: ColumnMemory;
  #values: Float64Array<ArrayBuffer> | undefined;
  #length = 0;
  #missing = 0;

  /** Of a column of ids or codes, a cell of which a number would lose something is wrong. */
  constructor(
    { index, isCode }: { readonly index: number; readonly isCode: boolean },
    memory: ColumnMemory,
    cells: NumberCells,
    wrong: WrongCell,
  ) {
    this.#index = index;
    this.#isCode = isCode;
    this.#memory = memory;
    this.#cells = cells;
    this.#wrong = wrong;
  }

  appendRows(rows: readonly string[][], from: number, to: number): void {
    const own = this.#allocated();
    for (let row = from; row < to; row++) this.#put(own, this.#length++, rows[row][this.#index]);
  }

  appendBlock(block: CellBlock, from: number, to: number): void {
    const own = this.#allocated();
    const before = this.#length;
    for (const row of this.#isCode ? block.rowsOfCodes(this.#index, from, to) : []) {
      const cell = block.cell(row, this.#index);
      if (isTextOfDigits(cell)) throw this.#wrong(cell, before + row - from);
    }
    const { values, missing, left } = block.numbers(this.#index, from, to);
    own.set(values, before);
    this.#missing += missing;
    this.#length += to - from;
    // Reading cells changes the views.
    for (const row of left.slice()) this.#put(own, before + row - from, block.cell(row, this.#index));
  }

  finish(): Data<Float64> {
    const [length, missing, values] = [this.#length, this.#missing, this.#allocated()];
    const data = shortened(values, length, this.#memory);
    const validity = new ValidityBitmap();
    for (let row = 0; missing > 0 && row < length; row++) if (Number.isNaN(data[row])) validity.markNull(row);
    this.#values = undefined;
    this.#length = 0;
    this.#missing = 0;
    return makeData({ type: new Float64(), length, nullCount: missing, nullBitmap: validity.bytes(length), data });
  }

  #allocated(): Float64Array<ArrayBuffer> {
    const { capacity, pool } = this.#memory;
    this.#values ??= new Float64Array(pool.take(8 * capacity), 0, capacity);
    return this.#values;
  }

  #put(values: Float64Array, row: number, cell: string): void {
    if (this.#isCode && isTextOfDigits(cell)) throw this.#wrong(cell, row);
    const value = this.#cells.number(cell);
    values[row] = value;
    if (!Number.isNaN(value)) return;
    if (!isMissingCell(cell)) throw this.#wrong(cell, row);
    this.#missing++;
  }
}

/** The first `length` elements; those of a table with few rows in memory of their own. */
function shortened<T extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  all: T,
  length: number,
  { pool }: ColumnMemory,
): T {
  const own = all.subarray(0, length) as T;
  if (2 * length >= all.length) return own;
  const { buffer, byteOffset, byteLength } = own;
  const shorter = pool.take(byteLength);
  new Uint8Array(shorter).set(new Uint8Array(buffer, byteOffset, byteLength));
  pool.give([buffer]);
  return new (all.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => T)(shorter, 0, length);
}

/** Texts; empty ones are null. */
class TextColumn implements TypedColumn {
  readonly #index: number;
  #column = new Utf8Column();
  /** The texts of a block's codes, of one generation of its dictionary. */
  #texts: string[] = [];
  #dictionary = 0;

  constructor(index: number) {
    this.#index = index;
  }

  appendRows(rows: readonly string[][], from: number, to: number): void {
    for (let row = from; row < to; row++) this.#put(rows[row][this.#index]);
  }

  appendBlock(block: CellBlock, from: number, to: number): void {
    for (const run of block.texts(this.#index, from, to)) {
      if ('text' in run) {
        this.#put(run.text);
        continue;
      }
      if (run.dictionary !== this.#dictionary) this.#texts = [];
      this.#dictionary = run.dictionary;
      // Looking up a text changes no view of codes.
      for (const code of run.codes) this.#put(code < 0 ? '' : (this.#texts[code] ??= block.text(this.#index, code)));
    }
  }

  finish(): Data<Utf8> {
    const data = this.#column.finish();
    this.#column = new Utf8Column();
    return data;
  }

  #put(cell: string): void {
    if (cell === '') this.#column.pushNull();
    else this.#column.push(cell);
  }
}

/** Texts as codes of a dictionary, which each table has its own of; empty ones are null. */
class CodedTextColumn implements TypedColumn {
  readonly #index: number;
  readonly #memory: ColumnMemory;
  readonly #type = new Dictionary(new Utf8(), new Int32());
  #codes: Int32Array<ArrayBuffer> | undefined;
  #length = 0;
  #texts: string[] = [];
  #codeOf = new Map<string, number>();
  /** The own code of a block's code, of one generation of its dictionary. */
  #own: number[] = [];
  #dictionary = 0;

  constructor(index: number, memory: ColumnMemory) {
    this.#index = index;
    this.#memory = memory;
  }

  appendRows(rows: readonly string[][], from: number, to: number): void {
    const codes = this.#allocated();
    for (let row = from; row < to; row++) codes[this.#length++] = this.#codeFor(rows[row][this.#index]);
  }

  appendBlock(block: CellBlock, from: number, to: number): void {
    const codes = this.#allocated();
    for (const run of block.texts(this.#index, from, to)) {
      if ('text' in run) {
        codes[this.#length++] = this.#codeFor(run.text);
        continue;
      }
      if (run.dictionary !== this.#dictionary) this.#own = [];
      this.#dictionary = run.dictionary;
      const own = this.#own;
      const given = run.codes;
      const at = this.#length;
      for (let i = 0; i < given.length; i++) {
        const code = given[i];
        codes[at + i] = code < 0 ? -1 : (own[code] ??= this.#codeFor(block.text(this.#index, code)));
      }
      this.#length = at + given.length;
    }
  }

  finish(): Data<Dictionary<Utf8, Int32>> {
    const length = this.#length;
    const all = this.#allocated();
    const codes = shortened(all, length, this.#memory);
    const validity = new ValidityBitmap();
    for (let row = 0; row < length; row++) {
      if (codes[row] >= 0) continue;
      validity.markNull(row);
      codes[row] = 0;
    }
    const { vector: dictionary } = textDictionary(this.#texts.length > 0 ? this.#texts : ['']);
    this.#codes = undefined;
    this.#length = 0;
    this.#texts = [];
    this.#codeOf = new Map();
    this.#own = [];
    const { nullCount } = validity;
    return makeData({
      type: this.#type,
      length,
      nullCount,
      nullBitmap: validity.bytes(length),
      data: codes,
      dictionary,
    });
  }

  #allocated(): Int32Array<ArrayBuffer> {
    const { capacity, pool } = this.#memory;
    this.#codes ??= new Int32Array(pool.take(4 * capacity), 0, capacity);
    return this.#codes;
  }

  #codeFor(text: string): number {
    if (text === '') return -1;
    const known = this.#codeOf.get(text);
    if (known !== undefined) return known;
    this.#codeOf.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}
