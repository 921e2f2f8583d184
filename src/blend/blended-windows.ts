import { sliceCells } from '../core/field.js';
import { GatherWindowsJob, INFINITE, SelectDaysJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { typeSuffix, valueBytes } from '../core/number-arrays.js';
import { somePlaces } from '../ensemble/nearest-place.js';
import type { Tile } from '../period/fill-together.js';
import { combineWindows } from '../statistics/compute.js';
import { addressTable } from '../statistics/input-block.js';
import { daySpan, type LaneSource, type PlacedWindows, rowBytes } from '../statistics/tiles.js';
import { areSingle, writeWindows } from '../statistics/window-rows.js';
import type { WindowValue } from '../statistics/window-value.js';
import { blendFields } from './blend-fields.js';
import { type Horizon, placeInHorizon } from './horizon.js';
import { blockBytes } from './horizon-block.js';
import { HorizonWindows, RunRows } from './horizon-windows.js';
import type { Pairing } from './pairing/pairing.js';
import type { SeamTables } from './pairing/seam-tables.js';
import { seamTables } from './timeline-groups.js';
import { type BlendPlan, mayHave, singleDays, type WindowRun, windowRuns, windowsOfRun } from './window-runs.js';

/** Days of members, as a table of addresses; the days of a cell are `stride` bytes apart. */
interface SelectedDays {
  readonly table: number;
  /** Bytes from a member's address to the first of them at the cells that are ready. */
  readonly offset: () => number;
  readonly stride: number;
  /** Address of a table of the members that trajectories are; 0 where these are the members. */
  readonly member: number;
}

/** The maximum number of results to work on at a time, and of bytes of their rows: these stay in the caches. */
const MAX_LANES = 1024;
const ROW_BYTES = 524_288;
/** A result of more days counts as several. */
const DAYS_PER_LANE = 7;

/**
 * Windows of a timeline that is not made: each horizon is read once, its windows become rows of its members, and
 * trajectories take theirs from these. Only where members switch within a window are its days gathered.
 */
export class BlendedWindows implements LaneSource<Tile> {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors: number;
  readonly single: boolean;
  readonly maxLanes: number;
  readonly #core: Core;
  readonly #plan: BlendPlan;
  readonly #windows: PlacedWindows;
  readonly #rule: WindowValue;
  /** The maximum number of cells of a tile. */
  readonly #most: number;
  readonly #table: number;
  /** How many entries each cell has in the tables of seams: 0 if all cells share them. */
  readonly #places: number;
  readonly #horizons: readonly HorizonWindows[];
  readonly #seams: readonly SeamTables[];
  /** Fill the rows of windows in which members switch. */
  readonly #mixed: ((cells: number) => void)[];
  readonly #gathers: readonly { readonly job: GatherWindowsJob; readonly rowsAt: () => number }[];

  constructor(core: Core, plan: BlendPlan, windows: PlacedWindows, rule: WindowValue) {
    const { horizons, pairing } = plan;
    const { cells, type } = horizons[0].field;
    const { count } = windows.table;
    this.#core = core;
    this.#plan = plan;
    this.#windows = windows;
    this.#rule = rule;
    this.#places = pairing.cells === 1 ? 0 : pairing.members;
    const lanes = Math.min(MAX_LANES, ROW_BYTES / (8 * pairing.members));
    const lanesPerCell = Math.max(count, plan.days / DAYS_PER_LANE);
    this.#most = Math.max(1, Math.min(cells, Math.floor(lanes / lanesPerCell)));
    this.maxLanes = this.#most * count;
    this.rowBytes = rowBytes(this.maxLanes);
    this.rows = core.memory.scratch(this.rowBytes * pairing.members);
    this.divisors = rule === 'mean' ? core.memory.scratch(this.rowBytes) : 0;
    this.#table = writeWindows(core, windows);
    this.single = areSingle(type, rule);
    const runs = windowRuns(plan, windows);
    this.#horizons = horizons.map((horizon, h) => {
      const run = runs.find((some) => some.horizon === h);
      const own = run && windowsOfRun(windows.table, run);
      const kept = singleDays(plan, windows, runs, h);
      return new HorizonWindows(core, horizon, kept, pairing.horizons[h].lastDay + 1, own, rule, this.#most);
    });
    this.#seams = seamTables(core, this.#horizons, plan, this.#most);
    this.#mixed = [];
    this.#gathers = runs.map((run) => {
      const { horizon: h } = run;
      const own = h === undefined ? undefined : this.#horizons[h];
      if (own?.rows !== undefined) {
        const member = this.#seams[(h as number) - 1]?.member;
        return { job: this.#gather(run, own.rows, member), rowsAt: () => own.rowsAt };
      }
      const { rows, fill } = this.#mixedRun(run);
      this.#mixed.push(fill);
      return { job: this.#gather(run, rows), rowsAt: () => rows.at(0) };
    });
  }

  begin(): void {
    for (const horizon of this.#horizons) horizon.begin();
  }

  *tiles(): Generator<Tile> {
    const { cells: all } = this.#plan.horizons[0].field;
    const { count } = this.#windows.table;
    for (let cell = 0; cell < all; cell += this.#most) {
      const cells = Math.min(this.#most, all - cell);
      yield { cell, cells, window: 0, windows: count, lane: cell * count, lanes: cells * count };
    }
  }

  fill({ cell, cells, windows }: Tile): void {
    const { kernels } = this.#core;
    for (const horizon of this.#horizons) horizon.load(cell, cells);
    for (const seam of this.#seams) seam.ready(cell, cells);
    for (const fill of this.#mixed) fill(cells);
    for (const { job, rowsAt } of this.#gathers) {
      job.set(rowsAt(), cells);
      kernels.gatherWindows(job.address);
    }
    if (this.divisors) kernels.windowDays(this.#table, windows, cells, this.divisors);
  }

  /** Looks at the days of all horizons first: where one is infinite, the timeline shows whether it is in use. */
  assertFinite({ cell, cells }: Tile, flags: number): void {
    const rule = this.#rule;
    if (!flags && rule !== 'count') return;
    if (!(flags & INFINITE || this.#horizons.some((horizon) => horizon.hasInfinite()))) return;
    const { horizons, pairing, places } = this.#plan;
    const some = horizons.map((horizon) => someCells(horizon, cell, cells));
    const placesOfCells = places && somePlaces(places, cell, cell + cells);
    const { field } = blendFields(this.#core, some, pairingOfCells(pairing, cell, cells), placesOfCells);
    combineWindows(this.#core, field, this.#windows.table, this.#rule);
    // Views of the core's memory may be detached.
    this.begin();
  }

  /** Prepares to join the days of a run, horizon by horizon, and to combine them. */
  #mixedRun(run: WindowRun): { rows: RunRows; fill: (cells: number) => void } {
    const core = this.#core;
    const { pairing, horizons } = this.#plan;
    const { members: count, firstDay } = pairing;
    const { type } = horizons[0].field;
    const size = valueBytes(type);
    const [origin, end] = daySpan(this.#windows, run.first, run.count);
    const cellStride = 16 * Math.ceil(((end - origin) * size) / 16);
    const outBytes = blockBytes(this.#most * cellStride);
    const out = core.memory.scratch(outBytes * count);
    const table = addressTable(
      core,
      Array.from({ length: count }, (_, t) => out + t * outBytes),
    );
    const joined = { table, offset: () => 0, stride: cellStride, member: 0 };
    const days = { from: firstDay + origin, to: firstDay + end };
    const present = horizons.flatMap((_, h) => (mayHave(this.#plan, h, days) ? [h] : []));
    const daysOf = (h: number): SelectedDays => {
      const own = this.#horizons[h];
      const offset = () => own.offset + (days.from - own.firstDay) * size;
      return { table: own.table, offset, stride: own.cellStride, member: this.#seams[h - 1]?.member ?? 0 };
    };
    const isOne = present.length === 1;
    const joins = (isOne ? present : present.slice(1)).map((h, i) => {
      const later = daysOf(h);
      const earlier = isOne ? later : i === 0 ? daysOf(present[0]) : joined;
      const job = new SelectDaysJob(core.memory, {
        ...{ earlier: earlier.table, earlierStride: earlier.stride, earlierMember: earlier.member },
        ...{ later: later.table, laterStride: later.stride, laterMember: later.member },
        switchDay: isOne ? 0 : this.#seams[h - 1].switchDay,
        places: this.#places,
        trajectories: count,
        ...{ origin, rowBytes: cellStride, out, outBytes },
      });
      return { job, earlier, later };
    });
    const own = { type, count, firstDay: days.from, table, cellStride };
    const rows = new RunRows(core, own, windowsOfRun(this.#windows.table, run), this.#rule, this.#most);
    const kernel = core.kernels[`selectDays${typeSuffix(type)}`];
    const fill = (cells: number) => {
      for (const { job, earlier, later } of joins) {
        job.set(earlier.offset(), later.offset(), cells);
        kernel(job.address);
      }
      rows.fill({ first: 0, count, offset: 0 }, cells);
    };
    return { rows, fill };
  }

  /** Prepares to take a run of windows from rows: those of the members in the table `member`, or of trajectories. */
  #gather(run: WindowRun, { rowBytes, bytes }: RunRows, member = 0): GatherWindowsJob {
    const { pairing } = this.#plan;
    const size = bytes / run.count;
    return new GatherWindowsJob(this.#core.memory, {
      rowBytes,
      runBytes: bytes,
      member,
      places: this.#places,
      trajectories: pairing.members,
      out: this.rows + size * run.first,
      outBytes: this.rowBytes,
      outStride: size * this.#windows.table.count,
    });
  }
}

function someCells(horizon: Horizon, cell: number, cells: number): Horizon {
  const first = cell * horizon.field.days;
  const place = (member: number, row: number) => placeInHorizon(horizon, member, first + row);
  return { ...horizon, field: { ...sliceCells(horizon.field, cell, cell + cells), place } };
}

function pairingOfCells(pairing: Pairing, cell: number, cells: number): Pairing {
  if (pairing.cells === 1 || pairing.regions !== undefined) return pairing;
  const [from, to] = [cell * pairing.members, (cell + cells) * pairing.members];
  const seams = pairing.seams.map((seam) => ({
    ...seam,
    member: seam.member.subarray(from, to),
    switchDay: seam.switchDay.subarray(from, to),
  }));
  return { ...pairing, cells, seams };
}
