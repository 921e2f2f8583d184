import { assertKnownKeys, assertShape } from '../../../check/option-checks.js';
import { beginWork, forEachLimited, WORK_KEYS, type Work, type WorkOptions } from '../../../check/work.js';
import { assertCore } from '../../../core/assert-core.js';
import type { Core } from '../../../core/load.js';
import { MemberColumn } from '../../../core/member-column.js';
import { type FloatArray, valueBytes } from '../../../core/number-arrays.js';
import type { EnsemblePart } from '../../../ensemble/ensemble.js';
import { unusable } from '../../../errors.js';
import type { Box } from '../../array/array-file.js';
import { elements } from '../../array/copy-box.js';
import { type Extent, layoutBox, stridesIn } from '../array-layout.js';
import { readNumbers } from '../array-reader.js';
import { cellPlaces, cellRectangles, valuePlace } from '../cells/cell-places.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { modelPart } from '../time/time-units.js';
import { clearMissing, fillParts, scaleValues } from '../value-coding.js';
import { checkGrowth } from './check-growth.js';
import { chunkBytes, chunkLengths, extentOf, type ReadPlan } from './read-plan.js';
import { type DailyTarget, isOfSeries, type StoredSteps } from './reduce-days.js';
import { reduceAnyDays } from './reduce-local-days.js';
import { readSlices, readsAtOnce, slices } from './slices.js';

/** The part of the core's memory that holds the members of a block. */
interface BlockBuffer {
  readonly core: Core;
  readonly address: number;
  /** Bytes from one member to the next. */
  readonly stride: number;
}

/**
 * Reads a block to the top of the core's memory, as daily values in the order of the file. Missing values are NaN. If
 * reading fails, the memory is released, unless more of it was allocated meanwhile.
 */
export async function readBlock(
  plan: ReadPlan,
  block: Block,
  core: Core,
  options: WorkOptions = {},
): Promise<EnsemblePart> {
  const { layout, steps } = plan;
  assertCore(core);
  assertBlock(block, layout.length.y * layout.length.x, steps.days);
  const { work, others } = beginWork(options, 'values', layout.length.member * block.cells * block.days);
  assertKnownKeys(others, WORK_KEYS);
  return work.run(() => readValues(plan, block, core, work));
}

async function readValues(plan: ReadPlan, block: Block, core: Core, work: Work): Promise<EnsemblePart> {
  const { layout, steps, order, type } = plan;
  const members = layout.length.member;
  const length = block.cells * block.days;
  const extent = directExtent(plan, block);
  const isOneRead = extent !== undefined && isReadAtOnce(plan);
  const stride = isOneRead ? length * valueBytes(type) : memberStride(length * valueBytes(type));
  const mark = core.memory.mark();
  const target = { core, stride, address: core.memory.allocate(members * stride) };
  const end = core.memory.mark();
  try {
    await layout.array.fetch?.(boxesOf(plan, block));
    if (extent === undefined) await readReduced(plan, block, target, work);
    else if (isOneRead) await readInto(plan, extent, target, 0);
    else
      await forEachLimited(layout.members.keys(), readsAtOnce(plan, chunkBytes(layout)), async (m) => {
        if (work.isDue) await work.pause();
        await readInto(plan, { ...extent, member: { start: m, count: 1 } }, target, m);
        work.advance(length);
      });
    work.check();
  } catch (error) {
    if (core.memory.mark() === end) core.memory.release(mark);
    throw error;
  }
  const firstDay = steps.firstDay + block.day;
  const places = cellPlaces(layout.cells.grid, block.cell, block.cells);
  const { latitude, longitude } = places;
  return {
    field: {
      ...{ type, order, firstDay, days: block.days, cells: block.cells },
      members: layout.members.map(
        (name, m) => new MemberColumn(name, [{ values: memberView(plan, target, m, length) }]),
      ),
      place: (member, row) => {
        const [day, cell] =
          order === 'day-fastest'
            ? [row % block.days, Math.floor(row / block.days)]
            : [Math.floor(row / block.cells), row % block.cells];
        const named = {
          source: plan.source,
          array: layout.array.name,
          calendar: modelPart(layout.times.calendar),
          edges: plan.edges,
        };
        return valuePlace(named, layout.members[member], firstDay + day, latitude[cell], longitude[cell]);
      },
    },
    ...places,
  };
}

/** The plans of functions that read blocks by a plan alone. */
const plans = /* @__PURE__ */ new WeakMap<GridEnsemble['read'], ReadPlan>();

