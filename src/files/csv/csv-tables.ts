import { type RecordBatch, type Schema, Table } from 'apache-arrow';
import { giveTableKernels, type TableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { DataError } from '../../errors.js';
import { withSchema } from '../../table/with-schema.js';
import { BatchGroups } from '../arrow/message-reader.js';
import { CellBlock } from './cell-block.js';
import { type CsvBlock, CsvBlocks, loadParser, type ParserConstructor } from './csv-blocks.js';
import { CsvColumn, createCsvTable } from './csv-column.js';
import { type CsvOptions, CsvRows, noRows } from './csv-rows.js';
import { CsvSample } from './csv-sample.js';
import { type CsvSlice, type CsvSlices, UnknownRowsError } from './csv-slice.js';
import { TextDecoding } from './text-decoding.js';
import { type ColumnKind, type TypedColumns, TypedTables } from './typed-tables.js';

/** Approximate number of cells of one table: some megabytes of numbers. */
const CELLS_AT_ONCE = 524_288;
const PIECE_BYTES = 1 << 18;
const SLICE_BYTES = 1 << 22;
const LINE_FEED = 10;

/** How tables of CSV are read. */
export interface CsvTablesOptions extends CsvOptions {
  /** Whether columns of texts are dictionaries, which each table has its own of. */
  readonly codedTexts?: boolean;
  readonly cellsAtOnce?: number;
  /** Characters that the parser reads at a time. */
  readonly parsedAtOnce?: number;
  /** Reads the rows behind the first table in slices, where these are in UTF-8. */
  readonly slices?: SliceReader;
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
  yield* new CsvReading(await loadParser(source), source, options).read(pieces);
}

/** What reads slices: several threads, say. */
export interface SliceReader {
  /**
   * Reads slices in their order; the last one that it gives has an end in the file, or the one behind it has rows that
   * have to be read otherwise.
   */
  read(slices: CsvSlices): AsyncIterable<CsvSlice>;
  /** The bytes from the beginning of a slice on; undefined at the end of the file. */
  piecesFrom(slices: CsvSlices, index: number): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** What reads the rows before kernels do, and those that they do not know. */
interface RowReaders {
  readonly decoding: TextDecoding;
  readonly blocks: CsvBlocks;
  readonly rows: CsvRows;
  readonly tables: TableBuilder;
}

/** Reads CSV as its bytes arrive: first by the parser, then by kernels, and by the parser again what these do not know. */
class CsvReading implements RowReaders {
  readonly decoding: TextDecoding;
  readonly blocks: CsvBlocks;
  readonly rows: CsvRows;
  readonly tables: TableBuilder;
  #slices: SliceReader | undefined;
  #mayBeSampled = true;
  #sample: CsvSample | undefined;
  #cells: CellRows | undefined;
  #tools: TableKernels | undefined;

  constructor(parser: ParserConstructor, source: string, options: CsvTablesOptions) {
    this.decoding = new TextDecoding(source, options.report);
    this.blocks = new CsvBlocks(parser, source, this.decoding, options.parsedAtOnce);
    this.rows = new CsvRows(source, options);
    this.tables = new TableBuilder(source, this.rows, options);
    this.#slices = options.slices;
  }

  async *read(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Table> {
    try {
      yield* this.#read(pieces);
    } finally {
      if (this.#tools !== undefined) giveTableKernels(this.#tools);
    }
  }

  async *#read(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Table> {
    let given: AsyncIterable<Uint8Array> | undefined = pieces;
    while (given !== undefined) {
      const reading: AsyncIterable<Uint8Array> = given;
      given = undefined;
      let from = 0;
      for await (const piece of reading) {
        const read = yield* this.#add(piece);
        from += read;
        if (read === piece.length || this.#slices === undefined) continue;
        given = yield* this.#readSlices(this.#slices, from);
        break;
      }
    }
    yield* this.#end();
  }

  /** Reads a piece; returns how many of its bytes, fewer than all if slices may begin behind them. */
  async *#add(piece: Uint8Array): AsyncGenerator<Table, number> {
    const cells = this.#cells;
    if (this.#sample !== undefined) yield* this.#addToSample(this.#sample, piece);
    else if (cells?.isReading) {
      const line = this.#slices === undefined || this.rows.locations !== undefined ? 0 : piece.indexOf(LINE_FEED) + 1;
      yield* cells.add(line > 0 ? piece.subarray(0, line) : piece);
      if (line > 0 && (yield* cells.flush()) && this.decoding.isUtf8) return line;
      if (line > 0) yield* cells.add(piece.subarray(line));
    } else yield* this.#parse(piece);
    return piece.length;
  }

  async *#parse(piece: Uint8Array): AsyncGenerator<Table> {
    const { blocks, rows, tables } = this;
    const block = blocks.add(piece);
    if (block !== undefined) yield* tables.add(rows.take(block));
    const isSampled = block?.isHead && this.#mayBeSampled && this.decoding.isUtf8 && tables.mayBeSampled;
    const isDecided = tables.isDecided && this.#cells === undefined;
    if (rows.isEnded || !(isSampled || isDecided)) return;
    const { delimiter } = blocks.dialect as CsvBlock['dialect'];
    this.#tools ??= await takeTableKernels();
    const cellBlock = new CellBlock(this.#tools, rows.names.length, delimiter, rows.numbers.mark);
    if (isDecided) {
      this.#cells = new CellRows(cellBlock, this);
      yield* this.#cells.begin();
    } else this.#sample = new CsvSample(blocks.takeRest(), cellBlock, tables.beginSample());
  }

  async *#addToSample(sample: CsvSample, piece: Uint8Array): AsyncGenerator<Table> {
    sample.add(piece);
    if (!sample.isKnown) yield* this.#parseAgain(sample);
    else if (sample.tables.length > 0) yield* this.#accept(sample);
  }

  *#accept({ block, tables, rows, lines }: CsvSample): Iterable<Table> {
    this.#sample = undefined;
    yield* this.tables.acceptSample(tables);
    this.rows.skip(rows);
    this.#cells = new CellRows(block, this);
    this.#cells.skip(rows, lines);
  }

  async *#parseAgain({ text, pieces }: CsvSample): AsyncGenerator<Table> {
    this.#sample = undefined;
    this.#mayBeSampled = false;
    this.tables.rejectSample();
    this.blocks.continueWith(text, 0, 0);
    for (const piece of pieces) {
      if (this.#cells?.isReading) yield* this.#cells.add(piece);
      else yield* this.#parse(piece);
    }
  }

  async *#end(): AsyncGenerator<Table> {
    const sample = this.#sample;
    if (sample !== undefined) {
      sample.end();
      if (sample.isKnown) yield* this.#accept(sample);
      else yield* this.#parseAgain(sample);
    }
    if (this.#cells?.isReading) yield* this.#cells.end();
    const block = this.blocks.end();
    if (block !== undefined) yield* this.tables.add(this.rows.take(block));
    const last = this.tables.end();
    if (last !== undefined) yield last;
  }

  /** Reads the rows from byte `from` on in slices. Returns the bytes that are left, of rows that slices do not have. */
  async *#readSlices(reader: SliceReader, from: number): AsyncGenerator<Table, AsyncIterable<Uint8Array> | undefined> {
    const { rows, tables, decoding } = this;
    this.#slices = undefined;
    const open = tables.flush();
    if (open !== undefined) yield open;
    const { names, kinds, numbers, rowsAtOnce } = tables.columns;
    const { delimiter } = this.blocks.dialect as CsvBlock['dialect'];
    const { mark, isGiven: isMarkGiven } = numbers;
    const slices = { from, sliceBytes: SLICE_BYTES, names, kinds, delimiter, mark, isMarkGiven, rowsAtOnce };
    let index = 0;
    const groups = new BatchGroups();
    for await (const slice of reader.read(slices)) {
      index++;
      for (const batch of slice.tables.flatMap(({ batches }) => batches)) {
        const table = groups.add(tables.laterBatch(batch));
        if (table !== undefined) yield table;
      }
      rows.skip(slice.rows);
      this.#cells?.skip(slice.rows, slice.lines);
      if (slice.hasLetters) decoding.setUtf8();
    }
    const last = groups.end();
    if (last !== undefined) yield last;
    return reader.piecesFrom(slices, index);
  }
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

  /** Reads the rows so far. Returns whether there is nothing behind them, and no single row of a table. */
  *flush(): Generator<Table, boolean> {
    if (this.isReading) yield* this.#read(false);
    return this.isReading && this.#block.isEmpty && this.#readers.tables.openRows !== 1;
  }

  /** Counts rows that another reader has read. */
  skip(rows: number, lines: number): void {
    this.#rows += rows;
    this.#lines += lines;
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

/** Gathers rows until they make up a table; the first decides which columns are numbers. */
class TableBuilder {
  readonly #source: string;
  readonly #data: CsvRows;
  readonly #cellsAtOnce: number;
  readonly #textKind: ColumnKind;
  /** The rows of the first table. */
  #rows: string[][] = [];
  #kinds: readonly ColumnKind[] = [];
  #later: TypedTables | undefined;
  #isSampling = false;
  #rowsBefore = 0;
  #schema?: Schema;

  constructor(source: string, data: CsvRows, { codedTexts = false, cellsAtOnce = CELLS_AT_ONCE }: CsvTablesOptions) {
    this.#source = source;
    this.#cellsAtOnce = cellsAtOnce;
    this.#data = data;
    this.#textKind = codedTexts ? 'coded texts' : 'texts';
  }

  /** Whether the first table has decided which columns are numbers. */
  get isDecided(): boolean {
    return this.#schema !== undefined;
  }

  /** The columns, as the first table has decided. */
  get columns(): TypedColumns {
    const { names, numbers } = this.#data;
    return { names, numbers, kinds: this.#kinds, rowsAtOnce: this.#rowsAtOnce };
  }

  *add(rows: readonly string[][]): Iterable<Table> {
    if (this.#later !== undefined) return yield* this.#laterTables(this.#later.addRows(rows));
    const from = Math.min(rows.length, this.#rowsAtOnce - this.#rows.length);
    for (let row = 0; row < from; row++) this.#rows.push(rows[row]);
    if (this.#rows.length < this.#rowsAtOnce) return;
    yield this.#firstTable();
    yield* this.add(rows.slice(from));
  }

  /** Whether kernels may read the rest of the first table: there are some rows, and none of several locations. */
  get mayBeSampled(): boolean {
    return !this.isDecided && this.#rows.length > 0 && this.#data.locations === undefined;
  }

  /** Reads on as if the rows so far had decided which columns are numbers; wrong cells are UnknownRowsErrors. */
  beginSample(): TypedTables {
    this.#isSampling = true;
    const later = this.#decide();
    // They are fewer than those of a table.
    for (const _ of later.addRows(this.#rows));
    return later;
  }

  /** The first tables, in which all cells are as expected. */
  acceptSample(tables: readonly Table[]): Iterable<Table> {
    this.#isSampling = false;
    this.#rows = [];
    this.#schema = tables[0].schema;
    return this.#laterTables(tables);
  }

  /** Reads on as if there were only the first rows. */
  rejectSample(): void {
    this.#isSampling = false;
    this.#later = undefined;
  }

  /** Adds the rows of a block. There must have been a table. */
  *addCells(block: CellBlock): Iterable<Table> {
    if (this.#later !== undefined) yield* this.#laterTables(this.#later.addCells(block));
  }

  /** Rows that another reader has read: all rows of its batches follow one another. */
  laterBatch(batch: RecordBatch): RecordBatch {
    this.#rowsBefore += batch.numRows;
    return withSchema(batch, this.#schema as Schema);
  }

  /** The rows of the table that is being built. */
  get openRows(): number {
    return this.#later?.count ?? this.#rows.length;
  }

  /** The table of the rows so far, if there are some. */
  flush(): Table | undefined {
    const table = this.#later?.end();
    return table && this.#laterTable(table);
  }

  /** The table of the remaining rows. Throws a DataError if there were no rows at all. */
  end(): Table | undefined {
    if (this.#rows.length > 0) return this.#firstTable();
    if (this.#later === undefined) throw noRows(this.#source);
    return this.flush();
  }

  get #rowsAtOnce(): number {
    return Math.ceil(this.#cellsAtOnce / Math.max(1, this.#data.names.length));
  }

  *#laterTables(tables: Iterable<Table>): Iterable<Table> {
    for (const table of tables) yield this.#laterTable(table);
  }

  #laterTable(read: Table): Table {
    const table = this.#data.locations?.table(read) ?? read;
    return new Table(table.batches.map((batch) => this.laterBatch(batch)));
  }

  /** The table of the first rows, which decide which columns of later tables are numbers. */
  #firstTable(): Table {
    const rows = this.#rows;
    const first = this.#firstColumns();
    const { columns } = this.#decide(first);
    const children = first.map((column, index) => {
      if (column.isNumeric) return column.finish();
      columns[index].appendRows(rows, 0, rows.length);
      return columns[index].finish();
    });
    this.#rows = [];
    this.#rowsBefore = rows.length;
    const { names, locations } = this.#data;
    const asRead = createCsvTable(names, children, rows.length);
    const table = locations?.table(asRead) ?? asRead;
    this.#schema = table.schema;
    return table;
  }

  #firstColumns(): CsvColumn[] {
    const { names, numbers } = this.#data;
    return names.map((name, index) => {
      const column = new CsvColumn(name, this.#rows.length, { source: this.#source, numbers, rowsBefore: 0 });
      column.append(this.#rows, index);
      return column;
    });
  }

  /** Decides by the first columns which are numbers. */
  #decide(first = this.#firstColumns()): TypedTables {
    const { names } = this.#data;
    this.#kinds = first.map(({ isNumeric }) => (isNumeric ? 'numbers' : this.#textKind));
    this.#later = new TypedTables(this.columns, (index) => (cell, row) => this.#wrong(names[index], cell, row));
    return this.#later;
  }

  /** The error for a cell of a column of numbers, in a row of the table. */
  #wrong(column: string, received: string, row: number): Error {
    if (this.#isSampling) return new UnknownRowsError(`text in ${column}`);
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
