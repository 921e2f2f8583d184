import { CopyDaysJob, type WindowJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { type FloatType, valueBytes } from '../core/number-arrays.js';
import { addressTable, InputBlock, type ReadyMembers } from '../statistics/input-block.js';
import { rowBytes, type WindowDays } from '../statistics/tiles.js';
import { areSingle, windowKernel, writeWindows } from '../statistics/window-rows.js';
import type { WindowValue } from '../statistics/window-value.js';
import type { Horizon } from './horizon.js';
import { blockBytes, type LoadedDays } from './horizon-block.js';
import type { Days } from './window-runs.js';

/** About how many bytes of a member to read at once: fewer take longer than the system needs to find them. */
const READ_BYTES = 16_384;

/** Where days of members lie, adjacent for each cell: as in a `LoadedDays`, of which `table` has the addresses. */
export interface MemberDays {
  readonly type: FloatType;
  readonly count: number;
  readonly firstDay: number;
  readonly table: number;
  readonly cellStride: number;
}

/** Rows in the core's memory, one for each member, cell after cell: its windows in order, as WindowRows fills them. */
export class RunRows {
  readonly rowBytes: number;
  readonly #rows: number;
  readonly #windows: number;
  readonly #count: number;
  readonly #job: WindowJob;
  readonly #kernel: (job: number) => void;
  readonly #size: number;
  /** Bytes of the windows of a cell. */
  readonly bytes: number;

  /** Takes scratch from the core's memory for at most `most` cells. */
  constructor(core: Core, days: MemberDays, windows: WindowDays, rule: WindowValue, most: number) {
    const { type, count, firstDay, table, cellStride } = days;
    this.#count = windows.count;
    this.bytes = windows.count * (areSingle(type, rule) ? 4 : 8);
    this.#size = valueBytes(type);
    this.rowBytes = rowBytes(most * windows.count);
    this.#rows = core.memory.scratch(this.rowBytes * count);
    this.#windows = writeWindows(core, { table: windows, shift: windows.firstDay - firstDay });
    const shape = { order: 'day-fastest', type, firstDay, days: cellStride / this.#size } as const;
    [this.#job, this.#kernel] = windowKernel(core, shape, rule, [table, cellStride, this.rowBytes]);
  }

  /** The address of the rows, from a cell on. */
  at(cell: number): number {
    return this.#rows + cell * this.bytes;
  }

  /** Fills the rows of members that are ready; `offset` is that of the first cell's first day. */
  fill({ first, count, offset }: Omit<ReadyMembers, 'dayStride'>, cells: number): void {
    this.#job.setTile(cells, this.#windows, this.#count);
    this.#job.setMembers(count, offset, this.#size, this.#rows + first * this.rowBytes);
    this.#kernel(this.#job.address);
  }
}

/**
 * Reads a horizon once, some cells at a time: the windows that lie in it become rows, and the days that are needed one
 * by one are kept.
 */
export class HorizonWindows implements LoadedDays {
  readonly horizon: Horizon;
  readonly firstDay: number;
  readonly days: number;
  readonly table: number;
  offset = 0;
  readonly cellStride: number;
  cell = 0;
  cells = 0;
  /** The windows of the horizon; undefined where no window lies in it. */
  readonly rows: RunRows | undefined;
  readonly #input: InputBlock;
  /** How many cells are read at once at most, and those that were read last. */
  readonly #most: number;
  #first = 0;
  #end = 0;
  readonly #copy: CopyDaysJob;
  readonly #copyDays: (job: number) => void;
  /** The address of the kept days; members are `keptBytes` apart. */
  readonly #kept: number;
  readonly #keptBytes: number;
  /** Bytes from the first kept day, and from the horizon's first, to the first that both have. */
  readonly #shift: number;
  readonly #ownShift: number;

  /**
   * Takes scratch from the core's memory; at most `most` cells are used at once. The days `kept`, day numbers, are kept; those from
   * `end` on, or that the horizon does not have, are missing.
   */
  constructor(
    core: Core,
    horizon: Horizon,
    kept: Days,
    end: number,
    windows: WindowDays | undefined,
    rule: WindowValue,
    most: number,
  ) {
    const { type, firstDay, days, members } = horizon.field;
    this.horizon = horizon;
    this.firstDay = kept.from;
    this.days = kept.to - kept.from;
    const bytes = most * days * valueBytes(type);
    this.#most = most * Math.max(1, Math.floor(READ_BYTES / bytes));
    this.#input = new InputBlock(core, horizon.field, this.#most * days);
    const { table, size } = this.#input;
    this.cellStride = this.days * size;
    const own = { type, count: members.length, firstDay, table, cellStride: days * size };
    this.rows = windows && new RunRows(core, own, windows, rule, this.#most);
    this.#keptBytes = blockBytes(this.#most * this.cellStride);
    this.#kept = core.memory.scratch(members.length * this.#keptBytes);
    const from = Math.max(kept.from, firstDay);
    const to = Math.max(from, Math.min(kept.to, firstDay + days, end));
    this.#shift = (from - kept.from) * size;
    this.#ownShift = (from - firstDay) * size;
    if (to - from < this.days) {
      const length = (members.length * this.#keptBytes) / size;
      core.memory[type](this.#kept, length).fill(Number.NaN);
    }
    this.table = addressTable(
      core,
      members.map((_, m) => this.#kept + m * this.#keptBytes),
    );
    this.#copy = new CopyDaysJob(core.memory, {
      members: table,
      cellStride: days * size,
      bytes: (to - from) * size,
      outBytes: this.#keptBytes,
      outStride: this.cellStride,
    });
    this.#copyDays = core.kernels.copyDays;
  }

  /** Call it once all scratch is taken, and again when the core's memory may have grown. */
  begin(): void {
    this.#input.begin();
  }

  /** Makes `cells` cells ready, from `cell` on; cells come in order. Reads more of them at once where days are few. */
  load(cell: number, cells: number): void {
    this.cell = cell;
    this.cells = cells;
    if (cell + cells > this.#end || cell < this.#first) this.#read(cell);
    this.offset = (cell - this.#first) * this.cellStride;
  }

  /** The address of the rows of windows at the cells that are ready. */
  get rowsAt(): number {
    return this.rows?.at(this.cell - this.#first) ?? 0;
  }

  #read(cell: number): void {
    this.#first = cell;
    this.#end = Math.min(cell + this.#most, this.horizon.field.cells);
    const count = this.#end - cell;
    for (const ready of this.#ready(cell, count)) {
      this.rows?.fill(ready, count);
      const out = this.#kept + this.#shift + ready.first * this.#keptBytes;
      this.#copy.set(ready.count, ready.offset + this.#ownShift, count, out);
      this.#copyDays(this.#copy.address);
    }
  }

  /** Whether there is an infinite value on any day of the cells that are ready. */
  hasInfinite(): boolean {
    const { days } = this.horizon.field;
    const bytes = days * this.#input.size;
    for (const ready of this.#ready(this.cell, this.cells)) {
      if (this.#input.hasInfinite(ready, { offset: ready.offset, bytes, count: this.cells }, days)) return true;
    }
    return false;
  }

  /** Makes all days of some cells ready, some members at a time; offsets are those of the first cell. */
  #ready(cell: number, cells: number): Iterable<ReadyMembers> {
    const { days } = this.horizon.field;
    return this.#input.series(cell * days, (cell + cells) * days);
  }
}
