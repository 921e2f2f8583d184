import { assertShape } from '../../../check/assert-shape.js';
import { assertCore } from '../../../core/assert-core.js';
import { valueBytes } from '../../../core/float-array.js';
import type { Core } from '../../../core/load.js';
import { MemberColumn } from '../../../core/member-column.js';
import type { EnsemblePart } from '../../../ensemble/ensemble.js';
import { unusable } from '../../../errors.js';
import { elements } from '../../array/box.js';
import { forEachLimited } from '../../array/for-each-limited.js';
import { type Extent, layoutBox, stridesIn } from '../array-layout.js';
import { cellPlaces, valuePlace } from '../cells/cell-places.js';
import { cellRectangles } from '../cells/cell-rectangles.js';
import type { Block } from '../grid-ensemble.js';
import { fillParts } from '../number-values.js';
import { modelPart } from '../time/time-units.js';
import { checkGrowth } from './check-growth.js';
import { copyDays, isCopied } from './copy-days.js';
import { clearMissing, scaleValues } from './decode-row.js';
import { chunkBytes, chunkLengths, extentOf, type ReadPlan } from './read-plan.js';
import { readSlices, readsAtOnce } from './read-slices.js';
import { reduceDays } from './reduce-days.js';

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
export async function readBlock(plan: ReadPlan, block: Block, core: Core): Promise<EnsemblePart> {
  const { layout, steps, order, type } = plan;
  assertCore(core);
  assertBlock(block, layout.length.y * layout.length.x, steps.days);
  const members = layout.length.member;
  const length = block.cells * block.days;
  const extent = directExtent(plan, block);
  const isOneRead = extent !== undefined && isReadAtOnce(plan);
  const stride = isOneRead ? length * valueBytes(type) : memberStride(length * valueBytes(type));
  const mark = core.memory.mark();
  const target = { core, stride, address: core.memory.allocate(members * stride) };
  const end = core.memory.mark();
  try {
    if (extent === undefined) await readReduced(plan, block, target);
    else if (isOneRead) await readInto(plan, extent, target, 0);
    else
      await forEachLimited(layout.members.keys(), readsAtOnce(plan, chunkBytes(layout)), (m) =>
        readInto(plan, { ...extent, member: { start: m, count: 1 } }, target, m),
      );
  } catch (error) {
    if (core.memory.mark() === end) core.memory.release(mark);
    throw error;
  }
  const firstDay = steps.firstDay + block.day;
  const { latitude, longitude } = cellPlaces(layout.cells.grid, block.cell, block.cells);
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
        const named = { source: plan.source, array: layout.array.name, calendar: modelPart(layout.times.calendar) };
        return valuePlace(named, layout.members[member], firstDay + day, latitude[cell], longitude[cell]);
      },
    },
    latitude,
    longitude,
  };
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

async function readReduced(plan: ReadPlan, block: Block, results: BlockBuffer): Promise<void> {
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
        else reduceDays(plan, stored, target, slice.day, slice.end);
      }
    }
  }
}
