import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowRule } from '../variable/variable.js';
import { InputBlock } from './input-block.js';
import { type LaneSource, rowBytes } from './lane-source.js';
import { daySpan, maxLanes, type PlacedWindows, type Tile, tiles } from './tiles.js';

/** Fills rows of windows: each member's days of a window become one f64. */
export class WindowRows implements LaneSource<Tile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors: number;
  readonly single = false;
  readonly maxLanes: number;
  readonly infinityCheck: 'among missing' | 'anywhere';
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #windows: PlacedWindows;
  readonly #rule: WindowRule;
  readonly #input: InputBlock;
  /** Address of a row of scratch. */
  readonly #spare: number;
  /** Address of pairs of i32: first day and number of days of each window. */
  readonly #table: number;

  constructor(core: Core, field: EnsembleField, windows: PlacedWindows, rule: WindowRule) {
    this.#core = core;
    this.#field = field;
    this.#windows = windows;
    this.#rule = rule;
    this.maxLanes = maxLanes(field, windows);
    this.infinityCheck = rule === 'sum' || rule === 'mean' ? 'among missing' : 'anywhere';
    this.#input = new InputBlock(core, field, this.#rowsAtOnce());
    this.rowBytes = rowBytes(this.maxLanes);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
    this.divisors = rule === 'mean' ? core.memory.scratch(this.rowBytes) : 0;
    this.#spare = field.order === 'cell-fastest' ? core.memory.scratch(this.rowBytes) : 0;
    this.#table = core.memory.scratch(8 * windows.table.count);
    const { first, days, count } = windows.table;
    const words = core.memory.whole('int32');
    for (let w = 0, at = this.#table / 4; w < count; w++, at += 2) {
      words[at] = windows.shift + first[w];
      words[at + 1] = days[w];
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

  assertFinite({ cell, cells, window, windows }: Tile): void {
    const [from, to] = daySpan(this.#windows, window, windows);
    const { days, order, cells: width } = this.#field;
    const { size } = this.#input;
    if (order === 'day-fastest') {
      this.#input.series(cell * days + from, (cell + cells - 1) * days + to, (ready) => {
        const runs = { offset: ready.offset + (cell * days + from) * size, bytes: days * size, count: cells };
        if (!this.#input.hasInfinite(ready, runs, to - from)) return;
        for (let row = cell * days + from; row < (cell + cells) * days; row += days) {
          this.#input.assertFinite(ready, row * size, to - from, row);
        }
      });
    } else {
      this.#input.cells(cell, cells, from, to - from, (ready) => {
        const runs = { offset: ready.offset, bytes: ready.dayStride, count: to - from };
        if (!this.#input.hasInfinite(ready, runs, cells)) return;
        for (let day = from; day < to; day++) {
          this.#input.assertFinite(ready, (day - from) * ready.dayStride, cells, day * width + cell);
        }
      });
    }
  }

  /** The maximum number of rows that a tile reads of a member, from its first to its last. */
  #rowsAtOnce(): number {
    const { table, longest } = this.#windows;
    const { order, days } = this.#field;
    if (order === 'cell-fastest') return Math.min(this.maxLanes, this.#field.cells) * longest;
    if (table.count > this.maxLanes) {
      let most = 0;
      for (let w = 0; w < table.count; w += this.maxLanes) {
        const [from, to] = daySpan(this.#windows, w, Math.min(this.maxLanes, table.count - w));
        most = Math.max(most, to - from);
      }
      return most;
    }
    const cells = Math.min(Math.floor(this.maxLanes / table.count), this.#field.cells);
    const [from, to] = daySpan(this.#windows, 0, table.count);
    return (cells - 1) * days + to - from;
  }

  #fillSeries({ cell, cells, window, windows }: Tile): void {
    const { days } = this.#field;
    const { size } = this.#input;
    const { totalSeriesF32, totalSeriesF64 } = this.#core.kernels;
    const total = size === 4 ? totalSeriesF32 : totalSeriesF64;
    const rule = this.#byRule();
    const [from, to] = daySpan(this.#windows, window, windows);
    const windowTable = this.#table + 8 * window;
    const stride = days * size;
    this.#input.series(cell * days + from, (cell + cells - 1) * days + to, ({ first, count, table, offset }) => {
      const start = offset + cell * stride;
      const rows = this.rows + first * this.rowBytes;
      if (rule === undefined) total(table, count, start, stride, cells, windowTable, windows, rows, this.rowBytes);
      else rule(table, count, start, size, stride, cells, windowTable, windows, rows, this.rowBytes);
    });
  }

  #fillField({ cell, cells, window }: Tile): void {
    const { size } = this.#input;
    const { totalFieldF32, totalFieldF64 } = this.#core.kernels;
    const total = size === 4 ? totalFieldF32 : totalFieldF64;
    const rule = this.#byRule();
    const [from, to] = daySpan(this.#windows, window, 1);
    const windowTable = this.#table + 8 * window;
    this.#input.cells(cell, cells, from, to - from, ({ first, count, table, offset, dayStride }) => {
      const rows = this.rows + first * this.rowBytes;
      if (rule === undefined) {
        total(table, count, offset, dayStride, cells, to - from, rows, this.rowBytes, this.#spare);
      } else {
        const start = offset - from * dayStride;
        rule(table, count, start, dayStride, size, cells, windowTable, 1, rows, this.rowBytes);
      }
    });
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