/** The function of an ensemble that reads blocks by a plan. */
export function blockReader(plan: ReadPlan): GridEnsemble['read'] {
  const read: GridEnsemble['read'] = (block, core, options) => readBlock(plan, block, core, options);
  plans.set(read, plan);
  return read;
}

/** The plan by which a function reads blocks; undefined for others. */
export function planOfReader(read: GridEnsemble['read']): ReadPlan | undefined {
  return plans.get(read);
}

/** What a block is computed from. */
export function boxesOf(plan: ReadPlan, { cell, cells, day, days }: Block): Box[] {
  const rectangles = cellRectangles(cell, cells, plan.layout.length.x);
  return rectangles.map((rectangle) => layoutBox(plan.layout, extentOf(plan, rectangle, day, day + days)));
}

/** Throws OptionError for what is not a block of an ensemble. */
export function assertBlock(block: Block, cells: number, days: number): void {
  assertShape('block', block, { cell: 'integer', cells: 'count', day: 'integer', days: 'count' });
  const isWithin =
    block.cell >= 0 && block.cell + block.cells <= cells && block.day >= 0 && block.day + block.days <= days;
  if (!isWithin) throw unusable('block', Object.values(block), `cells and days among ${cells} cells and ${days} days`);
}

/** A stride with one more cache line between members, so that their values never share a cache set. */
export function memberStride(bytes: number): number {
  return Math.ceil(bytes / 64) * 64 + 64;
}

/** Whether members are read together, as stored chunks hold several of them. */
function isReadAtOnce({ layout }: ReadPlan): boolean {
  return chunkLengths(layout).member > 1;
}

function memberView({ type }: ReadPlan, { core, address, stride }: BlockBuffer, member: number, length: number) {
  return core.memory[type](address + member * stride, length);
}

/**
 * The part of an array that holds the block in its final form; undefined where values have to be computed or reordered.
 */
function directExtent(plan: ReadPlan, block: Block): Extent | undefined {
  const { layout, steps } = plan;
  const end = block.day + block.days;
  const rectangles = cellRectangles(block.cell, block.cells, layout.length.x);
  if (rectangles.length !== 1 || steps.whole.subarray(block.day, end).includes(0)) return undefined;
  const extent = extentOf(plan, rectangles[0], block.day, end);
  return isStoredInOrder(plan, extent) ? extent : undefined;
}

/**
 * Whether daily values of a part of an array, if all of its days are complete, have the same order in the file as in
 * results.
 */
export function isStoredInOrder(plan: ReadPlan, extent: Extent): boolean {
  const { layout, order, conversion } = plan;
  const along = (['time', 'y', 'x'] as const).filter((role) => extent[role].count > 1);
  const stored = [...along].sort((a, b) => layout.dimension[a] - layout.dimension[b]).join();
  const ofCells = along.filter((role) => role !== 'time');
  const wanted = order === 'cell-fastest' ? along : [...ofCells, ...along.filter((role) => role === 'time')];
  const isMemberFirst = along.every((role) => layout.dimension.member < layout.dimension[role]);
  return conversion !== undefined && wanted.join() === stored && (isMemberFirst || !isReadAtOnce(plan));
}

async function readInto(
  plan: ReadPlan,
  extent: Extent,
  { core, address, stride }: BlockBuffer,
  member: number,
): Promise<void> {
  const { layout, coding, type } = plan;
  const box = layoutBox(layout, extent);
  const view = () => core.memory[type](address + member * stride, elements(box.count));
  const absent = await layout.array.read(box, view());
  if (absent.length > 0) fillParts(view(), box, absent, Number.NaN);
  clearMissing(view(), coding);
  scaleValues(view(), plan.conversion?.factor ?? 1, plan.conversion?.offset ?? 0);
}

