import type { EnsembleField } from '../core/field.js';
import { type FloatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { DataError } from '../errors.js';

/**
 * The members' values as the kernels see them: where they lie, if that is the core's memory, else copied there a block at a time.
 *
 * The address of a value is that in the table of members, plus an offset, plus its row times `size`.
 */
export class InputBlock {
  /** Address of the table of members: one u32 each. */
  readonly members: number;
  /** Bytes of a value. */
  readonly size: number;
  readonly #rows: number;
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #inPlace: boolean;
  readonly #addresses: number[];
  /** The copied blocks; none where values are used in place. */
  readonly #copies: FloatArray[] = [];

  /** Takes scratch from the core's memory; at most `rows` rows are copied at once. */
  constructor(core: Core, field: EnsembleField, rows: number) {
    this.#core = core;
    this.#field = field;
    this.#rows = rows;
    this.size = valueBytes(field.type);
    // Addresses first: taking scratch may grow the memory, which detaches the columns' views.
    const own = field.members.map((member) => member.addressIn(core));
    this.#inPlace = own.every((address) => address !== undefined);
    this.members = core.memory.scratch(4 * own.length);
    if (this.#inPlace) {
      this.#addresses = own as number[];
    } else {
      const bytes = rows * this.size + 64;
      const block = core.memory.scratch(bytes * own.length);
      this.#addresses = own.map((_, m) => block + m * bytes);
    }
    core.memory.int32(this.members, own.length).set(this.#addresses);
  }

  /** To be called once all scratch is taken: views on the core's memory hold until it grows. */
  begin(): void {
    if (this.#inPlace) return;
    const { memory } = this.#core;
    for (const address of this.#addresses) {
      this.#copies.push(this.size === 4 ? memory.float32(address, this.#rows) : memory.float64(address, this.#rows));
    }
  }

  /** Makes consecutive rows ready and returns their offset: that of row 0, which may itself not be there. */
  series(from: number, to: number): number {
    if (this.#inPlace) return 0;
    for (let m = 0; m < this.#copies.length; m++) this.#field.members[m].copyTo(this.#copies[m], 0, from, to);
    return -from * this.size;
  }

  /** Makes some cells of some days ready and returns the offset of the first and the stride of days, for rows by day. */
  cells(cell: number, cells: number, day: number, days: number): { offset: number; dayStride: number } {
    const width = this.#field.cells;
    if (this.#inPlace) return { offset: (day * width + cell) * this.size, dayStride: width * this.size };
    const dayStride = cells * this.size;
    for (let m = 0; m < this.#copies.length; m++) {
      for (let d = 0; d < days; d++) {
        const from = (day + d) * width + cell;
        this.#field.members[m].copyTo(this.#copies[m], d * cells, from, from + cells);
      }
    }
    return { offset: 0, dayStride };
  }

  /** Whether any member has an infinite value among the `count` that begin `offset` behind the member's address. */
  hasInfinite(offset: number, count: number): boolean {
    return this.#addresses.some((address) => this.#firstInfinite(address + offset, count) >= 0);
  }

  /** Throws a DataError for the first such value; `row` is the row of the first of the `count`. */
  refuseInfinite(offset: number, count: number, row: number): void {
    this.#addresses.forEach((address, m) => {
      const found = this.#firstInfinite(address + offset, count);
      if (found < 0) return;
      const at = address + offset + found * this.size;
      const { memory } = this.#core;
      const [value] = this.size === 4 ? memory.float32(at, 1) : memory.float64(at, 1);
      throw infiniteValue(this.#field, m, row + found, value);
    });
  }

  #firstInfinite(address: number, count: number): number {
    const { firstInfiniteF32, firstInfiniteF64 } = this.#core.kernels;
    return this.size === 4 ? firstInfiniteF32(address, count) : firstInfiniteF64(address, count);
  }
}

function infiniteValue(field: EnsembleField, member: number, row: number, value: number): DataError {
  const column = field.members[member];
  return new DataError({
    ...(field.place?.(member, row) ?? { row: row + 1, column: column.name }),
    problem: 'infinite value',
    received: value,
    allowed: 'finite numbers; NaN or null where a value is missing',
  });
}
