import type { EnsembleField } from '../core/field.js';
import { WindowJob } from '../core/generated/jobs.js';
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
  readonly #input: InputBlock;
  readonly #job: WindowJob;
  readonly #kernel: (job: number) => void;
  /** Address of pairs of i32: first day and number of days of each window. */
  readonly #table: number;

  constructor(core: Core, field: EnsembleField, windows: PlacedWindows, rule: WindowRule) {
    this.#core = core;
    this.#field = field;
    this.#windows = windows;
    this.maxLanes = maxLanes(field, windows);
    this.infinityCheck = rule === 'sum' || rule === 'mean' ? 'among missing' : 'anywhere';
    this.#input = new InputBlock(core, field, this.#rowsAtOnce());
    this.rowBytes = rowBytes(this.maxLanes);
    this.rows = core.memory.scratch(this.rowBytes * field.members.length);
    this.divisors = rule === 'mean' ? core.memory.scratch(this.rowBytes) : 0;
    this.#table = writeWindows(core, windows);
    const { size } = this.#input;
    const isField = field.order === 'cell-fastest';
    this.#job = new WindowJob(core.memory, {
      members: this.#input.table,
      cellStride: isField ? size : field.days * size,
      rowBytes: this.rowBytes,
      spare: isField ? core.memory.scratch(this.rowBytes) : 0,
    });
    this.#kernel = chooseKernel(core, field, rule);
  }

  begin(): void {
    this.#input.begin();
  }

  tiles(): Iterable<Tile> {
    return tiles(this.#field, this.#windows);
  }

  fill(tile: Tile): void {
    const { cells, window, windows } = tile;
    const windowTable = this.#table + 8 * window;
    this.#job.setTile(cells, windowTable, windows);
    if (this.#field.order === 'day-fastest') this.#fillSeries(tile);
    else this.#fillField(tile);
    if (this.divisors) this.#core.kernels.windowDays(windowTable, windows, cells, this.divisors);
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
    const [from, to] = daySpan(this.#windows, window, windows);
    this.#input.series(cell * days + from, (cell + cells - 1) * days + to, ({ first, count, offset }) => {
      this.#job.setMembers(count, offset + cell * days * size, size, this.rows + first * this.rowBytes);
      this.#kernel(this.#job.address);
    });
  }

  #fillField({ cell, cells, window }: Tile): void {
    const [from, to] = daySpan(this.#windows, window, 1);
    this.#input.cells(cell, cells, from, to - from, ({ first, count, offset, dayStride }) => {
      this.#job.setMembers(count, offset - from * dayStride, dayStride, this.rows + first * this.rowBytes);
      this.#kernel(this.#job.address);
    });
  }
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

/** The kernel that fills the rows of a field by a rule; sums and means are totals. */
export function chooseKernel(
  { kernels }: Core,
  { order, type }: Pick<EnsembleField, 'order' | 'type'>,
  rule: WindowRule,
): (job: number) => void {
  const single = type === 'float32';
  if (rule === 'min') return single ? kernels.minimumF32 : kernels.minimumF64;
  if (rule === 'max') return single ? kernels.maximumF32 : kernels.maximumF64;
  if (rule === 'count') return single ? kernels.countF32 : kernels.countF64;
  if (order === 'day-fastest') return single ? kernels.totalSeriesF32 : kernels.totalSeriesF64;
  return single ? kernels.totalFieldF32 : kernels.totalFieldF64;
}
