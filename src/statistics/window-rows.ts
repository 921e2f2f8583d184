import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowRule } from '../variable/variable.js';
import { InputBlock } from './input-block.js';
import { type RowSource, rowBytes } from './row-source.js';
import { daySpan, mostLanes, type PlacedWindows, type Tile, tiles } from './tiles.js';

/** Rows of windows: each member's days of a window become one f64. */
export class WindowRows implements RowSource<Tile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors: number;
  readonly single = false;
  readonly mostLanes: number;
  readonly hidesInfinite: boolean;
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #windows: PlacedWindows;
  readonly #rule: WindowRule;
  readonly #input: InputBlock;
  /** Address of a row of scratch. */
  readonly #spare: number;
  /** Address of pairs of i32: first day and number of days of each window. */
  readonly #table: number;
  /** What the last tile was filled from. */
  #offset = 0;
  #dayStride = 0;

  constructor(core: Core, field: EnsembleField, windows: PlacedWindows, rule: WindowRule) {
    this.#core = core;
    this.#field = field;
    this.#windows = windows;
    this.#rule = rule;
    this.mostLanes = mostLanes(field, windows);
    this.hidesInfinite = rule === 'min' || rule === 'max' || rule === 'count';
    this.#input = new InputBlock(core, field, this.#rowsAtOnce());
    this.rowBytes = rowBytes(this.mostLanes);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
    this.divisors = rule === 'mean' ? core.memory.scratch(this.rowBytes) : 0;
    this.#spare = field.order === 'cell-fastest' ? core.memory.scratch(this.rowBytes) : 0;
    this.#table = core.memory.scratch(8 * windows.table.count);
    const { first, days, count } = windows.table;
    const table = core.memory.int32(this.#table, 2 * count);
    for (let w = 0; w < count; w++) {
      table[2 * w] = windows.shift + first[w];
      table[2 * w + 1] = days[w];
    }
  }

  begin(): void {
    this.#input.begin();
  }

  tiles(): Iterable<Tile> {
    return tiles(this.#field, this.#windows);
  }

  fill(tile: Tile): void {
    if (this.#field.order === 'day-fastest') this.#fillSeries(tile);
    else this.#fillField(tile);
    if (this.divisors) {
      this.#core.kernels.windowDays(this.#table + 8 * tile.window, tile.windows, tile.cells, this.divisors);
    }
  }

  refuseInfinite({ cell, cells, window, windows }: Tile): void {
    const [from, to] = daySpan(this.#windows, window, windows);
    const { days, order, cells: width } = this.#field;
    const { size } = this.#input;
    if (order === 'day-fastest') {
      const start = cell * days + from;
      const end = (cell + cells - 1) * days + to;
      if (!this.#input.hasInfinite(this.#offset + start * size, end - start)) return;
      for (let c = cell; c < cell + cells; c++) {
        const row = c * days + from;
        this.#input.refuseInfinite(this.#offset + row * size, to - from, row);
      }
    } else {
      for (let day = from; day < to; day++) {
        const offset = this.#offset + (day - from) * this.#dayStride;
        this.#input.refuseInfinite(offset, cells, day * width + cell);
      }
    }
  }

  /** The most rows that any tile reads of a member, from its first to its last. */
  #rowsAtOnce(): number {
    const { table, longest } = this.#windows;
    const { order, days } = this.#field;
    if (order === 'cell-fastest') return Math.min(this.mostLanes, this.#field.cells) * longest;
    if (table.count > this.mostLanes) {
      let most = 0;
      for (let w = 0; w < table.count; w += this.mostLanes) {
        const [from, to] = daySpan(this.#windows, w, Math.min(this.mostLanes, table.count - w));
        most = Math.max(most, to - from);
      }
      return most;
    }
    const cells = Math.min(Math.floor(this.mostLanes / table.count), this.#field.cells);
    const [from, to] = daySpan(this.#windows, 0, table.count);
    return (cells - 1) * days + to - from;
  }

  #fillSeries({ cell, cells, window, windows }: Tile): void {
    const { days, members } = this.#field;
    const { kernels } = this.#core;
    const { size } = this.#input;
    const [from, to] = daySpan(this.#windows, window, windows);
    this.#offset = this.#input.series(cell * days + from, (cell + cells - 1) * days + to);
    this.#dayStride = size;
    const first = this.#offset + cell * days * size;
    const table = this.#table + 8 * window;
    const stride = days * size;
    const rule = this.#byRule();
    if (rule === undefined) {
      const total = size === 4 ? kernels.totalSeriesF32 : kernels.totalSeriesF64;
      total(this.#input.members, members.length, first, stride, cells, table, windows, this.rows, this.rowBytes);
    } else {
      rule(this.#input.members, members.length, first, size, stride, cells, table, windows, this.rows, this.rowBytes);
    }
  }

  #fillField({ cell, cells, window }: Tile): void {
    const { members } = this.#field;
    const { kernels } = this.#core;
    const { size } = this.#input;
    const [from, to] = daySpan(this.#windows, window, 1);
    const { offset, dayStride } = this.#input.cells(cell, cells, from, to - from);
    this.#offset = offset;
    this.#dayStride = dayStride;
    const rule = this.#byRule();
    if (rule === undefined) {
      const total = size === 4 ? kernels.totalFieldF32 : kernels.totalFieldF64;
      const days = to - from;
      total(this.#input.members, members.length, offset, dayStride, cells, days, this.rows, this.rowBytes, this.#spare);
    } else {
      const table = this.#table + 8 * window;
      const first = offset - from * dayStride;
      rule(this.#input.members, members.length, first, dayStride, size, cells, table, 1, this.rows, this.rowBytes);
    }
  }

  /** The kernel of the rarer rules; sums and means are totals. */
  #byRule() {
    const { kernels } = this.#core;
    const single = this.#input.size === 4;
    if (this.#rule === 'min') return single ? kernels.minimumF32 : kernels.minimumF64;
    if (this.#rule === 'max') return single ? kernels.maximumF32 : kernels.maximumF64;
    if (this.#rule === 'count') return single ? kernels.countF32 : kernels.countF64;
    return undefined;
  }
}
