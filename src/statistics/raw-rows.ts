import type { EnsembleField } from '../core/field.js';
import { type FloatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { WindowRule } from '../variable/variable.js';
import { addressesIn, addressTable, assertFinite } from './input-block.js';
import { type LaneSource, type Lanes, rowBytes } from './lane-source.js';
import { maxLanes, type PlacedWindows } from './tiles.js';

interface RawTile extends Lanes {
  /** The input row of the first lane. */
  readonly row: number;
}

/** Shorter runs of days are faster as windows of one day, many cells at a time. */
const MIN_RUN = 64;

/**
 * Whether there is nothing to combine: the windows are single days in long enough runs, and the rule does not change
 * the value of a single day.
 */
export function isRaw(
  { order, days, cells }: EnsembleField,
  { table, longest }: PlacedWindows,
  rule: WindowRule,
): boolean {
  const consecutive = longest === 1 && table.first[table.count - 1] - table.first[0] === table.count - 1;
  const long = order === 'cell-fastest' || table.count === days || cells === 1 || table.count >= MIN_RUN;
  return consecutive && long && rule !== 'count';
}

/** Rows of raw days, in the input's own type. */
export class RawRows implements LaneSource<RawTile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors = 0;
  readonly single: boolean;
  readonly maxLanes: number;
  readonly infinityCheck = 'nowhere';
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #windows: PlacedWindows;
  readonly #size: number;
  /** Address of a table of the members' addresses; undefined where they do not lie in the core's memory. */
  readonly #members: number | undefined;
  /** A view of the rows, to copy to; undefined where the members lie in the core's memory. */
  #copies: FloatArray | undefined;

  constructor(core: Core, field: EnsembleField, windows: PlacedWindows) {
    this.#core = core;
    this.#field = field;
    this.#windows = windows;
    this.single = field.type === 'float32';
    this.maxLanes = maxLanes(field, windows);
    this.#size = valueBytes(field.type);
    const addresses = addressesIn(core, field);
    this.#members = addresses === undefined ? undefined : addressTable(core, addresses);
    this.rowBytes = rowBytes(this.maxLanes);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
  }

  begin(): void {
    const { memory } = this.#core;
    const length = (this.rowBytes / this.#size) * this.#field.members.length;
    if (this.#members !== undefined) return;
    this.#copies = this.single ? memory.float32(this.rows, length) : memory.float64(this.rows, length);
  }

  *tiles(): Iterable<RawTile> {
    const { table, shift } = this.#windows;
    const { order, days, cells } = this.#field;
    const first = shift + table.first[0];
    if (order === 'cell-fastest') yield* this.#run(first * cells, table.count * cells, 0);
    else if (table.count === days) yield* this.#run(0, days * cells, 0);
    else for (let c = 0; c < cells; c++) yield* this.#run(c * days + first, table.count, c * table.count);
  }

  fill({ row, lanes }: RawTile): void {
    const { members } = this.#field;
    const size = this.#size;
    if (this.#copies === undefined) {
      const { raw } = this.#core.kernels;
      raw(this.#members as number, members.length, row * size, lanes * size, this.rows, this.rowBytes);
    } else {
      const stride = this.rowBytes / size;
      for (let m = 0; m < members.length; m++) members[m].copyTo(this.#copies, m * stride, row, row + lanes);
    }
  }

  assertFinite({ row, lanes }: RawTile): void {
    for (let m = 0; m < this.#field.members.length; m++) {
      assertFinite(this.#core, this.#field, m, this.rows + m * this.rowBytes, lanes, row);
    }
  }

  *#run(row: number, rows: number, lane: number): Iterable<RawTile> {
    for (let done = 0; done < rows; done += this.maxLanes) {
      yield { row: row + done, lane: lane + done, lanes: Math.min(this.maxLanes, rows - done) };
    }
  }
}
