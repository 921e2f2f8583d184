import type { Work } from '../../../check/work.js';
import { type FloatArray, NUMBER_ARRAYS } from '../../../core/number-arrays.js';
import { firstFrom } from '../../../ensemble/first-from.js';
import { type Extent, layoutBox, type Role, stridesIn } from '../array-layout.js';
import { type CellRectangle, cellRectangles } from '../cells/cell-places.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { type NumberValues, takeDecoded } from '../value-coding.js';
import { checkGrowth } from './check-growth.js';
import { boxesOf, planOfReader } from './read-block.js';
import { extentOf, type ReadPlan } from './read-plan.js';
import { type DailyTarget, isOfSeries } from './reduce-days.js';
import { reduceAnyDays } from './reduce-local-days.js';
import { type ReadSlice, readSlices } from './slices.js';

/** Cells of a block, of which the others are not computed. */
export interface ChosenCells {
  /** Ascending, counted from the first of the block. */
  readonly cells: Int32Array;
  /** Where the value of each goes among the values of a day; by default in the order of the cells. */
  readonly places?: Int32Array;
  /** The number of values of a day in results. */
  readonly width: number;
  /** So many members, the first; by default all. */
  readonly members?: number | undefined;
  /** The values of a member, of each day of the block in turn. Called anew after each wait. */
  readonly into: (member: number) => FloatArray;
}

/**
 * Computes the values of some cells of a block as reading the block gives them. Numbers are read some megabytes at a time,
 * and other cells are neither decoded nor reduced. Returns false for an ensemble that is not read from one array,
 * whose block has to be read.
 */
export async function readChosenCells(
  { read, members: { length: all } }: GridEnsemble,
  block: Block,
  chosen: ChosenCells,
  work: Work | undefined,
): Promise<boolean> {
  const plan = planOfReader(read);
  if (plan === undefined) return false;
  const { layout } = plan;
  const { cells, members = all } = chosen;
  const end = block.day + block.days;
  const scratch = new Scratch();
  await layout.array.fetch?.(boxesOf(plan, block));
  for (const rectangle of cellRectangles(block.cell, block.cells, layout.length.x)) {
    const extent = { ...extentOf(plan, rectangle, block.day, end), member: { start: 0, count: members } };
    const lines = new CellLines(cells, rectangle);
    const isNeeded = (slice: Extent) => lines.of(slice, stridesIn(layout, layoutBox(layout, slice))).length > 0;
    for await (const read of readSlices(plan, extent, block.day, end, isNeeded)) {
      const strides = stridesIn(layout, read.box);
      for (const line of lines.of(read.slice.extent, strides)) {
        takeCells(plan, block, { ...read, strides, line, scratch }, chosen);
      }
      work?.check();
      if (work?.isDue) await work.pause();
    }
  }
  return true;
}

/** Whether `readChosenCells` reads an ensemble. */
export function hasChosenCells({ read }: GridEnsemble): boolean {
  return planOfReader(read) !== undefined;
}

/** Chosen cells in a slice that follow each other among all of them. */
interface CellLine {
  /** The first of them, among the chosen cells. */
  readonly first: number;
  /** For each, where its values begin in the slice. */
  readonly offsets: Int32Array;
}

/** The chosen cells of a rectangle, of which slices have parts. */
class CellLines {
  readonly #cells: Int32Array;
  readonly #rectangle: CellRectangle;
  /** What was found: slices of other members and days have the same cells. */
  readonly #known = new Map<string, readonly CellLine[]>();

  constructor(cells: Int32Array, rectangle: CellRectangle) {
    this.#cells = cells;
    this.#rectangle = rectangle;
  }