async function readReduced(plan: ReadPlan, block: Block, results: BlockBuffer, work: Work): Promise<void> {
  const { layout, order } = plan;
  const length = block.cells * block.days;
  const end = block.day + block.days;
  const [dayStride, cellStride] = order === 'day-fastest' ? [1, block.days] : [block.cells, 1];
  for (const rectangle of cellRectangles(block.cell, block.cells, layout.length.x)) {
    const extent = extentOf(plan, rectangle, block.day, end);
    const width = rectangle.x.count;
    for await (const { slice, box, values } of readSlices(plan, extent, block.day, end)) {
      const { member, time, y, x } = slice.extent;
      const strides = stridesIn(layout, box);
      const cell = rectangle.cell + (y.start - rectangle.y.start) * width + x.start - rectangle.x.start;
      const at = (slice.day - block.day) * dayStride + cell * cellStride;
      for (let m = 0; m < member.count; m++) {
        const target = {
          values: memberView(plan, results, member.start + m, length),
          at,
          dayStride,
          cellStride,
          width,
        };
        const steps = { firstStep: time.start, rows: y.count, width: x.count };
        const stored = { ...steps, values, strides, at: m * strides.member };
        const cellAt = (row: number, column: number) => block.cell + cell + row * width + column;
        checkGrowth(plan, stored, time.count, { member: member.start + m, cellAt });
        if (isCopied(plan, stored, target)) copyDays(plan, stored, target, slice.day, slice.end);
        else reduceAnyDays(plan, stored, target, slice.day, slice.end);
        work.advance(y.count * x.count * (slice.end - slice.day));
        if (work.isDue) await work.pause();
      }
    }
  }
}

/**
 * Whether daily values are stored values in the order of results, except that fields or series are in separate runs.
 */
function isCopied({ conversion, steps }: ReadPlan, stored: StoredSteps, target: DailyTarget): boolean {
  if (conversion === undefined || !(stored.values instanceof Float32Array || stored.values instanceof Float64Array))
    return false;
  if (!isOfSeries(stored)) return stored.strides.x === 1 && target.cellStride === 1;
  return stored.strides.time === 1 && target.dayStride === 1 && steps.whole.every((whole) => whole === 1);
}

/** Copies the steps of days `day` up to, not including, `end`, then clears missing values and scales the others. */
function copyDays(plan: ReadPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  if (isOfSeries(stored)) {
    copySeries(plan, stored, target, day, end);
    return;
  }
  const { rows, width, strides, firstStep, at } = stored;
  const { steps } = plan;
  const isFlat = strides.y === width && target.width === width;
  const [lines, length] = isFlat ? [1, rows * width] : [rows, width];
  for (let d = day; d < end; d++) {
    for (let line = 0; line < lines; line++) {
      const to = target.at + (d - day) * target.dayStride + line * target.width;
      const from = at + (steps.firstStep[d] - firstStep) * strides.time + line * strides.y;
      if (steps.whole[d] === 0) target.values.fill(Number.NaN, to, to + length);
      else copy(plan, stored.values as FloatArray, from, target.values, to, length);
    }
  }
}

function copySeries(plan: ReadPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  const { rows, width, strides, firstStep } = stored;
  const first = stored.at + (plan.steps.firstStep[day] - firstStep);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++) {
      const to = target.at + (y * target.width + x) * target.cellStride;
      const from = first + y * strides.y + x * strides.x;
      copy(plan, stored.values as FloatArray, from, target.values, to, end - day);
    }
  }
}

function copy(
  { coding, conversion }: ReadPlan,
  values: FloatArray,
  from: number,
  target: FloatArray,
  to: number,
  length: number,
): void {
  const copied = target.subarray(to, to + length);
  copied.set(values.subarray(from, from + length));
  clearMissing(copied, coding);
  scaleValues(copied, conversion?.factor ?? 1, conversion?.offset ?? 0);
}

/**
 * Fills `into` with the daily values of one cell: member after member, the days of each in order, NaN where missing,
 * rounded to float32. Needs no core, so any number of cells can be read at a time. Throws what the array's `read`
 * throws.
 */
export async function readCell(plan: ReadPlan, cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
  const { layout, steps, coding } = plan;
  const { days } = steps;
  const [place] = cellRectangles(cell, 1, layout.length.x);
  into.fill(Number.NaN);
  for (const slice of slices(plan, extentOf(plan, place, 0, days), 0, days)) {
    const { member, time } = slice.extent;
    if (time.count === 0) continue;
    const box = layoutBox(layout, slice.extent);
    const values = await readNumbers(layout.array, box, coding);
    const strides = stridesIn(layout, box);
    for (let m = 0; m < member.count; m++) {
      const stored = { values, strides, at: m * strides.member, firstStep: time.start, rows: 1, width: 1 };
      checkGrowth(plan, stored, time.count, { member: member.start + m, cellAt: () => cell });
      const at = (member.start + m) * days + slice.day;
      reduceAnyDays(plan, stored, { values: into, at, dayStride: 1, cellStride: 1, width: 1 }, slice.day, slice.end);
    }
  }
}
