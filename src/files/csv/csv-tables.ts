import { type Data, type Schema, Table } from 'apache-arrow';
import { loadTableKernels } from '../../core/table-kernels.js';
import { DataError } from '../../errors.js';
import { CellBlock } from './cell-block.js';
import { type CsvBlock, CsvBlocks, loadParser } from './csv-blocks.js';
import { CsvColumn, createCsvTable } from './csv-column.js';
import { type CsvOptions, CsvRows, noRows } from './csv-rows.js';
import { TextDecoding } from './text-decoding.js';
import { CodedTextColumn, NumberColumn, TextColumn, type TypedColumn } from './typed-columns.js';

/** Approximate number of cells of one table: some megabytes of numbers. */
const CELLS_AT_ONCE = 524_288;
const PIECE_BYTES = 1 << 18;

/** How tables of CSV are read. */
export interface CsvTablesOptions extends CsvOptions {
  /** Whether columns of texts are dictionaries, which each table has its own of. */
  readonly codedTexts?: boolean;
  readonly cellsAtOnce?: number;
  /** Characters that the parser reads at a time. */
  readonly parsedAtOnce?: number;
}

/**
 * Reads CSV bytes as they arrive into tables of one schema, each of one record batch of some hundred thousand cells:
 * together they have the rows of `readCsv`, to the last bit.
 *
 * The first table decides which columns are numbers; the rows after it are read by kernels, as far as these know how
 * they are written. Throws as `readCsv` does, and a DataError if a later table has text in a column of numbers; rows
 * are counted from the first table on.
 */
export async function* tablesOfCsv(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: CsvTablesOptions = {},
): AsyncGenerator<Table> {
  const decoding = new TextDecoding(source, options.report);
  const blocks = new CsvBlocks(await loadParser(source), source, decoding, options.parsedAtOnce);
  const rows = new CsvRows(source, options);
  const tables = new TableBuilder(source, rows, options);
  let cells: CellRows | undefined;
  for await (const piece of pieces) {
    if (cells?.isReading) {
      yield* cells.add(piece);
      continue;
    }
    const block = blocks.add(piece);
    if (block !== undefined) yield* tables.add(rows.take(block));
    if (cells === undefined && tables.isDecided && !rows.isEnded) {
      const { delimiter } = blocks.dialect as CsvBlock['dialect'];
      const cellBlock = new CellBlock(await loadTableKernels(), rows.names.length, delimiter, rows.numbers.mark);
      cells = new CellRows(cellBlock, { decoding, blocks, rows, tables });
      yield* cells.begin();
    }
  }
  if (cells?.isReading) yield* cells.end();
  const block = blocks.end();
  if (block !== undefined) yield* tables.add(rows.take(block));
  const last = tables.end();
  if (last !== undefined) yield last;
}

/** What reads the rows before kernels do, and those that they do not know. */
interface RowReaders {
  readonly decoding: TextDecoding;
  readonly blocks: CsvBlocks;
  readonly rows: CsvRows;
  readonly tables: TableBuilder;
}

/** Reads rows by kernels, until something comes that they do not know: the parser reads on from there. */
class CellRows {
  isReading = true;
  readonly #block: CellBlock;
  readonly #readers: RowReaders;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #rows = 0;
  #lines = 0;

  constructor(block: CellBlock, readers: RowReaders) {
    this.#block = block;
    this.#readers = readers;
  }

  /** Reads what the parser has not. */
  begin(): Iterable<Table> {
    return this.#addBytes(new TextEncoder().encode(this.#readers.blocks.takeRest()));
  }

  *add(piece: Uint8Array): Iterable<Table> {
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const part = piece.subarray(at, at + PIECE_BYTES);
      if (this.isReading) {
        yield* this.#addBytes(this.#readers.decoding.utf8(part, (bytes) => this.#block.isAscii(bytes)));
      } else {
        const { blocks, rows, tables } = this.#readers;
        const block = blocks.add(part);
        if (block !== undefined) yield* tables.add(rows.take(block));
      }
    }
  }

  *end(): Iterable<Table> {
    const last = this.#readers.decoding.decode(new Uint8Array(0), true);
    yield* this.#addBytes(new TextEncoder().encode(last));
    if (this.isReading) yield* this.#read(true);
  }

  *#addBytes(bytes: Uint8Array): Iterable<Table> {
    for (let at = 0; at < bytes.length; ) {
      at += this.#block.add(bytes.subarray(at));
      if (this.#block.isFull) yield* this.#read(false);
      if (this.isReading) continue;
      this.#readers.blocks.continueWith(this.#decoder.decode(bytes.subarray(at)), 0, 0);
      return;
    }
  }

  *#read(isLast: boolean): Iterable<Table> {
    const block = this.#block;
    const isKnown = block.find(isLast);
    this.#rows += block.rows;
    this.#lines += block.lines;
    this.#readers.rows.skip(block.rows);
    yield* this.#readers.tables.addCells(block);
    block.drop();
    if (isKnown) return;
    this.isReading = false;
    // The bytes after them may begin within a character.
    const text = this.#decoder.decode(block.takeRest(), { stream: true });
    this.#readers.blocks.continueWith(text, this.#rows, this.#lines);
  }
}

