import type { Table } from 'apache-arrow';
import type { CellBlock } from './cell-block.js';
import { UnknownRowsError } from './csv-slice.js';
import type { TypedTables } from './typed-tables.js';

/**
 * Reads the rows behind the first ones by kernels, as if these had decided which columns are numbers: true if no cell
 * up to the end of the first table says otherwise. The bytes are kept until then, for the parser.
 */
export class CsvSample {
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
