import type { EnsembleField } from '../core/field.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
import type { WindowDays } from '../statistics/tiles.js';
import type { SharedResults } from './shared-results.js';
import type { FieldShape } from './task.js';

/** What the workers compute together. */
export interface Job {
  readonly field: EnsembleField;
  readonly windows: WindowDays;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
}

export function shapeOf({ type, order, firstDay, days, cells }: EnsembleField): FieldShape {
  return { type, order, firstDay, days, cells };
}

/**
 * Copies of what was checked, so that it stays as it is until the workers are done: with nothing in them that workers cannot be sent,
 * and limits of categories in memory that they see.
 */
export function copyWindows({ count, first, days, firstDay }: WindowDays): WindowDays {
  return { count, first: first.slice(), days: days.slice(), firstDay };
}

export function shareRequest(request: StatisticsRequest): StatisticsRequest {
  const { window, quantiles, quantileType, thresholds, spread, categories, minMemberShare } = request;
  return {
    window,
    quantiles: [...quantiles],
    quantileType,
    thresholds: thresholds.map(({ operator, limit }) => ({ operator, limit })),
    spread,
    categories: categories?.map(({ limits, lower }) => ({ limits: limits.map(shareArray), lower })),
    minMemberShare,
  };
}

function shareArray<A extends Float32Array | Float64Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const Type = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const shared = new Type(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}

/** About one millisecond: measured, to read a value and to handle a member of a result take a quarter to a half of a nanosecond each. */
const LEAST_WORK = 2_500_000;

/** Whether a job is so small that telling the workers of it, some 50 microseconds, would cost more than they save. */
export function isSmall({ members, cells }: EnsembleField, windows: WindowDays): boolean {
  const daysRead = windows.days.reduce((sum, days) => sum + days, 0);
  return members.length * cells * (daysRead + windows.count) < LEAST_WORK;
}
