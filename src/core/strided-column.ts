import type { Core } from './load.js';
import { MemberColumn } from './member-column.js';
import type { FloatArray } from './number-arrays.js';

/** One dimension of rows: its size, and how far its values are apart in the array. */
export interface Axis {
  readonly size: number;
  readonly stride: number;
}

/**
 * The values of one member in an array that holds others between them. Rows go over some dimensions, the last of which
 * is the fastest.
 */
export class StridedColumn extends MemberColumn {
  override readonly length: number;
  override readonly dayStride: number | undefined;
  readonly #values: () => FloatArray;
  readonly #from: number;
  readonly #axes: readonly Axis[];

  /**
   * `values` returns the whole array, and a new view of it where memory has grown; `from` is the index of the first row.
   * `days` are given where rows go over days and then cells: they are used in place if the cells of a day are contiguous.
   */
  constructor(name: string, values: () => FloatArray, from: number, axes: readonly Axis[], days?: number) {
    super(name, [{ values: values() }]);
    this.length = rowsOf(axes);
    this.#values = values;
    this.#from = from;
    this.#axes = axes;
    const [outer, inner] = axes;
    this.dayStride = axes.length === 2 && inner.stride === 1 && outer.size === days ? outer.stride : undefined;
  }

  /** Throws as `MemberColumn.addressIn` does; undefined also where the cells of a day are not contiguous. */
  override addressIn(core: Core): number | undefined {
    const address = super.addressIn(core);
    if (address === undefined || this.dayStride === undefined) return undefined;
    return address + this.#from * this.#values().BYTES_PER_ELEMENT;
  }

  override value(row: number): number {
    return this.#values()[this.#from + indexOf(row, this.#axes)];
  }

  override copyTo(target: FloatArray, at: number, from: number, to: number): void {
    const values = this.#values();
    const { size, stride } = this.#axes[this.#axes.length - 1];
    while (from < to) {
      const count = Math.min(size - (from % size), to - from);
      const first = this.#from + indexOf(from, this.#axes);
      if (stride === 1) target.set(values.subarray(first, first + count), at);
      else for (let i = 0; i < count; i++) target[at + i] = values[first + i * stride];
      from += count;
      at += count;
    }
  }
}

/** The number of rows of some dimensions. */
export function rowsOf(axes: readonly Axis[]): number {
  return axes.reduce((rows, { size }) => rows * size, 1);
}

/** Where a row is in the array, from the first one on. */
export function indexOf(row: number, axes: readonly Axis[]): number {
  let index = 0;
  for (let k = axes.length - 1; k >= 0; k--) {
    const { size, stride } = axes[k];
    index += (row % size) * stride;
    row = Math.floor(row / size);
  }
  return index;
}

/** The same rows by fewer dimensions: those that lie one after the other in the array are one. */
export function joinedAxes(axes: readonly Axis[]): Axis[] {
  const joined: Axis[] = [];
  for (const axis of axes) {
    if (axis.size === 1) continue;
    const last = joined.at(-1);
    if (last?.stride === axis.size * axis.stride) {
      joined[joined.length - 1] = { size: last.size * axis.size, stride: axis.stride };
    } else {
      joined.push(axis);
    }
  }
  return joined;
}
