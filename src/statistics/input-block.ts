import type { EnsembleField } from '../core/field.js';
import { infiniteValue, overflow } from '../core/infinite-value.js';
import type { Core } from '../core/load.js';
import { KernelJob } from '../core/memory.js';
import { type FloatArray, typeSuffix, valueBytes } from '../core/number-arrays.js';
import type { LaneSource } from './tiles.js';

/**
 * Members whose values are ready for the kernels: `count` of them from `first` on, their addresses in the
 * block's table. The first value is `offset` bytes after the member's address; days are `dayStride` bytes apart, and
 * the cells of a day contiguous where these are fastest.
 */
export interface ReadyMembers {
  readonly first: number;
  readonly count: number;
  readonly offset: number;
  readonly dayStride: number;
}

/** Runs of values of each member, `bytes` apart from `offset` on. */
interface Runs {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

/** The number of members that the kernels take at a time. */
const GROUP = 4;

/**
 * Gives the kernels the members' values: all at once in place, if they lie in the core's memory; else a few members at
 * a time, copied to blocks that are small enough to stay in the nearest caches.
 */
export class InputBlock {
  /** Bytes of a value. */
  readonly size: number;
  /** Address of a table of addresses: of the members, or of the blocks that they are copied to. */
  readonly table: number;
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #rows: number;
  readonly #isInPlace: boolean;
  /** The addresses of the members, or of the blocks that they are copied to. */
  readonly #addresses: readonly number[];
  /** The blocks; undefined where values are used in place. */
  #copies: FloatArray[] | undefined;

  /** Takes scratch from the core's memory; at most `rows` rows of a member are copied at once. */
  constructor(core: Core, field: EnsembleField, rows: number) {
    this.#core = core;
    this.#field = field;
    // One more, as `series` may leave the first one unused.
    this.#rows = rows + 1;
    this.size = valueBytes(field.type);
    const own = addressesIn(core, field);
    this.#isInPlace = own !== undefined;
    this.#addresses = own ?? field.members.slice(0, GROUP).map(() => core.memory.scratch(this.#rows * this.size));
    this.table = addressTable(core, this.#addresses);
  }

  /** Call it once all scratch is taken: views on the core's memory are valid until it grows. */
  begin(): void {
    if (this.#isInPlace) return;
    const { memory } = this.#core;
    this.#copies = this.#addresses.map((address) => memory[this.#field.type](address, this.#rows));
  }

  /** Makes consecutive rows ready: of all members, or of one group of members after the other. */
  *series(from: number, to: number): Generator<ReadyMembers> {
    const { members } = this.#field;
    const dayStride = this.size;
    if (this.#copies === undefined) {
      yield { first: 0, count: members.length, offset: from * dayStride, dayStride };
      return;
    }
    // From a SharedArrayBuffer, engines copy eight bytes at a time where both sides are aligned alike, else single
    // bytes.
    const at = from % 2;
    for (let first = 0; first < members.length; first += GROUP) {
      const count = Math.min(GROUP, members.length - first);
      for (let i = 0; i < count; i++) members[first + i].copyTo(this.#copies[i], at, from, to);
      yield { first, count, offset: at * dayStride, dayStride };
    }
  }

  /** Like `series`, for some cells on some days of a field in which the cell is fastest. */
  *cells(cell: number, cells: number, day: number, days: number): Generator<ReadyMembers> {
    const { members, cells: width } = this.#field;
    const { size } = this;
    if (this.#copies === undefined) {
      const dayStride = (members[0].dayStride ?? width) * size;
      yield { first: 0, count: members.length, offset: day * dayStride + cell * size, dayStride };
      return;
    }
    for (let first = 0; first < members.length; first += GROUP) {
      const count = Math.min(GROUP, members.length - first);
      for (let i = 0; i < count; i++) {
        for (let d = 0; d < days; d++) {
          const from = (day + d) * width + cell;
          members[first + i].copyTo(this.#copies[i], d * cells, from, from + cells);
        }
      }
      yield { first, count, offset: 0, dayStride: cells * size };
    }
  }

  /** Whether there is an infinite value in runs of `length` values of ready members. */
  hasInfinite({ count }: Pick<ReadyMembers, 'count'>, runs: Runs, length: number): boolean {
    const any = this.#core.kernels[`anyInfinite${typeSuffix(this.#field.type)}`];
    return any(this.table, count, runs.offset, runs.bytes, runs.count, length) !== 0;
  }

  /**
   * Throws a DataError for the first infinite value in runs of `length` values of ready members; `row` is the row
   * of the first run, and the next one is `step` rows later.
   */
  assertFinite({ first, count }: ReadyMembers, runs: Runs, length: number, row: number, step: number): void {
    if (!this.hasInfinite({ count }, runs, length)) return;
    for (let run = 0; run < runs.count; run++) {
      const offset = runs.offset + run * runs.bytes;
      for (let i = 0; i < count; i++) {
        assertFinite(this.#core, this.#field, first + i, this.#addresses[i] + offset, length, row + run * step);
      }
    }
  }
}

/**
 * Throws a DataError for the first value of the rows of a source, whose `lanes` are at `rowOf` in the input, that the
 * type of the field cannot hold, or of which the sum over members cannot be held.
 */
export function assertSums(
  { memory }: Core,
  { rows, rowBytes, divisors, single }: LaneSource,
  field: EnsembleField,
  lanes: number,
  rowOf: (lane: number) => number,
): void {
  const { members, type } = field;
  // Values of a float32 field hold what rows of float32 do.
  if (single) return;
  members.forEach((_, m) => {
    memory.float64(rows + m * rowBytes, lanes).forEach((sum, i) => {
      // A mean of float32 values is one.
      const held = type === 'float32' && !divisors ? Math.fround(sum) : sum * members.length;
      if (Math.abs(held) === Number.POSITIVE_INFINITY) throw overflow(field, m, rowOf(i), sum);
    });
  });
}

/** The members' addresses in the core's memory; undefined where one of them lies elsewhere. */
export function addressesIn(core: Core, { members }: EnsembleField): number[] | undefined {
  const addresses = members.map((member) => member.addressIn(core));
  return addresses.includes(undefined) ? undefined : (addresses as number[]);
}

/** Writes a table of addresses to the core's memory, and returns where it is. */
export function addressTable({ memory }: Core, addresses: readonly number[]): number {
  return new KernelJob(memory, addresses.length, addresses).address;
}

/**
 * Throws a DataError for the first infinite value among `count` values of a member at `address`; `row` is the row of
 * the first.
 */
export function assertFinite(
  core: Core,
  field: EnsembleField,
  member: number,
  address: number,
  count: number,
  row: number,
): void {
  const { kernels, memory } = core;
  const size = valueBytes(field.type);
  const found = kernels[`firstInfinite${typeSuffix(field.type)}`](address, count);
  if (found < 0) return;
  const [received] = memory[field.type](address + found * size, 1);
  throw infiniteValue(field, member, row + found, received);
}