/** Gathers rows until they make up a table. */
class TableBuilder {
  readonly #source: string;
  readonly #data: CsvRows;
  readonly #cellsAtOnce: number;
  readonly #coded: boolean;
  /** The rows of the first table. */
  #rows: string[][] = [];
  #columns: readonly TypedColumn[] = [];
  /** Rows of the table that is being built. */
  #count = 0;
  #rowsBefore = 0;
  #schema?: Schema;

  constructor(source: string, data: CsvRows, { codedTexts = false, cellsAtOnce = CELLS_AT_ONCE }: CsvTablesOptions) {
    this.#source = source;
    this.#cellsAtOnce = cellsAtOnce;
    this.#data = data;
    this.#coded = codedTexts;
  }

  /** Whether the first table has decided which columns are numbers. */
  get isDecided(): boolean {
    return this.#schema !== undefined;
  }

  *add(rows: readonly string[][]): Iterable<Table> {
    for (let from = 0; from < rows.length; ) {
      const to = Math.min(rows.length, from + this.#rowsAtOnce - this.#count);
      if (this.isDecided) {
        for (const column of this.#columns) column.appendRows(rows, from, to);
      } else {
        for (let row = from; row < to; row++) this.#rows.push(rows[row]);
      }
      this.#count += to - from;
      from = to;
      if (this.#count === this.#rowsAtOnce) yield this.#table();
    }
  }

  /** Adds the rows of a block. There must have been a table. */
  *addCells(block: CellBlock): Iterable<Table> {
    for (let from = 0; from < block.rows; ) {
      const to = Math.min(block.rows, from + this.#rowsAtOnce - this.#count);
      for (const column of this.#columns) column.appendBlock(block, from, to);
      this.#count += to - from;
      from = to;
      if (this.#count === this.#rowsAtOnce) yield this.#table();
    }
  }

  /** The table of the remaining rows. Throws a DataError if there were no rows at all. */
  end(): Table | undefined {
    if (this.#count > 0) return this.#table();
    if (this.#rowsBefore > 0) return undefined;
    throw noRows(this.#source);
  }

  get #rowsAtOnce(): number {
    return Math.ceil(this.#cellsAtOnce / Math.max(1, this.#data.names.length));
  }

  #table(): Table {
    const isFirst = !this.isDecided;
    const { names, locations } = this.#data;
    const children = isFirst ? this.#firstColumns() : this.#columns.map((column) => column.finish());
    const asRead = createCsvTable(names, children, this.#count);
    const table = locations?.table(asRead) ?? asRead;
    this.#schema ??= table.schema;
    this.#rowsBefore += this.#count;
    this.#count = 0;
    return isFirst ? table : new Table(this.#schema, table.batches);
  }

  /** The columns of the first rows, which decide which columns of later tables are numbers. */
  #firstColumns(): Data[] {
    const rows = this.#rows;
    const { names, numbers } = this.#data;
    const place = { source: this.#source, numbers, rowsBefore: 0 };
    const first = names.map((name, index) => {
      const column = new CsvColumn(name, rows.length, place);
      column.append(rows, index);
      return column;
    });
    this.#columns = first.map(({ name, isNumeric }, index) => {
      if (isNumeric) {
        return new NumberColumn(index, this.#rowsAtOnce, numbers, (cell, row) => this.#wrong(name, cell, row));
      }
      return this.#coded ? new CodedTextColumn(index, this.#rowsAtOnce) : new TextColumn(index);
    });
    const children = first.map((column, index) => {
      if (column.isNumeric) return column.finish();
      this.#columns[index].appendRows(rows, 0, rows.length);
      return this.#columns[index].finish();
    });
    this.#rows = [];
    return children;
  }

  /** The error for a cell of a column of numbers, in a row of the table. */
  #wrong(column: string, received: string, row: number): DataError {
    const place = { source: this.#source, row: this.#rowsBefore + row + 1, column };
    const wrong = this.#data.numbers.wrong(received);
    if (wrong !== undefined) return new DataError({ ...place, ...wrong, received });
    return new DataError({
      ...place,
      problem: 'text in a column that begins with numbers',
      received,
      allowed: 'a number, or a blank, NA or - where one is missing',
    });
  }
}