  of({ y, x }: Pick<Extent, 'y' | 'x'>, strides: Record<Role, number>): readonly CellLine[] {
    const key = [y.start, y.count, x.start, x.count, strides.y, strides.x].join();
    let lines = this.#known.get(key);
    if (lines === undefined) {
      const isOfFullRows = x.count === this.#rectangle.x.count;
      const rows = isOfFullRows ? [y] : Array.from({ length: y.count }, (_, i) => ({ start: y.start + i, count: 1 }));
      const all = rows.map((some) => this.#line({ y: some, x }, y.start, strides));
      lines = all.filter(({ offsets }) => offsets.length > 0);
      this.#known.set(key, lines);
    }
    return lines;
  }

  /** The cells of full rows, or of a part of one row, of a slice that begins with the row `firstRow`. */
  #line({ y, x }: Pick<Extent, 'y' | 'x'>, firstRow: number, strides: Record<Role, number>): CellLine {
    const { cell, y: rows, x: columns } = this.#rectangle;
    const begin = cell + (y.start - rows.start) * columns.count + x.start - columns.start;
    const first = firstFrom(this.#cells, begin);
    const end = firstFrom(this.#cells, begin + (y.count - 1) * columns.count + x.count);
    const offsets = new Int32Array(end - first);
    let row = y.start - firstRow;
    let next = begin + columns.count;
    for (let i = first; i < end; i++) {
      for (; this.#cells[i] >= next; next += columns.count) row++;
      offsets[i - first] = row * strides.y + (this.#cells[i] - next + columns.count) * strides.x;
    }
    return { first, offsets };
  }
}

/** The chosen cells of a slice that was read. */
interface ReadCells extends ReadSlice {
  readonly strides: Record<Role, number>;
  readonly line: CellLine;
  readonly scratch: Scratch;
}

/** Arrays that are used again: new memory takes longer than what is written to it. */
class Scratch {
  readonly #kept = new Map<string, NumberValues>();

  /** Values of a type, of any content, valid until the next call with the same name. */
  take<Values extends NumberValues>(name: string, Type: new (length: number) => Values, length: number): Values {
    const kept = this.#kept.get(name);
    if (kept instanceof Type && kept.length >= length) return kept.subarray(0, length) as Values;
    const values = new Type(length);
    this.#kept.set(name, values);
    return values;
  }
}

/** Computes the daily values of cells from the numbers of a slice, and puts them to their places. */
function takeCells(plan: ReadPlan, block: Block, read: ReadCells, { cells, places, width, into }: ChosenCells): void {
  const { extent, day, end } = read.slice;
  const { first, offsets } = read.line;
  const { length } = offsets;
  const cellAt = (column: number) => block.cell + cells[first + column];
  const of = places?.subarray(first, first + length);
  const gathered = isCopied(plan, read) ? undefined : roomFor(read);
  const at = (day - block.day) * width + first;
  if (gathered === undefined && of === undefined) {
    for (let m = 0; m < extent.member.count; m++)
      copyDays(plan, read, m, { values: into(extent.member.start + m), at, dayStride: width });
    return;
  }
  const daily = read.scratch.take<FloatArray>('daily', NUMBER_ARRAYS[plan.type], length * (end - day));
  for (let m = 0; m < extent.member.count; m++) {
    if (gathered === undefined) copyDays(plan, read, m, { values: daily, at: 0, dayStride: length });
    else reduceGathered(plan, read, { gathered, member: m, cellAt }, daily);
    const values = into(extent.member.start + m);
    for (let d = 0; d < end - day; d++) {
      const to = (day - block.day + d) * width;
      const own = daily.subarray(d * length, (d + 1) * length);
      if (of === undefined) values.set(own, to + first);
      else for (let i = 0; i < length; i++) values[to + of[i]] = own[i];
    }
  }
}

/** Whether each daily value is a stored one, times a factor plus an offset. */
function isCopied({ conversion, type, rule }: ReadPlan, { values }: ReadCells): boolean {
  return conversion !== undefined && rule.negligible === undefined && isOfType(values, type);
}

function isOfType(values: NumberValues, type: ReadPlan['type']): boolean {
  return type === 'float32' ? values instanceof Float32Array : values instanceof Float64Array;
}

function copyDays(
  { steps, coding, conversion }: ReadPlan,
  { slice: { extent, day, end }, values, strides, line: { offsets } }: ReadCells,
  member: number,
  { values: target, at, dayStride }: Pick<DailyTarget, 'values' | 'at' | 'dayStride'>,
): void {
  for (let d = day; d < end; d++) {
    const to = at + (d - day) * dayStride;
    const daily = target.subarray(to, to + offsets.length);
    const from = member * strides.member + (steps.firstStep[d] - extent.time.start) * strides.time;
    if (steps.whole[d] === 0) daily.fill(Number.NaN);
    else takeDecoded(values as FloatArray, from, offsets, daily, coding, conversion);
  }
}

/** Room for the numbers of one member. */
function roomFor({ slice, values, line, scratch }: ReadCells): NumberValues {
  const Values = values.constructor as new (length: number) => NumberValues;
  return scratch.take('gathered', Values, slice.extent.time.count * line.offsets.length);
}

/** The member of a slice that is computed, and where the numbers of its chosen cells are gathered. */
interface Gathering {
  readonly gathered: NumberValues;
  readonly member: number;
  /** The cell of the grid at a place in the line. */
  readonly cellAt: (column: number) => number;
}

function reduceGathered(
  plan: ReadPlan,
  { slice: { extent, day, end }, values, strides, line: { offsets } }: ReadCells,
  { gathered, member, cellAt }: Gathering,
  daily: FloatArray,
): void {
  const { y, x, time } = extent;
  const { length: width } = offsets;
  const isSeries = isOfSeries({ rows: y.count, width: x.count, strides });
  const own = isSeries ? { time: 1, x: time.count } : { time: width, x: 1 };
  const from = member * strides.member;
  if (isSeries) {
    for (let i = 0, to = 0; i < width; i++)
      for (let step = 0, at = from + offsets[i]; step < time.count; step++, at += strides.time)
        gathered[to++] = values[at];
  } else {
    for (let step = 0, to = 0, at = from; step < time.count; step++, at += strides.time)
      for (let i = 0; i < width; i++) gathered[to++] = values[at + offsets[i]];
  }
  const stored = { values: gathered, at: 0, firstStep: time.start, rows: 1, width };
  const steps = { ...stored, strides: { ...own, y: time.count * width } };
  checkGrowth(plan, steps, time.count, { member: extent.member.start + member, cellAt: (_, column) => cellAt(column) });
  reduceAnyDays(plan, steps, { values: daily, at: 0, dayStride: width, cellStride: 1, width }, day, end);
}
