import type { RowOrder } from '../../core/field.js';
import type { FloatType } from '../../core/float-array.js';
import { elementBytes } from '../array/number-types.js';
import { type ArrayLayout, type Extent, forRoles, type Role } from './array-layout.js';
import { type DailyPlan, stepsOfDays } from './reduce-days.js';
import { isPlain, type ValueCoding } from './value-coding.js';

/** All that is known of an array before its values are read. */
export interface ReadPlan extends DailyPlan {
  readonly source: string;
  readonly layout: ArrayLayout;
  readonly type: FloatType;
  /** Of arrays of amounts, not rates, the smallest stored one that matters. */
  readonly smallest: number | undefined;
  /** As in the file, so that values are moved as little as can be. */
  readonly order: RowOrder;
  /** Where daily values are stored ones, each of one step, times a factor plus an offset; undefined where they are not. */
  readonly linear: { readonly factor: number; readonly offset: number } | undefined;
}

/** The order of an array's values: by location where time varies faster than both dimensions of cells. */
export function storedOrder({ dimension, length }: ArrayLayout): RowOrder {
  const isInner = (role: Role) => length[role] > 1 && dimension[role] > dimension.time;
  return isInner('y') || isInner('x') ? 'cell-fastest' : 'day-fastest';
}

/** What stored values are multiplied by, and what is added, where days have one step each and values the type that results have. */
export function linearRule({ steps, rule, coding, layout, type }: Omit<ReadPlan, 'linear'>): ReadPlan['linear'] {
  const isDaily = rule.reduction !== 'growth' && steps.steps.every((count) => count <= 1);
  const weight = rule.reduction === 'sum' ? (rule.weights?.[0] ?? 1) : 1;
  const isEven = rule.reduction !== 'sum' || (rule.weights?.every((other) => other === weight) ?? true);
  if (!isDaily || !isEven || !isPlain(coding) || layout.array.type !== type) return undefined;
  return { factor: weight * rule.factor, offset: rule.offset };
}

/**
 * The type of daily values: float32 for stored values of 8 and 16 bits and of float32, which it holds exactly, else float64.
 */
export function dailyType({ type }: ValueCoding): FloatType {
  return type === 'float32' || elementBytes(type) <= 2 ? 'float32' : 'float64';
}

/** The pieces that can only be read as a whole, along each role: 1 where values can be read one by one. */
export function chunkLengths({ array, dimension }: ArrayLayout): Record<Role, number> {
  return forRoles((role) => (dimension[role] < 0 ? 1 : (array.chunk?.[dimension[role]] ?? 1)));
}

/** Bytes of one stored piece, in memory while it is decoded; 0 where an array is not stored in pieces. */
export function chunkBytes({ array: { chunk, type } }: ArrayLayout): number {
  return chunk === undefined ? 0 : chunk.reduce((product, n) => product * n, elementBytes(type));
}

/** The part of an array that the members' values of some cells and days are computed from. */
export function extentOf(plan: ReadPlan, cells: Pick<Extent, 'y' | 'x'>, day: number, end: number): Extent {
  const { start, end: stop } = stepsOfDays(plan, day, end);
  const member = { start: 0, count: plan.layout.length.member };
  return { member, time: { start, count: stop - start }, y: cells.y, x: cells.x };
}
