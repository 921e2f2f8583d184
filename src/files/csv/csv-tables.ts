import { type Schema, Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { type CsvBlock, CsvBlocks } from './csv-blocks.js';
import { CsvColumn, createCsvTable } from './csv-column.js';
import { loadParser, noRows } from './csv-read.js';
import { type CsvOptions, CsvRows } from './csv-rows.js';
import { isMissingCell } from './number-cell.js';

/** Approximate number of cells of one table: some megabytes of numbers. */
const CELLS_AT_ONCE = 524_288;

/**
 * Reads CSV bytes as they arrive into tables of one schema, each of one record batch of some hundred thousand cells:
 * together they have the rows of `readCsv`, to the last bit.
 *
 * The first table decides which columns are numbers. Throws as `readCsv` does, and a DataError if a later table has
 * text in such a column; rows are counted from the first table on.
 */
export async function* tablesOfCsv(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: CsvOptions = {},
  cellsAtOnce = CELLS_AT_ONCE,
): AsyncGenerator<Table> {
  const builder = new TableBuilder(source, options, cellsAtOnce);
  const blocks = new CsvBlocks(await loadParser(source), source, options.report);
  for await (const piece of pieces) yield* builder.add(blocks.add(piece));
  yield* builder.add(blocks.end());
  const last = builder.end();
  if (last !== undefined) yield last;
}

/** Gathers rows until they make up a table. */
class TableBuilder {
  readonly #source: string;
  readonly #data: CsvRows;
  readonly #cellsAtOnce: number;
  #rows: string[][] = [];
  #rowsBefore = 0;
  #schema?: Schema;
  /** Whether each column holds numbers, decided by the first table. */
  #numeric: readonly boolean[] = [];

  constructor(source: string, options: CsvOptions, cellsAtOnce: number) {
    this.#source = source;
    this.#cellsAtOnce = cellsAtOnce;
    this.#data = new CsvRows(source, options);
  }

  *add(block: CsvBlock | undefined): Iterable<Table> {
    if (block === undefined) return;
    for (const row of this.#data.take(block)) {
      this.#rows.push(row);
      if (this.#rows.length * this.#data.names.length >= this.#cellsAtOnce) yield this.#table();
    }
  }

  /** The table of the remaining rows. Throws a DataError if there were no rows at all. */
  end(): Table | undefined {
    if (this.#rows.length > 0) return this.#table();
    if (this.#rowsBefore > 0) return undefined;
    throw noRows(this.#source);
  }

  #table(): Table {
    const rows = this.#rows;
    const isFirst = this.#schema === undefined;
    const place = { source: this.#source, numbers: this.#data.numbers, rowsBefore: this.#rowsBefore };
    const columns = this.#data.names.map((name, index) => {
      const column = new CsvColumn(name, rows.length, place);
      if (!isFirst && !this.#numeric[index]) column.restart();
      column.append(rows, index);
      if (!isFirst && this.#numeric[index] && !column.isNumeric) throw this.#textAmongNumbers(name, index);
      if (column.late) {
        column.restart();
        column.append(rows, index);
      }
      return column;
    });
    if (isFirst) this.#numeric = columns.map((column) => column.isNumeric);
    const asRead = createCsvTable(columns, rows.length);
    const table = this.#data.locations?.table(asRead) ?? asRead;
    this.#schema ??= table.schema;
    this.#rowsBefore += rows.length;
    this.#rows = [];
    return isFirst ? table : new Table(this.#schema, table.batches);
  }

  #textAmongNumbers(column: string, index: number): DataError {
    const isText = ([, cell]: [number, string]) =>
      Number.isNaN(this.#data.numbers.number(cell)) && !isMissingCell(cell);
    const cells = [...this.#rows.map((row) => row[index]).entries()];
    const [row, received] = cells.find(isText) ?? [0, ''];
    return new DataError({
      source: this.#source,
      row: this.#rowsBefore + row + 1,
      column,
      problem: 'text in a column that begins with numbers',
      received,
      allowed: 'a number, or a blank, NA or - where one is missing',
    });
  }
}
