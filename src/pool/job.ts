import type { EnsembleField } from '../core/field.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
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
export function isSmall({ members, cells }: EnsembleField, windows: WindowTable): boolean {
  const daysRead = windows.days.reduce((sum, days) => sum + days, 0);
  return members.length * cells * (daysRead + windows.count) < LEAST_WORK;
}
