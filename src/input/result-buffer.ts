import type { RowOrder } from '../core/field.js';
import { NUMBER_ARRAYS } from '../core/number-arrays.js';
import type { ResultColumn, ResultValues } from '../files/cf/content/result-cube.js';
import { readStatistic } from '../statistics/result-column.js';
import { integers, type NewColumn, numbers } from '../table/build/create-table.js';

/** A range of windows and cells of results. */
export interface ResultBox {
  readonly window: number;
  readonly windows: number;
  readonly cell: number;
  readonly cells: number;
}

/** The column of a grid of results for a column of a table. */
export function toResultColumn(column: NewColumn): ResultColumn {
  const values = resultValues(column);
  const type = values instanceof Int32Array ? 'int32' : values instanceof Float32Array ? 'float32' : 'float64';
  return { name: column.name, type, statistic: readStatistic(column), metadata: column.metadata };
}

/** The numbers of a column, with NaN for missing ones. */
export function resultValues({ data }: NewColumn): ResultValues {
  return data.values as ResultValues;
}

/** Bytes that can be written and read at any position. Bytes that were never written are undefined. */
export interface ResultBytes {
  write(bytes: Uint8Array, at: number): void;
  /** Fills `into`. */
  read(into: Uint8Array, at: number): void;
}

/**
 * The results of a grid: column by column, within a column window by window, within a window cell by cell. They can be
 * written and read in blocks of any shape.
 */
export class ResultBuffer {
  readonly columns: readonly ResultColumn[];
  readonly windows: number;
  readonly cells: number;
  /** Where each column begins in the store. */
  readonly #starts: readonly number[];
  readonly #store: ResultBytes;

  constructor(columns: readonly ResultColumn[], windows: number, cells: number, store: ResultBytes) {
    this.columns = columns;
    this.windows = windows;
    this.cells = cells;
    this.#store = store;
    let next = 0;
    this.#starts = columns.map(({ type }) => {
      const start = next;
      next += windows * cells * NUMBER_ARRAYS[type].BYTES_PER_ELEMENT;
      return start;
    });
  }

  /** The bytes that the results of some columns take. */
  static bytes(columns: readonly ResultColumn[], windows: number, cells: number): number {
    return columns.reduce((sum, { type }) => sum + windows * cells * NUMBER_ARRAYS[type].BYTES_PER_ELEMENT, 0);
  }

  /** Writes the values of a box, which are in the order of a field: by cell and then window for `day-fastest`. */
  write(column: number, box: ResultBox, values: ResultValues, order: RowOrder): void {
    const byWindow = order === 'day-fastest' ? transposed(values, box.cells, box.windows) : values;
    this.#eachRun(column, box, byWindow, (bytes, at) => this.#store.write(bytes, at));
  }

  /** Reads the values of a box, by window and then cell. */
  read(column: number, box: ResultBox): ResultValues {
    const values = new NUMBER_ARRAYS[this.columns[column].type](box.windows * box.cells);
    this.#eachRun(column, box, values, (bytes, at) => this.#store.read(bytes, at));
    return values;
  }

  /** Reads the values of a box as a column of a table, by cell and then window. */
  columnByCell(column: number, box: ResultBox): NewColumn {
    const { name, metadata } = this.columns[column];
    const values = transposed(this.read(column, box), box.windows, box.cells);
    return { ...(values instanceof Int32Array ? integers(name, values) : numbers(name, values)), metadata };
  }

  /** Visits runs of values that are together in the store: all windows, or the cells of each. */
  #eachRun(
    column: number,
    { window, windows, cell, cells }: ResultBox,
    values: ResultValues,
    visit: (bytes: Uint8Array, at: number) => void,
  ): void {
    const size = values.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const start = this.#starts[column];
    const runs = cells === this.cells ? 1 : windows;
    const runBytes = values.byteLength / Math.max(1, runs);
    for (let run = 0; run < runs && runBytes > 0; run++) {
      const place = (window + run) * this.cells + cell;
      visit(bytes.subarray(run * runBytes, (run + 1) * runBytes), start + place * size);
    }
  }
}

/** Transposes values of `rows` rows with `columns` columns. */
function transposed(values: ResultValues, rows: number, columns: number): ResultValues {
  if (rows === 1 || columns === 1) return values;
  const result = values.slice();
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[column * rows + row] = values[at++];
  }
  return result;
}

/** Results in memory. */
export class MemoryStore implements ResultBytes {
  readonly #bytes: Uint8Array;

  constructor(bytes: number) {
    this.#bytes = new Uint8Array(bytes);
  }

  write(bytes: Uint8Array, at: number): void {
    this.#bytes.set(bytes, at);
  }

  read(into: Uint8Array, at: number): void {
    into.set(this.#bytes.subarray(at, at + into.length));
  }
}
