import type { Table } from 'apache-arrow';
import { BufferPool } from '../buffer-pool.js';
import type { CellBlock } from './cell-block.js';
import { createCsvTable } from './csv-column.js';
import type { NumberCells } from './decimal-mark.js';
import { CodedTextColumn, NumberColumn, TextColumn, type TypedColumn, type WrongCell } from './typed-columns.js';

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
      if (kind === 'numbers') return new NumberColumn(index, memory, numbers, wrong(index));
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
