import type { EnsembleField } from '../core/field.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsRequest } from '../statistics/compute.js';
import type { SharedResults } from './shared-results.js';
import type { FieldShape } from './task.js';

/** What the workers compute together. */
export interface Job {
  readonly field: EnsembleField;
  readonly windows: WindowTable;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
}

export function shapeOf({ type, order, firstDay, days, cells }: EnsembleField): FieldShape {
  return { type, order, firstDay, days, cells };
}

/** The request with all its arrays in memory that workers see. */
export function shareRequest(request: StatisticsRequest): StatisticsRequest {
  const categories = request.categories?.map((asked) => ({ ...asked, limits: asked.limits.map(shareArray) }));
  return { ...request, categories };
}

/** The request for some consecutive results: each has limits of its own. */
export function requestFor(request: StatisticsRequest, from: number, to: number): StatisticsRequest {
  const categories = request.categories?.map((asked) => ({
    ...asked,
    limits: asked.limits.map((values) => values.subarray(from, to)),
  }));
  return { ...request, categories };
}

function shareArray<A extends Float32Array | Float64Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const Type = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const shared = new Type(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}

/**
 * Whether a job is computed as fast on the calling thread: reading a value and handling a member of a result each cost about a
 * nanosecond or less, a task for the workers some 50,000.
 */
export function isSmall({ members, cells }: EnsembleField, { count, days }: WindowTable): boolean {
  const daysRead = days.reduce((sum, length) => sum + length, 0);
  return members.length * cells * (daysRead + count) < LEAST_WORK;
}

const LEAST_WORK = 1_000_000;
