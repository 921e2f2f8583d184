import { Data, type DataType, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { NumberArrayConstructor } from '../../core/number-arrays.js';
import { storedValues, valueArray } from '../../table/arrow/value-array.js';

/**
 * The rows of batches in one batch, whose columns are contiguous: each further batch of a table costs as much as some
 * thousand rows. Rows are copied as they come, so that nobody keeps the batches.
 */
export class JoinedBatch {
  readonly #schema: Schema;
  readonly #mostRows: number;
  #columns: readonly JoinedColumn[] | undefined;
  #rows = 0;

  /** `mostRows` is how many rows there will be before the last batch, if all have about as many. */
  constructor(schema: Schema, mostRows: number) {
    this.#schema = schema;
    this.#mostRows = mostRows;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds the rows of a batch; false where columns are no numbers or dates, or have dictionaries of their own. */
  add({ data: { children }, numRows }: RecordBatch): boolean {
    this.#columns ??= columnsFor(children, this.#mostRows + numRows);
    if (!this.#columns?.every((column, place) => column.canHave(children[place]))) return false;
    for (const [place, column] of this.#columns.entries()) column.add(children[place], this.#rows);
    this.#rows += numRows;
    return true;
  }

  /** The batch of all rows so far; the next one begins. Undefined if there are none. */
  finish(): RecordBatch | undefined {
    const [columns, length] = [this.#columns, this.#rows];
    this.#columns = undefined;
    this.#rows = 0;
    if (columns === undefined || length === 0) return undefined;
    const children = columns.map((column) => column.finish(length));
    const data = makeData({ type: new Struct(this.#schema.fields), length, nullCount: 0, children });
    return new RecordBatch(this.#schema, data);
  }
}

function columnsFor(children: readonly Data[], rows: number): readonly JoinedColumn[] | undefined {
  const columns: JoinedColumn[] = [];
  for (const child of children) {
    const Values = valueArray(child.type);
    if (Values === undefined) return undefined;
    columns.push(new JoinedColumn(child, Values, rows));
  }
  return columns;
}

class JoinedColumn {
  readonly #type: DataType;
  readonly #dictionary: Data['dictionary'];
  readonly #Values: NumberArrayConstructor;
  #values: InstanceType<NumberArrayConstructor>;
  /** Bits of the rows that have a value; undefined as long as all have one. */
  #valid: Uint8Array | undefined;
  #nullCount = 0;

  constructor({ type, dictionary }: Data, Values: NumberArrayConstructor, rows: number) {
    this.#type = type;
    this.#dictionary = dictionary;
    this.#Values = Values;
    this.#values = new Values(rows);
  }

  canHave({ dictionary }: Data): boolean {
    return dictionary === this.#dictionary;
  }

  /** Adds values after the first `rows` ones. */
  add(part: Data, rows: number): void {
    const { length, nullCount } = part;
    if (rows + length > this.#values.length) this.#grow(Math.max(2 * this.#values.length, rows + length));
    // What Arrow views begins at the first row of the part.
    const values = storedValues(part);
    this.#values.set((values.length === length ? values : values.subarray(0, length)) as never, rows);
    if (nullCount === 0) return;
    this.#valid ??= new Uint8Array(bitmapBytes(this.#values.length)).fill(255);
    for (let row = 0; row < length; row++) {
      if (!part.getValid(row)) this.#valid[(rows + row) >> 3] &= ~(1 << ((rows + row) & 7));
    }
    this.#nullCount += nullCount;
  }

  finish(rows: number): Data {
    const valid = this.#valid?.subarray(0, bitmapBytes(rows));
    const values = this.#values.subarray(0, rows);
    return new Data(this.#type, 0, rows, this.#nullCount, [undefined, values, valid] as never, [], this.#dictionary);
  }

  #grow(rows: number): void {
    const values = new this.#Values(rows);
    values.set(this.#values as never);
    this.#values = values;
    if (this.#valid === undefined) return;
    const valid = new Uint8Array(bitmapBytes(rows)).fill(255);
    valid.set(this.#valid);
    this.#valid = valid;
  }
}

function bitmapBytes(rows: number): number {
  return Math.ceil(rows / 64) * 8;
}
