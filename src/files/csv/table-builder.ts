import { type RecordBatch, type Schema, Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { withSchema } from '../../table/arrow/same-schema.js';
import type { CellBlock } from './cell-block.js';
import { CsvColumn, createCsvTable, isCodeName, isTextOfDigits } from './csv-column.js';
import { type CsvRows, noRows } from './csv-rows.js';
import { UnknownRowsError } from './csv-slice.js';
import { type ColumnKind, type TypedColumns, TypedTables } from './typed-tables.js';

/** Approximate number of cells of one table: some megabytes of numbers. */
const CELLS_AT_ONCE = 524_288;

/** How tables are cut. */
export interface TableBuilderOptions {
  /** Whether columns of texts are dictionaries, which each table has its own of. */
  readonly codedTexts?: boolean;
  readonly cellsAtOnce?: number;
}

/** Gathers rows until they make up a table; the first decides which columns are numbers. */
export class TableBuilder {
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

  constructor(source: string, data: CsvRows, { codedTexts = false, cellsAtOnce = CELLS_AT_ONCE }: TableBuilderOptions) {
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
    if (isCodeName(column) && isTextOfDigits(received)) {
      return new DataError({
        ...{ ...place, received },
        problem: 'an id of which a number would lose digits, in a column that begins with numbers',
        allowed: 'such an id in the first rows, or Parquet or Arrow with ids as texts',
      });
    }
    return new DataError({
      ...place,
      problem: 'text in a column that begins with numbers',
      received,
      allowed: 'a number, or a blank, NA or - where one is missing',
    });
  }
}
