import type { Table } from 'apache-arrow';
import type { CellBlock } from './cell-block.js';
import type { CsvBlocks } from './csv-blocks.js';
import type { CsvRows } from './csv-rows.js';
import type { TableBuilder } from './table-builder.js';
import type { TextDecoding } from './text-decoding.js';

const PIECE_BYTES = 1 << 18;

/** What reads the rows before kernels do, and those that they do not know. */
export interface RowReaders {
  readonly decoding: TextDecoding;
  readonly blocks: CsvBlocks;
  readonly rows: CsvRows;
  readonly tables: TableBuilder;
}

/** Reads rows by kernels, until something comes that they do not know: the parser reads on from there. */
export class CellRows {
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
