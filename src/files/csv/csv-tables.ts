import type { Table } from 'apache-arrow';
import { giveTableKernels, type TableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { BatchGroups } from '../arrow/message-reader.js';
import { CellBlock } from './cell-block.js';
import { type CsvBlock, CsvBlocks, loadParser, type ParserConstructor } from './csv-blocks.js';
import { type CsvOptions, CsvRows } from './csv-rows.js';
import { type SliceReader, UnknownRowsError } from './csv-slice.js';
import { TableBuilder, type TableBuilderOptions } from './table-builder.js';
import { TextDecoding } from './text-decoding.js';
import type { TypedTables } from './typed-tables.js';

const SLICE_BYTES = 1 << 22;
const LINE_FEED = 10;

/** How tables of CSV are read. */
export interface CsvTablesOptions extends CsvOptions, TableBuilderOptions {
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

/**
 * Reads CSV as its bytes arrive: first by the parser, then by kernels, and by the parser again what these do not know.
 */
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

const PIECE_BYTES = 1 << 18;

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

/**
 * Reads the rows behind the first ones by kernels, as if these had decided which columns are numbers: true if no cell
 * up to the end of the first table says otherwise. The bytes are kept until then, for the parser.
 */
class CsvSample {
  /** The text and the bytes that were read. */
  readonly text: string;
  readonly pieces: Uint8Array[] = [];
  /** The complete rows that were read. */
  rows = 0;
  lines = 0;
  /** Whether rows are as expected so far. */
  isKnown = true;
  readonly tables: Table[] = [];
  readonly block: CellBlock;
  readonly #building: TypedTables;

  /** Begins with text that the parser has not read; `building` throws UnknownRowsError for wrong cells. */
  constructor(text: string, block: CellBlock, building: TypedTables) {
    this.text = text;
    this.block = block;
    this.#building = building;
    this.#add(new TextEncoder().encode(text));
  }

  /** Adds bytes, which may be read again later. */
  add(piece: Uint8Array): void {
    this.pieces.push(piece.slice());
    this.#add(piece);
  }

  /** Reads the rest. */
  end(): void {
    this.#read(true);
    const last = this.isKnown ? this.#building.end() : undefined;
    if (last !== undefined) this.tables.push(last);
  }

  #add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.isKnown; ) {
      const count = this.block.add(bytes.subarray(at));
      // Other letters need the encoding to be known.
      if (!this.block.isAscii(bytes.subarray(at, at + count))) this.isKnown = false;
      at += count;
      if (this.isKnown && this.block.isFull) this.#read(false);
    }
  }

  #read(isLast: boolean): void {
    const { block } = this;
    try {
      this.isKnown &&= block.find(isLast);
      if (!this.isKnown) return;
      this.rows += block.rows;
      this.lines += block.lines;
      this.tables.push(...this.#building.addCells(block));
      block.drop();
    } catch (error) {
      if (!(error instanceof UnknownRowsError)) throw error;
      this.isKnown = false;
    }
  }
}
