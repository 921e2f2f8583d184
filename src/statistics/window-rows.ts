import type { EnsembleField } from '../core/field.js';
import { INFINITE, WindowJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { type FloatArray, type FloatType, typeSuffix, valueBytes } from '../core/number-arrays.js';
import { type Tile, TOGETHER } from '../period/fill-together.js';
import { addressesIn, addressTable, assertFinite, assertSums, InputBlock, type ReadyMembers } from './input-block.js';
import { daySpan, type LaneSource, type Lanes, maxLanes, type PlacedWindows, rowBytes } from './tiles.js';
import { valueNumber, type WindowMeasure, type WindowValue } from './window-value.js';

/**
 * Fills rows of windows: each member's days of a window become one value. Where cells are adjacent, a tile is of one window;
 * rows can be filled with several of fewer cells, one after the other.
 */
class WindowRows implements LaneSource<Tile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors: number;
  readonly single: boolean;
  readonly maxLanes: number;
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #windows: PlacedWindows;
  readonly #input: InputBlock;
  readonly #job: WindowJob;
  readonly #kernel: WindowKernel;
  /** 1 where all days of the tile that was filled last are known to be finite. */
  #finite = 0;
  /** Address of pairs of i32: first day and number of days of each window. */
  readonly #table: number;

  /** Rows for `together` windows that can be filled at once, each a day after the one before. */
  constructor(core: Core, field: EnsembleField, windows: PlacedWindows, rule: WindowValue, together = 1) {
    this.#core = core;
    this.#field = field;
    this.#windows = windows;
    const isField = field.order === 'cell-fastest';
    this.maxLanes = Math.ceil(maxLanes(field, windows) / (together > 1 ? 8 : 1));
    this.#input = new InputBlock(core, field, this.#rowsAtOnce(together - 1));
    this.rowBytes = rowBytes(this.maxLanes * together);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
    this.divisors = rule === 'mean' ? core.memory.scratch(this.rowBytes) : 0;
    this.single = areSingle(field.type, rule);
    this.#table = writeWindows(core, windows);
    const { size } = this.#input;
    const cellStride = isField ? size : field.days * size;
    const fields = [this.#input.table, cellStride, this.rowBytes] as const;
    [this.#job, this.#kernel] = windowKernel(core, field, rule, fields, windows.table.rolling);
  }

  begin(): void {
    this.#input.begin();
  }

  /**
   * All tiles of the work, results in the order of the input: by cell and then window where the day is fastest, by
   * window and then cell where the cell is.
   */
  *tiles(): Generator<Tile> {
    const { order, cells: width } = this.#field;
    const { count } = this.#windows.table;
    const lanes = this.maxLanes;
    if (order === 'cell-fastest') {
      for (let window = 0; window < count; window++) {
        for (let cell = 0; cell < width; cell += lanes) {
          const cells = Math.min(lanes, width - cell);
          yield { cell, cells, window, windows: 1, lane: window * width + cell, lanes: cells };
        }
      }
    } else {
      // All windows of some cells, or some windows of one.
      const group = Math.max(1, Math.floor(lanes / count));
      for (let cell = 0; cell < width; cell += group) {
        const cells = Math.min(group, width - cell);
        for (let window = 0; window < count; window += lanes) {
          const windows = Math.min(lanes, count - window);
          yield { cell, cells, window, windows, lane: cell * count + window, lanes: cells * windows };
        }
      }
    }
  }

  fill(tile: Tile): void {
    this.#job.setTile(tile.cells, this.#table + 8 * tile.window, tile.windows);
    this.#finite = 1;
    const [from, to] = daySpan(this.#windows, tile.window, tile.windows);
    for (const { first, count, offset, dayStride } of this.#ready(tile, from, to)) {
      this.#job.setMembers(count, offset - from * dayStride, dayStride, this.rows + first * this.rowBytes);
      this.#finite &= this.#kernel(this.#job.address) as number;
    }
    this.divide(tile);
  }

  /** Writes the divisors of a tile. */
  divide({ window, windows, cells }: Tile): void {
    if (this.divisors) this.#core.kernels.windowDays(this.#table + 8 * window, windows, cells, this.divisors);
  }

  /** As of all sources of lanes; `source` has the rows of the tile, and `days` are looked at. */
  assertFinite(tile: Tile, flags: number, source: LaneSource = this, days: Tile | null = tile): void {
    if (!flags || this.#finite) return;
    if (days) this.#assertDays(days);
    if (!(flags & INFINITE)) return;
    const { cell, window, windows, lanes } = tile;
    const { days: fieldDays, order, cells: width } = this.#field;
    const { table, shift } = this.#windows;
    assertSums(this.#core, source, this.#field, lanes, (lane) => {
      if (order === 'cell-fastest') return (shift + table.first[window]) * width + cell + lane;
      return (cell + Math.floor(lane / windows)) * fieldDays + shift + table.first[window + (lane % windows)];
    });
  }

  /** Throws a DataError for the first infinite day of some windows. */
  #assertDays(tile: Tile): void {
    const { cell, cells, window, windows } = tile;
    const [from, to] = daySpan(this.#windows, window, windows);
    const { days, order, cells: width } = this.#field;
    const isSeries = order === 'day-fastest';
    const row = isSeries ? cell * days + from : from * width + cell;
    const [count, length, step] = isSeries ? [cells, to - from, days] : [to - from, cells, width];
    for (const ready of this.#ready(tile, from, to)) {
      const bytes = isSeries ? days * this.#input.size : ready.dayStride;
      this.#input.assertFinite(ready, { offset: ready.offset, bytes, count }, length, row, step);
    }
  }

  /** The maximum number of rows that a tile reads of a member, from its first to its last; `more` days of several windows. */
  #rowsAtOnce(more: number): number {
    const { order, days, cells: width } = this.#field;
    if (order === 'cell-fastest') {
      return Math.min(this.maxLanes, width) * Math.min(days, this.#windows.longest + more);
    }
    let most = 0;
    for (const { cell, cells, window, windows } of this.tiles()) {
      if (cell > 0) break; // all cells have the same days
      const [from, to] = daySpan(this.#windows, window, windows);
      most = Math.max(most, (cells - 1) * days + to - from);
    }
    return most;
  }

  /** Makes days of a tile ready, some members at a time: `from` the first one on the field's axis up to, not including, `to`. */
  #ready({ cell, cells }: Tile, from: number, to: number): Iterable<ReadyMembers> {
    const { days, order } = this.#field;
    if (order === 'cell-fastest') return this.#input.cells(cell, cells, from, to - from);
    return this.#input.series(cell * days + from, (cell + cells - 1) * days + to);
  }
}

/** The rows of windows: filled together where these bring how. */
export function windowRows(
  core: Core,
  field: EnsembleField,
  windows: PlacedWindows,
  rule: WindowValue,
): LaneSource<Tile> {
  const make = (together?: number) => new WindowRows(core, field, windows, rule, together);
  return windows.table[TOGETHER]?.(field, windows, make) ?? make();
}

/** Writes the first day and the number of days of each window for the kernels, and returns the address. */
export function writeWindows({ memory }: Core, { table, shift }: Pick<PlacedWindows, 'table' | 'shift'>): number {
  const { first, days, count } = table;
  const address = memory.scratch(8 * count);
  const words = memory.whole('int32');
  for (let w = 0, at = address / 4; w < count; w++, at += 2) {
    words[at] = shift + first[w];
    words[at + 1] = days[w];
  }
  return address;
}

/** Returns 1 where it knows that all days are finite. */
type WindowKernel = (job: number) => unknown;

/**
 * The job and the kernel that fill the rows of a field, `rowBytes` apart, from the table of addresses at `members`; sums and
 * means of windows that do not roll are totals.
 */
export function windowKernel(
  { kernels, memory }: Core,
  { order, type, firstDay, days }: Pick<EnsembleField, 'order' | 'type' | 'firstDay' | 'days'>,
  value: WindowValue,
  [members, cellStride, rowBytes]: readonly [members: number, cellStride: number, rowBytes: number],
  rolling = 0,
): [WindowJob, WindowKernel] {
  const rule = valueNumber(value);
  const condition = memory.scratch(32);
  memory.whole('float64').set((value as WindowMeasure)[type] ?? [], condition / 8);
  // A row, a vector for each day, and a record for each day of a rolling window; or the table of short ones.
  const spare = memory.scratch(rowBytes + 96 * days + 2560);
  const job = new WindowJob(memory, members, cellStride, rowBytes, spare, firstDay, rolling, rule, condition);
  const total = order === 'day-fastest' ? 'totalSeries' : 'totalField';
  return [job, kernels[`${rule < 2 && !rolling ? total : 'windowsBy'}${typeSuffix(type)}`]];
}

/** Whether rows of windows are f32, as the values: not by the rules for sums, means, ranges and excess. */
export function areSingle(type: FloatType, value: WindowValue): boolean {
  return type === 'float32' && ![0, 1, 7, 12].includes(valueNumber(value));
}

interface RawTile extends Lanes {
  /** The input row of the first lane. */
  readonly row: number;
}

/** The first rules, up to `last`, give the value of a single day. */
const VALUE_RULES = 6;
/** Shorter runs of days are faster as windows of one day, many cells at a time. */
const MIN_RUN = 64;

/**
 * Whether there is nothing to combine: the windows are single days in long enough runs, and the rule does not change
 * the value of a single day.
 */
export function isRaw(
  { order, days, cells }: EnsembleField,
  { table, longest }: PlacedWindows,
  value: WindowValue,
): boolean {
  const consecutive = longest === 1 && table.first[table.count - 1] - table.first[0] === table.count - 1;
  const long = order === 'cell-fastest' || table.count === days || cells === 1 || table.count >= MIN_RUN;
  return consecutive && long && valueNumber(value) < VALUE_RULES;
}

/** Rows of raw days, in the input's own type. */
export class RawRows implements LaneSource<RawTile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors = 0;
  readonly single: boolean;
  readonly maxLanes: number;
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
    // Rows of several days are contiguous only where no other values lie between the days.
    if (addresses && !field.members[0].dayStride) this.#members = addressTable(core, addresses);
    this.rowBytes = rowBytes(this.maxLanes);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
  }

  begin(): void {
    const { members, type } = this.#field;
    if (this.#members === undefined)
      this.#copies = this.#core.memory[type](this.rows, (this.rowBytes / this.#size) * members.length);
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
      for (let m = 0; m < members.length; m++) {
        members[m].copyTo(this.#copies, (m * this.rowBytes) / size, row, row + lanes);
      }
    }
  }

  assertFinite({ row, lanes }: RawTile, flags: number): void {
    if (!(flags & INFINITE)) return;
    for (let m = 0; m < this.#field.members.length; m++) {
      assertFinite(this.#core, this.#field, m, this.rows + m * this.rowBytes, lanes, row);
    }
    assertSums(this.#core, this, this.#field, lanes, (lane) => row + lane);
  }

  *#run(row: number, rows: number, lane: number): Iterable<RawTile> {
    for (let done = 0; done < rows; done += this.maxLanes) {
      yield { row: row + done, lane: lane + done, lanes: Math.min(this.maxLanes, rows - done) };
    }
  }
}
