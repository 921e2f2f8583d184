import type { RowOrder } from '../../../core/field.js';
import type { FloatType } from '../../../core/number-arrays.js';
import type { StepEdges } from '../../../ensemble/accumulation.js';
import { elementBytes } from '../../array/array-file.js';
import { type ArrayLayout, type Extent, forRoles, type Role } from '../array-layout.js';
import { cellRectangles } from '../cells/cell-places.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { isPlain, type ValueCoding } from '../value-coding.js';
import { type DailyPlan, stepsOfDays } from './reduce-days.js';

/** All that is known of an array before its values are read. */
export interface ReadPlan extends DailyPlan {
  readonly source: string;
  readonly layout: ArrayLayout;
  readonly type: FloatType;
  /** The smallest stored amount that matters; only for arrays of amounts, not of rates. */
  readonly smallest: number | undefined;
  /** Of time steps in place of days: when each begins and ends. */
  readonly edges?: StepEdges | undefined;
  /** The order in the file, so that values are moved as little as possible. */
  readonly order: RowOrder;
  /** Where each daily value is one stored value times a factor plus an offset: these two; else undefined. */
  readonly conversion: { readonly factor: number; readonly offset: number } | undefined;
  /** The number of steps from which the longest day is computed; at least 1. */
  readonly longestDay: number;
}

/** The steps from which the longest day is computed, the one before it included where it is needed. */
export function longestDay(plan: Pick<DailyPlan, 'steps' | 'rule'>): number {
  let longest = 1;
  for (let day = 0; day < plan.steps.days; day++) {
    const { start, end } = stepsOfDays(plan, day, day + 1);
    longest = Math.max(longest, end - start);
  }
  return longest;
}

/** The order of an array's values: by location if time varies faster than both dimensions of cells. */
export function storedOrder({ dimension, length }: ArrayLayout): RowOrder {
  const isInner = (role: Role) => length[role] > 1 && dimension[role] > dimension.time;
  return isInner('y') || isInner('x') ? 'cell-fastest' : 'day-fastest';
}

/** The factor and the offset of stored values, where each day has one step and values have the type of results. */
export function linearConversion({
  steps,
  rule,
  coding,
  layout,
  type,
}: Omit<ReadPlan, 'conversion' | 'longestDay'>): ReadPlan['conversion'] {
  const isDaily = rule.reduction !== 'growth' && steps.shares === undefined && steps.steps.every((count) => count <= 1);
  const weight = rule.reduction === 'sum' ? (rule.weights?.[0] ?? 1) : 1;
  const isEven = rule.reduction !== 'sum' || (rule.weights?.every((other) => other === weight) ?? true);
  if (!isDaily || !isEven || !isPlain(coding) || layout.array.type !== type) return undefined;
  return { factor: weight * rule.factor, offset: rule.offset };
}

/**
 * The type of daily values: float32 for stored values of 8 or 16 bits and float32, which it holds exactly, else
 * float64.
 */
export function dailyType({ type }: ValueCoding): FloatType {
  return type === 'float32' || elementBytes(type) <= 2 ? 'float32' : 'float64';
}

/** The lengths of stored chunks along each role: 1 where an array is not stored in chunks. */
export function chunkLengths({ array, dimension }: ArrayLayout): Record<Role, number> {
  return forRoles((role) => (dimension[role] < 0 ? 1 : (array.chunk?.[dimension[role]] ?? 1)));
}

/** The lengths along each role of what can only be read completely: chunks, or their parts; 1 for single values. */
export function partLengths(layout: ArrayLayout): Record<Role, number> {
  const { array, dimension } = layout;
  const { chunkPart } = array;
  if (chunkPart === undefined) return chunkLengths(layout);
  return forRoles((role) => (dimension[role] < 0 ? 1 : chunkPart[dimension[role]]));
}

/** Bytes of one stored chunk, in memory while it is decoded; 0 where an array is not stored in chunks. */
export function chunkBytes({ array: { chunk, type } }: ArrayLayout): number {
  return chunk === undefined ? 0 : chunk.reduce((product, n) => product * n, elementBytes(type));
}

/** The part of an array from which the members' values of some cells and days are computed. */
export function extentOf(plan: ReadPlan, cells: Pick<Extent, 'y' | 'x'>, day: number, end: number): Extent {
  const { start, end: stop } = stepsOfDays(plan, day, end);
  const member = { start: 0, count: plan.layout.length.member };
  return { member, time: { start, count: stop - start }, y: cells.y, x: cells.x };
}

/** The read plan of an ensemble that is read from an array; undefined for others. */
export function findReadPlan(ensemble: GridEnsemble): ReadPlan | undefined {
  return 'plan' in ensemble ? (ensemble.plan as ReadPlan) : undefined;
}

/** The calendar of an array's times, as the file or the caller says. */
export function calendarOf({ layout: { times } }: ReadPlan): string {
  return times.calendar;
}

/** The shortest and the longest step that days are computed from, in seconds. */
export function stepRange({ steps: { firstStep, steps, seconds } }: ReadPlan): { shortest: number; longest: number } {
  const last = firstStep[steps.length - 1] + steps[steps.length - 1];
  const used = seconds.subarray(firstStep[0], last);
  return { shortest: used.reduce((a, b) => Math.min(a, b)), longest: used.reduce((a, b) => Math.max(a, b)) };
}

/**
 * Counts the stored chunks of an array that blocks are read from, and how often chunks are decoded, some of them
 * perhaps in parts; undefined where it has none.
 */
export function countChunkReads(
  plan: ReadPlan,
  blocks: readonly Block[],
): { chunks: number; decoded: number } | undefined {
  const { layout } = plan;
  if (layout.array.chunk === undefined) return undefined;
  const chunk = chunkLengths(layout);
  const part = partLengths(layout);
  const product = (count: (role: Role) => number) => Object.values(forRoles(count)).reduce((a, b) => a * b, 1);
  const all = extentOf(plan, { y: full(layout.length.y), x: full(layout.length.x) }, 0, plan.steps.days);
  const touched = (extent: typeof all, length: Record<Role, number>) =>
    product((role) => {
      const { start, count } = extent[role];
      return Math.floor((start + count - 1) / length[role]) - Math.floor(start / length[role]) + 1;
    });
  const partsOfChunk = product((role) => Math.ceil(Math.min(chunk[role], layout.length[role]) / part[role]));
  let parts = 0;
  for (const { cell, cells, day, days } of blocks) {
    for (const rectangle of cellRectangles(cell, cells, layout.length.x)) {
      parts += touched(extentOf(plan, rectangle, day, day + days), part);
    }
  }
  return { chunks: touched(all, chunk), decoded: Math.round(parts / partsOfChunk) };
}

function full(count: number): { start: number; count: number } {
  return { start: 0, count };
}
