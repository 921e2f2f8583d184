import type { Table } from 'apache-arrow';
import { giveTableKernels, type TableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { BatchGroups } from '../arrow/message-reader.js';
import { CellBlock } from './cell-block.js';
import { CellRows, type RowReaders } from './cell-rows.js';
import { type CsvBlock, CsvBlocks, loadParser, type ParserConstructor } from './csv-blocks.js';
import { type CsvOptions, CsvRows } from './csv-rows.js';
import { CsvSample } from './csv-sample.js';
import type { SliceReader } from './csv-slice.js';
import { TableBuilder, type TableBuilderOptions } from './table-builder.js';
import { TextDecoding } from './text-decoding.js';

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
